// SPDX-License-Identifier: Apache-2.0
//
// Stores the countries and subdivisions of ISO 3166 in one table, each country's in its own partition, and works with
// them.
//
//     quickstart [--data FOLDER] [--store CONNECTION-STRING]

#include <tablemap/tablemap.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace tmap = tablemap;

struct country {
    std::string alpha_2{};
    std::string alpha_3{};
    std::string numeric{};
    std::string name{};
    std::optional<std::string> official_name{};
};

struct subdivision {
    std::string country{};  // alpha_2
    std::string code{};     // without the country
    std::string name{};
    std::string type{};
    std::optional<std::string> parent{};
    std::int32_t edits{};  // the number of changes by this program
};

template <> struct tmap::mapping<country> {
    static constexpr auto partition_key = tmap::key(tmap::part<&country::alpha_2>);
    static constexpr auto row_key = tmap::key("country");
};

template <> struct tmap::mapping<subdivision> {
    static constexpr auto partition_key = tmap::key(tmap::part<&subdivision::country>);
    static constexpr auto row_key = tmap::key("subdivision_", tmap::part<&subdivision::code>);
};

namespace {

struct iso_3166 {
    std::vector<country> countries;
    std::vector<subdivision> subdivisions;
};

nlohmann::json read_list(std::string const& file, char const* list) {
    std::ifstream in{file};
    if (!in)
        throw std::runtime_error("cannot read " + file +
                                 ": install Debian's package iso-codes, or name its folder with --data");
    return nlohmann::json::parse(in).at(list);
}

std::optional<std::string> optional_text(nlohmann::json const& j, char const* name) {
    return j.contains(name) ? std::optional{j[name].get<std::string>()} : std::nullopt;
}

iso_3166 read_iso_3166(std::string const& folder) {
    iso_3166 all;
    for (auto const& j : read_list(folder + "/iso_3166-1.json", "3166-1"))
        all.countries.push_back({.alpha_2 = j.at("alpha_2"),
                                 .alpha_3 = j.at("alpha_3"),
                                 .numeric = j.at("numeric"),
                                 .name = j.at("name"),
                                 .official_name = optional_text(j, "official_name")});
    for (auto const& j : read_list(folder + "/iso_3166-2.json", "3166-2")) {
        std::string const code = j.at("code");  // such as "FR-ARA"
        auto const hyphen = code.find('-');
        all.subdivisions.push_back({.country = code.substr(0, hyphen),
                                    .code = code.substr(hyphen + 1),
                                    .name = j.at("name"),
                                    .type = j.at("type"),
                                    .parent = optional_text(j, "parent")});
    }
    return all;
}

class stopwatch {
public:
    auto milliseconds() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct load_report {
    std::size_t stored = 0;
    std::size_t there_before = 0;
};

/// Inserts new entities. An existing entity is not a failure here; every other error is.
template <class T> void store_all(tmap::table<T>& table, std::vector<T> const& values, load_report& report) {
    for (auto const& v : values) {
        auto const stored = table.try_insert(v);
        if (stored)
            ++report.stored;
        else if (stored.error().code() == tmap::error_kind::already_exists)
            ++report.there_before;
        else
            throw stored.error();
    }
}

void run(std::string const& folder, std::string const& connection_string) {
    stopwatch reading;
    auto const iso = read_iso_3166(folder);
    std::cout << "read     " << iso.countries.size() << " countries and " << iso.subdivisions.size()
              << " subdivisions from " << folder << " (" << reading.milliseconds() << " ms)\n";

    auto const store = tmap::open(connection_string);
    tmap::table<country> countries{store, "Iso3166"};
    tmap::table<subdivision> subdivisions{store, "Iso3166"};  // the same table: one partition holds both
    bool const created = countries.create_if_not_exists();
    std::cout << "opened   " << tmap::redacted(connection_string) << ", table " << countries.name()
              << (created ? " created" : " was there") << "\n";

    stopwatch loading;
    load_report report;
    store_all(countries, iso.countries, report);
    store_all(subdivisions, iso.subdivisions, report);
    std::cout << "stored   " << report.stored << " entities, " << report.there_before << " were there before ("
              << loading.milliseconds() << " ms)\n";

    stopwatch counting;
    std::size_t found = 0;
    for (auto const& c : iso.countries)
        for ([[maybe_unused]] auto const& s : subdivisions.query(tmap::partition(c.alpha_2))) ++found;
    std::cout << "counted  " << found << " subdivisions in " << iso.countries.size() << " partitions ("
              << counting.milliseconds() << " ms)\n";

    auto const france = countries.find("FR");
    auto const rhone = subdivisions.find("FR", "69");
    if (!france || !rhone) throw std::runtime_error("the data holds no FR-69");
    std::cout << "found    " << rhone->value.name << ", " << rhone->value.type << " of " << france->value.name << "\n";

    std::cout << "listed   FR-70 up to FR-75:";
    for (auto const& s : subdivisions.query(tmap::partition("FR"), tmap::row_range("70", "75")))
        std::cout << "  " << s.value.code << " " << s.value.name;
    std::cout << "\n";

    auto first = *subdivisions.find("FR", "69");  // two readers of one version
    auto second = first;
    ++first.value.edits;
    subdivisions.merge(first, tmap::only<&subdivision::edits>);
    std::cout << "changed  " << first.value.name << ": edit " << first.value.edits << " by the first writer\n";
    try {
        ++second.value.edits;
        subdivisions.replace(second);
        throw std::logic_error("the second writer overwrote the first");
    } catch (tmap::error const& e) {
        if (e.code() != tmap::error_kind::precondition_failed) throw;
        std::cout << "refused  the second writer: " << e.what() << "\n";
    }
    auto const again = subdivisions.modify({"FR", "69"}, [](subdivision& s) { ++s.edits; });
    std::cout << "modified " << again.value.name << ": edit " << again.value.edits
              << " by the second writer, who read again first\n";
}

}  // namespace

int main(int argc, char** argv) try {
    std::string folder = "/usr/share/iso-codes/json";
    // The data can be loaded again, so the program need not wait for the disk after every entity.
    std::string store = "embedded:quickstart.db;synchronous=normal";
    for (int i = 1; i < argc; i += 2) {
        std::string const option = argv[i];
        if (i + 1 == argc || (option != "--data" && option != "--store")) {
            std::cerr << "usage: quickstart [--data FOLDER] [--store CONNECTION-STRING]\n";
            return 2;
        }
        (option == "--data" ? folder : store) = argv[i + 1];
    }
    run(folder, store);
} catch (std::exception const& e) {
    std::cerr << "quickstart: " << e.what() << "\n";
    return 1;
}
