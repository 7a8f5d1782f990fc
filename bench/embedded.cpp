// SPDX-License-Identifier: Apache-2.0
#include "bare_sqlite.hpp"
#include "counted_syncs.hpp"
#include "decode_by_hand.hpp"
#include "sample.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"

#include <benchmark/benchmark.h>

#include <array>

// The embedded store against bare prepared statements on the best schema, both on files of the same disk. A baseline
// does what the store does for its user: it encodes each entity, stores a stamp, and decodes what it reads, by the
// decoders of decode_by_hand.hpp. It leaves out the clock of the file, the checks of names and sizes, and errors with
// their places. `baseline_sqlite_bytes` hands over the stored bytes alone, as the seam does. Times are CPU times: the
// disk's own, which both wait for, is in the column "real" of Google Benchmark's output, and the number of waits for
// it in the counter "syncs".
namespace {

using namespace bench;
using namespace tablemap;

constexpr std::string_view table_name = "employees";
constexpr std::int32_t stored_rows = 10'000;

test::temp_folder& folder() {
    static test::temp_folder f;
    return f;
}

store_ptr open_store(std::string const& file, durability d) {
    return value_or_throw(open_embedded({.path = folder().file(file.c_str()), .synchronous = d}));
}

/// A store and a bare database with an empty table each, and the next entity to insert into them.
struct writers {
    explicit writers(std::string const& name, durability d)
        : store(open_store(name + ".db", d)),
          employees(store, std::string{table_name}),
          bare(folder().file((name + "-bare.db").c_str()),
               d == durability::full ? bare_sqlite::durability::full : bare_sqlite::durability::normal) {
        employees.create();
    }

    employee next() {
        sample.id = (sample.id + 1) % 1'000'000;
        if (sample.id == 0) sample.department = std::string{department} + std::to_string(++full_departments);
        return sample;
    }

    store_ptr store;
    table<employee> employees;
    bare_sqlite bare;
    employee sample = make_employee(0);
    int full_departments = 0;
    std::int64_t stamp = 0;
};

// Interleaved repetitions run each benchmark many times: what they work on is kept.
writers& durable_writers() {
    static writers w{"full", durability::full};
    return w;
}
writers& fast_writers() {
    static writers w{"normal", durability::normal};
    return w;
}

// ---- writing --------------------------------------------------------------------------------------------------------

void insert(benchmark::State& state, writers& (*get)()) {
    auto& w = get();
    count_syncs const counted{state};
    for (auto _ : state) benchmark::DoNotOptimize(w.employees.insert(w.next()));
    state.SetItemsProcessed(state.iterations());
}

void insert_bare(benchmark::State& state, writers& (*get)()) {
    auto& w = get();
    count_syncs const counted{state};
    detail::encoded_entity e;
    for (auto _ : state) {
        std::ignore = detail::encode(w.next(), e);
        w.bare.begin();
        w.bare.insert(e.partition_key, e.row_key, ++w.stamp, e.body);
        w.bare.commit();
    }
    state.SetItemsProcessed(state.iterations());
}

constexpr std::size_t group_size = 100;

void insert_group(benchmark::State& state, writers& (*get)()) {
    auto& w = get();
    std::array<detail::encoded_entity, group_size> entities;
    std::array<write_operation, group_size> operations;
    for (auto _ : state) {
        for (std::size_t i = 0; i < group_size; ++i) {
            std::ignore = detail::encode(w.next(), entities[i]);
            operations[i] = {.kind = write_kind::insert,
                             .partition_key = entities[i].partition_key,
                             .row_key = entities[i].row_key,
                             .body = entities[i].body};
        }
        auto const answer = w.store->execute(transact{table_name, operations}, {});
        if (answer.failure) state.SkipWithError(answer.failure->what());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(group_size));
}

void insert_transaction(benchmark::State& state, writers& (*get)()) {
    auto& w = get();
    count_syncs const counted{state};
    auto t = w.employees.transaction();
    for (auto _ : state) {
        for (std::size_t i = 0; i < group_size; ++i) t.insert(w.next());
        if (auto const r = t.try_commit(); !r) state.SkipWithError(r.error().what());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(group_size));
}

void insert_group_bare(benchmark::State& state, writers& (*get)()) {
    auto& w = get();
    count_syncs const counted{state};
    detail::encoded_entity e;
    for (auto _ : state) {
        w.bare.begin();
        for (std::size_t i = 0; i < group_size; ++i) {
            std::ignore = detail::encode(w.next(), e);
            w.bare.insert(e.partition_key, e.row_key, ++w.stamp, e.body);
        }
        w.bare.commit();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(group_size));
}

// ---- reading --------------------------------------------------------------------------------------------------------

/// Both with the same rows. The bare database keeps them as they are answered, with etag and timestamp.
struct readers {
    readers()
        : employees(store, std::string{table_name}),
          bare(folder().file("read-bare.db"), bare_sqlite::durability::normal) {
        employees.create();
        detail::encoded_entity e;
        bare.begin();
        for (std::int32_t id = 0; id < stored_rows; ++id) {
            auto const sample = make_employee(id);
            employees.insert(sample);
            std::ignore = detail::encode_keys(sample, e.partition_key, e.row_key);
            bare.insert(e.partition_key, e.row_key, 0, answered(sample));
        }
        bare.commit();
    }

