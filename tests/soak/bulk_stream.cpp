// SPDX-License-Identifier: Apache-2.0
//
// usage: bulk_stream [ROWS] [keep]
//
// Writes rows of many partitions, mixed up, into an embedded file with a small buffer, erases them by a query, and
// fails if the peak of resident memory grows by more than 10 MiB after the first tenth of either. With `keep` it keeps
// the rows, to show that this is noticed.

#include "soak/reading.hpp"
#include "support/temp_folder.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tmap = tablemap;

namespace {

constexpr std::size_t partitions = 400;

/// Notes the peak after the first tenth, and compares it in the end.
class watch {
public:
    explicit watch(std::size_t rows) : tenth_(rows / 10) {}

    void at(std::size_t done) {
        if (before_ == 0 && done >= tenth_) before_ = peak();
    }
    void end(char const* what) const {
        auto const grown = growth_since(before_);
        std::printf("%s: the peak grew by %zu KiB to %zu KiB\n", what, grown, peak());
        if (grown > growth_limit) throw std::runtime_error{"memory grew by " + std::to_string(grown) + " KiB"};
    }

private:
    std::size_t tenth_;
    std::size_t before_ = 0;
};

void run(std::size_t rows, bool keep) {
    tmap::test::temp_folder const folder;
    auto const store = tmap::open("embedded:" + folder.file("bulk.db") + ";synchronous=normal");
    tmap::table<reading> const readings{store, "Readings"};
    readings.create();

    std::vector<reading> kept;
    watch writing{rows};
    std::size_t given = 0;
    auto next = [&]() -> std::optional<reading> {
        if (given == rows) return std::nullopt;
        auto const n = given++;
        reading r{.station = "station-" + std::to_string(n * 7919 % partitions),
                  .number = static_cast<std::int32_t>(n),
                  .celsius = 20.5,
                  .note = "all well"};
        if (keep) kept.insert(kept.end(), 10, r);
        return r;
    };
    tmap::bulk_options options;
    options.buffered_rows = 4'000;
    options.progress = [&](tmap::bulk_progress const& p) { writing.at(p.stored); };
    readings.insert_many(next, options).require_complete();
    writing.end("written");

    watch erasing{rows};
    options.progress = [&](tmap::bulk_progress const& p) { erasing.at(p.stored); };
    auto const report = readings.erase_where(readings.scan(), options);
    report.require_complete();
    if (report.erased() != rows) throw std::runtime_error{"not every row was erased"};
    erasing.end("erased");
}

}  // namespace

int main(int argc, char** argv) try {
    run(argc > 1 ? std::stoul(argv[1]) : 1'000'000, argc > 2);
} catch (std::exception const& e) {
    std::fprintf(stderr, "bulk_stream: %s\n", e.what());
    return 1;
}
