// SPDX-License-Identifier: Apache-2.0
//
// usage: growth [ROWS]
//
// Prints how costs of the embedded store grow: with the rows of a file, 10,000 to ROWS (1,000,000), with the partitions
// that they are in, the rows of a page, and the properties of an entity. Lines are CURVE, TAB, X, TAB, Y; a curve's
// name ends with its unit. Times are CPU times of this process, which other work on the machine disturbs little.

#include "sample.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <string>

namespace {

using namespace tablemap;
using bench::employee;

constexpr std::int64_t rows_of_a_partition = 10'000;
constexpr std::size_t group_rows = 100;
constexpr std::int64_t rows_spread = 100'000;

double cpu_microseconds() {
    rusage u{};
    getrusage(RUSAGE_SELF, &u);
    auto const of = [](timeval const& t) {
        return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
    };
    return of(u.ru_utime) + of(u.ru_stime);
}

constexpr int rounds = 5;

/// The mean CPU time of so many calls, as the median of the rounds.
template <class F> double measured(int calls, F const& f) {
    std::array<double, rounds> took{};
    for (auto& t : took) {
        auto const begin = cpu_microseconds();
        for (int i = 0; i < calls; ++i) f();
        t = (cpu_microseconds() - begin) / calls;
    }
    std::ranges::nth_element(took, took.begin() + rounds / 2);
    return took[rounds / 2];
}

void print(char const* curve, std::int64_t x, double y) {
    std::printf("%s\t%lld\t%.6g\n", curve, static_cast<long long>(x), y);
    std::fflush(stdout);
}

// ---- peak of resident memory ----------------------------------------------------------------------------------------

void forget_peak() {
    if (std::ofstream file{"/proc/self/clear_refs"}; !(file << "5" << std::flush))
        throw std::runtime_error{"/proc/self/clear_refs cannot be written"};
}

double peak_mebibytes() {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
    throw std::runtime_error{"/proc/self/status has no line VmHWM"};
}

// ---- rows of a file -------------------------------------------------------------------------------------------------

/// Rows numbered from 0 on, in partitions of the same size.
class staff {
public:
    staff(store_ptr const& store, std::string table_name, std::int64_t in_a_partition)
        : employees_(store, std::move(table_name)), in_a_partition_(in_a_partition) {
        employees_.create();
    }

    void grow_to(std::int64_t rows) {
        auto t = employees_.transaction();
        for (auto next = row(rows_); rows_ < rows; next = row(rows_)) {
            t.insert(next);
            ++rows_;
            if (rows_ % in_a_partition_ == 0 || t.size() == group_rows || rows_ == rows) t.commit();
        }
    }

    double find_microseconds() {
        std::uniform_int_distribution<std::int64_t> any{0, rows_ - 1};
        constexpr int calls = 20'000;
        return measured(calls, [&] {
            auto const n = any(random_);
            bench::require(employees_.find(partition_of(n), number_of(n)).has_value(), "a row is missing");
        });
    }

    double page_microseconds(std::int64_t of_rows) {
        auto const calls = static_cast<int>(std::max<std::int64_t>(20, 20'000 / of_rows));
        auto const count = static_cast<std::size_t>(of_rows);
        return measured(calls, [&] {
            std::size_t read = 0;
            for ([[maybe_unused]] auto const& e : employees_.query(partition(partition_of(0))).top(count)) ++read;
            bench::require(read == count, "a page has too few rows");
        });
    }

    /// Microseconds for each row of a query over all.
    double stream_microseconds() {
        auto const all = measured(1, [&] {
            std::int64_t read = 0;
            for ([[maybe_unused]] auto const& e : employees_.scan()) ++read;
            bench::require(read == rows_, "a query over all rows has lost some");
        });
        return all / static_cast<double>(rows_);
    }

private:
    std::string partition_of(std::int64_t n) const { return "P" + std::to_string(n / in_a_partition_); }
    std::int32_t number_of(std::int64_t n) const { return static_cast<std::int32_t>(n % in_a_partition_); }
    employee row(std::int64_t n) const {
        auto e = bench::make_employee(number_of(n));
        e.department = partition_of(n);
        return e;
    }

    table<employee> employees_;
    std::int64_t in_a_partition_;
    std::int64_t rows_ = 0;
    std::mt19937_64 random_{1};
};

void grow_rows(store_ptr const& store, std::int64_t most) {
    staff all{store, "Rows", rows_of_a_partition};
    for (std::int64_t rows = 10'000; rows <= most; rows *= 10) {
        all.grow_to(rows);
        print("point read by rows of the file, us", rows, all.find_microseconds());
        forget_peak();
        print("stream by rows of the file, us a row", rows, all.stream_microseconds());
        print("peak memory of a stream, MiB", rows, peak_mebibytes());
    }
}

void grow_partitions(store_ptr const& store) {
    for (std::int64_t partitions = 1; partitions <= rows_spread; partitions *= 10) {
        staff all{store, "Partitions" + std::to_string(partitions), rows_spread / partitions};
        all.grow_to(rows_spread);
        print("point read by partitions of 100,000 rows, us", partitions, all.find_microseconds());
    }
}

void grow_pages(store_ptr const& store) {
    staff all{store, "Pages", rows_of_a_partition};
    all.grow_to(rows_of_a_partition);
    for (std::int64_t rows = 1; rows <= 1000; rows *= 10)
        print("page by its rows, us", rows, all.page_microseconds(rows));
}

// ---- properties of an entity ----------------------------------------------------------------------------------------

dynamic_entity wide_row(int number, int properties) {
    dynamic_entity e{"P", std::to_string(number)};
    for (int i = 0; i < properties; ++i) e.set("Property" + std::to_string(i), "text of property " + std::to_string(i));
    return e;
}

void grow_properties(store_ptr const& store) {
    constexpr int calls = 500;
    table<dynamic_entity> const rows{store, "Properties"};
    rows.create();
    int number = 0;
    for (int const properties : {1, 10, 50, 100, 252}) {
        auto const first = number;
        auto row = wide_row(0, properties);
        print("insert by properties, us", properties, measured(calls, [&] {
                  row.row_key = std::to_string(number++);
                  rows.insert(row);
              }));
        number = first;
        print("point read by properties, us", properties, measured(calls, [&] {
                  bench::require(rows.find("P", std::to_string(number++)).has_value(), "a row is missing");
              }));
    }
}

}  // namespace

int main(int count, char** arguments) {
    try {
        test::temp_folder const folder;
        auto const store =
            value_or_throw(open_embedded({.path = folder.file("growth.db"), .synchronous = durability::normal}));
        grow_rows(store, count > 1 ? std::stoll(arguments[1]) : 1'000'000);
        grow_partitions(store);
        grow_pages(store);
        grow_properties(store);
        return EXIT_SUCCESS;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "growth: %s\n", e.what());
        return EXIT_FAILURE;
    }
}