    store_ptr store = open_store("read.db", durability::normal);
    table<employee> employees;
    bare_sqlite bare;
};

readers& shared_readers() {
    static readers r;
    return r;
}

/// Ids all over the table, the same for every case.
class scattered_ids {
public:
    std::int32_t next() {
        at_ = (at_ + 6'151) % stored_rows;  // a prime that shares no factor with the number of rows
        return at_;
    }

private:
    std::int32_t at_ = 0;
};

void find(benchmark::State& state) {
    auto& employees = shared_readers().employees;
    scattered_ids ids;
    for (auto _ : state) {
        auto e = employees.find(std::string{department}, ids.next());
        if (!e) state.SkipWithError("find failed");
        benchmark::DoNotOptimize(e);
    }
    state.SetItemsProcessed(state.iterations());
}

void get_at_seam(benchmark::State& state) {
    auto& s = *shared_readers().store;
    scattered_ids ids;
    employee sample = make_employee(0);
    std::string partition_key, row_key;
    for (auto _ : state) {
        sample.id = ids.next();
        std::ignore = detail::encode_keys(sample, partition_key, row_key);
        auto answer = s.execute(get_entity{table_name, partition_key, row_key}, {});
        if (answer.failure) state.SkipWithError(answer.failure->what());
        benchmark::DoNotOptimize(answer);
    }
    state.SetItemsProcessed(state.iterations());
}

void find_bare(benchmark::State& state, bool decoded) {
    auto& bare = shared_readers().bare;
    scattered_ids ids;
    employee sample = make_employee(0);
    std::string partition_key, row_key;
    for (auto _ : state) {
        std::string body;
        sample.id = ids.next();
        std::ignore = detail::encode_keys(sample, partition_key, row_key);
        stored_employee e;
        if (!bare.read(partition_key, row_key, body)) state.SkipWithError("find failed");
        if (decoded && !decode_entity_inline(body, e)) state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(body);
        benchmark::DoNotOptimize(&e);
    }
    state.SetItemsProcessed(state.iterations());
}

void set_page_rate(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(page_size));
}

void query_page_at_seam(benchmark::State& state) {
    auto& s = *shared_readers().store;
    for (auto _ : state) {
        auto answer = s.execute(query_page{.table = table_name, .partition = key_bounds::exactly(department)}, {});
        if (answer.failure || !answer.next) state.SkipWithError("query failed");
        benchmark::DoNotOptimize(answer);
    }
    set_page_rate(state);
}

void query_entities(benchmark::State& state) {
    auto& employees = shared_readers().employees;
    for (auto _ : state) {
        std::size_t count = 0;
        for (auto& e : employees.query(partition(std::string{department}))) {
            benchmark::DoNotOptimize(&e);
            if (++count == page_size) break;
        }
        if (count != page_size) state.SkipWithError("query failed");
    }
    set_page_rate(state);
}

void query_bare(benchmark::State& state, bool decoded) {
    auto& bare = shared_readers().bare;
    for (auto _ : state) {
        std::string page = "{\"value\":[";
        std::vector<stored_employee> rows;
        if (bare.read_page(department, page) != page_size) state.SkipWithError("query failed");
        page += "]}";
        if (decoded && (!decode_page_inline(page, rows) || rows.size() != page_size))
            state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(page);
        benchmark::DoNotOptimize(rows);
    }
    set_page_rate(state);
}

BENCHMARK_CAPTURE(insert, full, durable_writers)->Name("embedded_insert_full/table")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_bare, full, durable_writers)
    ->Name("embedded_insert_full/baseline_sqlite")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert, normal, fast_writers)->Name("embedded_insert_normal/table")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_bare, normal, fast_writers)
    ->Name("embedded_insert_normal/baseline_sqlite")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_group, full, durable_writers)->Name("embedded_group_full/seam")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_transaction, full, durable_writers)
    ->Name("embedded_group_full/table")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_group_bare, full, durable_writers)
    ->Name("embedded_group_full/baseline_sqlite")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_group, normal, fast_writers)
    ->Name("embedded_group_normal/seam")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_transaction, normal, fast_writers)
    ->Name("embedded_group_normal/table")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert_group_bare, normal, fast_writers)
    ->Name("embedded_group_normal/baseline_sqlite")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(find)->Name("embedded_find/table")->Unit(benchmark::kMicrosecond);
BENCHMARK(get_at_seam)->Name("embedded_find/seam")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(find_bare, decoded, true)->Name("embedded_find/baseline_sqlite")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(find_bare, bytes, false)->Name("embedded_find/baseline_sqlite_bytes")->Unit(benchmark::kMicrosecond);
BENCHMARK(query_page_at_seam)->Name("embedded_page/seam")->Unit(benchmark::kMicrosecond);
BENCHMARK(query_entities)->Name("embedded_page/table")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(query_bare, decoded, true)->Name("embedded_page/baseline_sqlite")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(query_bare, bytes, false)->Name("embedded_page/baseline_sqlite_bytes")->Unit(benchmark::kMicrosecond);

}  // namespace
