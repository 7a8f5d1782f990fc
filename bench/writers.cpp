// SPDX-License-Identifier: Apache-2.0
#include "counted_syncs.hpp"
#include "sample.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

// Durable writes of several threads, which share commits, against those of one. Times are elapsed times, since all of
// them wait for the disk; the counter "syncs" is the number of waits for the disk per row.
namespace {

using namespace bench;
using namespace tablemap;

// So many that starting the threads is a small part.
constexpr int rows_at_once = 1600;

table<employee> const& durable_table() {
    static test::temp_folder folder;
    static table<employee> const employees = [] {
        table<employee> t{value_or_throw(open_embedded({.path = folder.file("writers.db")})), "employees"};
        t.create();
        return t;
    }();
    return employees;
}

/// So many new rows.
void insert_rows(int count) {
    static std::atomic<int> partitions = 0;
    auto sample = make_employee(0);
    sample.department = std::string{department} + std::to_string(++partitions);
    for (sample.id = 0; sample.id < count; ++sample.id) durable_table().insert(sample);
}

void insert_rows_by(int writers) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < writers; ++i) threads.emplace_back([=] { insert_rows(rows_at_once / writers); });
}

void write(benchmark::State& state, int writers) {
    durable_table();
    auto const before = syncs();
    for (auto _ : state) {
        auto const began = std::chrono::steady_clock::now();
        insert_rows_by(writers);
        state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    auto const rows = state.iterations() * rows_at_once;
    state.SetItemsProcessed(rows);
    state.counters["syncs"] = static_cast<double>(syncs() - before) / static_cast<double>(rows);
}

void add(char const* name, int writers) {
    benchmark::RegisterBenchmark(name, write, writers)->UseManualTime()->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] bool const registered = [] {
    add("durable_writers/sixteen", 16);
    add("durable_writers/four", 4);
    add("durable_writers/two", 2);
    add("durable_writers/baseline_one", 1);
    return true;
}();

}  // namespace
