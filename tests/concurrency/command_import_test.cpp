// SPDX-License-Identifier: Apache-2.0
#include "base/digit_groups.hpp"
#include "command/csv.hpp"
#include "concurrency/killed_command.hpp"
#include "unit/command/command_line.hpp"

#include "support/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>

namespace tablemap::test {
namespace {

constexpr std::size_t enough_rows = 50'000;

/// A line of a package index: "Name: value".
struct package {
    std::map<std::string, std::string> fields{};

    std::string operator[](char const* name) const {
        auto const at = fields.find(name);
        return at == fields.end() ? "" : at->second;
    }
};

/// Keys to lines of CSV.
using csv_rows = std::map<std::pair<std::string, std::string>, std::string>;

std::string key_text(std::string text) {
    for (auto& c : text)
        if (c == '/' || c == '#' || c == '?' || c == '\\') c = '.';
    return text;
}

void add(csv_rows& rows, package const& p) {
    auto const section = key_text(p["Section"]), name = key_text(p["Package"] + "_" + p["Version"]);
    std::string line;
    for (auto const& text : {section, name, p["Version"], p["Description"], p["Depends"]})
        command::append_csv_field(line, text), line += ',';
    line += p["Size"];  // nothing where it is not known
    rows.try_emplace({section, name}, line);
}

/// The packages that this machine could install.
csv_rows package_index() {
    csv_rows rows;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const in{popen("apt-cache dumpavail 2>/dev/null", "r"), pclose};
    package p;
    char* text = nullptr;
    std::size_t size = 0;
    while (in && getline(&text, &size, in.get()) >= 0) {
        std::string const line{text};
        auto const colon = line.find(": ");
        if (line == "\n") add(rows, std::exchange(p, {}));
        if (colon != line.npos && line[0] != ' ')
            p.fields[line.substr(0, colon)] = line.substr(colon + 2, line.size() - colon - 3);
    }
    std::free(text);
    return rows;
}

csv_rows generated_rows() {
    csv_rows rows;
    for (std::size_t i = 0; i < enough_rows; ++i)
        add(rows, {{{"Section", "s" + std::to_string(i % 40)},
                    {"Package", std::to_string(i)},
                    {"Version", "1"},
                    {"Description", "d, \"" + std::string(i % 300, 'x') + "\""},
                    {"Size", std::to_string(i)}}});
    return rows;
}

/// As many rows as it takes, in an order that is not that of the keys.
std::string csv_of(csv_rows const& rows) {
    std::string text =
        "PartitionKey,RowKey,Version:Edm.String,Description:Edm.String,Depends:Edm.String,Size:Edm.Int64\n";
    std::vector<std::string const*> lines;
    for (auto const& [key, line] : rows) lines.push_back(&line);
    std::shuffle(lines.begin(), lines.end(), std::mt19937{7});
    for (auto const* const line : lines) text.append(*line).append("\n");
    return text;
}

/// A process that is resumed reads the whole file first, so the lives grow until one is long enough on any machine.
std::chrono::milliseconds life_of(int kills, random_source& random) {
    auto const first = static_cast<int>(60 + random.below(200));
    return std::chrono::milliseconds{std::lround(first * std::pow(1.5, kills))};
}

TEST(command_import_process, killed_at_any_moment_and_resumed_stores_the_whole_file) {
    auto rows = package_index();
    if (rows.size() < enough_rows) rows = generated_rows();
    command_file const tablemap;
    auto const file = tablemap.file("packages.csv", csv_of(rows));
    std::vector<std::string> const line{"import",         "Packages",    file,
                                        "--create-table", "--ledger",    tablemap.folder.file("ledger"),
                                        "--store",        tablemap.store};
    random_source random;
    std::optional<int> status;
    int kills = 0;
    for (; !status && kills < 20; ++kills) status = run_for(line, life_of(kills, random));
    ASSERT_EQ(status, command::done);
    EXPECT_GT(kills, 2);
    RecordProperty("kills", kills - 1);
    RecordProperty("rows", static_cast<int>(rows.size()));
    EXPECT_EQ(tablemap.rows("Packages").scan().count(), rows.size());
    // Done again without a ledger, each row is compared with the file's.
    auto const again = tablemap({"import", "Packages", file});
    EXPECT_EQ(again.error, "0 rows stored, " + detail::with_separators(rows.size()) + " stored before, 0 failed\n");
}

TEST(command_export_process, killed_at_any_moment_and_resumed_writes_the_whole_table) {
    command_file const tablemap, other;
    auto const rows = generated_rows();
    ASSERT_EQ(tablemap({"import", "Packages", tablemap.file("a.csv", csv_of(rows)), "--create-table"}).code, 0);
    auto const file = tablemap.folder.file("a.jsonl");
    random_source random;
    std::optional<int> status;
    for (int kills = 0; !status && kills < 20; ++kills)
        status = run_for({"export", "Packages", "--output", file, "--resume", "--overwrite", "--store", tablemap.store},
                         life_of(kills, random));
    ASSERT_EQ(status, command::done);
    ASSERT_EQ(other({"import", "Packages", file, "--create-table"}).code, command::done);
    auto const compared = run_command({"copy", "--from", tablemap.store, "--to", other.store, "Packages"});
    EXPECT_EQ(compared.code, command::done) << compared.error;
    EXPECT_EQ(other.rows("Packages").scan().count(), rows.size());
}

}  // namespace
}  // namespace tablemap::test
