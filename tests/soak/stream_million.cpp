// SPDX-License-Identifier: Apache-2.0
//
// usage: stream_million [ROWS] [keep]
//
// Stores rows in an embedded file, 1,000,000 unless it is told otherwise, reads them all by each kind of range, and
// fails if the peak of resident memory grows by more than 10 MiB after the first tenth of a range. A limit of its data
// segment, too small for a million rows, is set beforehand. With `keep` it keeps the rows, to show that this is
// noticed.

#include "soak/reading.hpp"
#include "support/temp_folder.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmap = tablemap;

namespace {

constexpr std::size_t group_rows = 100;
constexpr std::size_t memory_limit = 64 * 1024;  // KiB, beyond what is used when reading begins
constexpr std::array stations{"east", "north", "south", "west"};

void limit_memory() {
    rlimit const limit{(memory("VmData:") + memory_limit) * 1024, RLIM_INFINITY};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) throw std::runtime_error{"the memory limit cannot be set"};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- storing --------------------------------------------------------------------------------------------------------

void store_group(tmap::store& s, std::string_view station, std::size_t first, std::size_t count) {
    std::array<tmap::detail::encoded_entity, group_rows> rows;
    std::array<tmap::write_operation, group_rows> operations;
    for (std::size_t i = 0; i < count; ++i) {
        auto const n = static_cast<std::int32_t>(first + i);
        reading const r{.station = std::string{station}, .number = n, .celsius = n % 40 + 0.5, .note = "all well"};
        tmap::value_or_throw(tmap::detail::encode(r, rows[i]));
        operations[i] = {.kind = tmap::write_kind::insert,
                         .partition_key = rows[i].partition_key,
                         .row_key = rows[i].row_key,
                         .body = rows[i].body};
    }
    auto const answer = s.execute(tmap::transact{"Readings", std::span{operations}.first(count)}, {});
    if (answer.failure) throw *answer.failure;
}

void store_rows(std::string const& where, std::size_t rows) {
    auto const begin = std::chrono::steady_clock::now();
    auto const store = tmap::open(where);
    tmap::table<reading>{store, "Readings"}.create();
    auto const each = rows / stations.size();
    for (auto const* station : stations)
        for (std::size_t n = 0; n < each; n += group_rows)
            store_group(*store, station, n, std::min(group_rows, each - n));
    std::printf("stored %zu rows in %.1f s\n", rows, seconds_since(begin));
}

/// In a process of its own, so that its memory is not in the peak of this one.
void store_rows_elsewhere(std::string const& where, std::size_t rows) {
    auto const child = fork();
    if (child < 0) throw std::runtime_error{"no process can be started"};
    if (child == 0) {
        try {
            store_rows(where, rows);
            std::fflush(stdout);
            _exit(0);
        } catch (std::exception const& e) {
            std::fprintf(stderr, "storing: %s\n", e.what());
            _exit(1);
        }
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error{"the rows could not be stored"};
}

// ---- reading --------------------------------------------------------------------------------------------------------

struct expectation {
    std::size_t rows;
    bool keep;
};

/// Takes all of a range. False if it was not all, or took too much memory.
template <class Range> bool stream(char const* name, Range&& range, expectation expected) {
    auto const begin = std::chrono::steady_clock::now();
    std::size_t rows = 0;
    std::int64_t sum = 0;
    std::size_t peak_of_first_tenth = std::numeric_limits<std::size_t>::max();
    std::vector<tmap::entity<reading>> kept;
    for (auto& e : range) {
        sum += e.value.number;
        ++rows;
        if (rows == expected.rows / 10) peak_of_first_tenth = peak();
        if (rows == expected.rows / 10 || rows == expected.rows / 2 || rows == expected.rows)
            std::printf("%-16s %8zu rows %6.1f s %7zu KiB at most\n", name, rows, seconds_since(begin), peak());
        if (expected.keep) kept.push_back(std::move(e));
    }
    auto const each = static_cast<std::int64_t>(expected.rows / stations.size());
    if (rows != expected.rows || sum != std::int64_t{stations.size()} * (each * (each - 1) / 2)) {
        std::printf("%s: rows were lost or repeated\n", name);
        return false;
    }
    if (auto const grown = growth_since(peak_of_first_tenth); grown > growth_limit) {
        std::printf("%s: memory grew by %zu KiB after the first tenth\n", name, grown);
        return false;
    }
    return true;
}

bool stream_rows(std::string const& where, expectation expected) {
    tmap::table<reading> const readings{tmap::open(where), "Readings"};
    std::vector<tmap::partition_values<std::string>> partitions;
    for (std::string const station : stations) partitions.push_back(tmap::partition(station));

    limit_memory();
    return stream("scan", readings.scan(), expected) && stream("read ahead", readings.scan().read_ahead(), expected) &&
           stream("four partitions", readings.query(partitions), expected);
}

}  // namespace

int main(int argc, char** argv) try {
    auto const rows = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
    if (rows == 0 || rows % 20 != 0) throw std::runtime_error{"the number of rows must be a multiple of 20"};
    bool const keep = argc > 2 && argv[2] == std::string_view{"keep"};
    tmap::test::temp_folder const folder;
    auto const where = "embedded:" + folder.file("stream.db") + ";synchronous=normal";
    store_rows_elsewhere(where, rows);
    return stream_rows(where, {rows, keep}) ? 0 : 1;
} catch (std::exception const& e) {
    std::fprintf(stderr, "stream_million: %s\n", e.what());
    return 1;
}
