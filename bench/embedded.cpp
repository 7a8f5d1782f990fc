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

/// A file for each struct.
template <class T> std::string file_name(std::string name) { return name.append(sample<T>::suffix) + ".db"; }

/// A store and a bare database with an empty table each, and the next entity to insert into them.
template <class T> struct writers {
    explicit writers(std::string const& name, durability d)
        : store(open_store(file_name<T>(name), d)),
          rows(store, std::string{table_name}),
          bare(folder().file(file_name<T>(name + "-bare").c_str()),
               d == durability::full ? bare_sqlite::durability::full : bare_sqlite::durability::normal) {
        rows.create();
    }

    T next() {
        id = (id + 1) % rows_of_a_partition;
        sample<T>::renumber(value, id);
        if (id == 0) sample<T>::move(value, sample<T>::partition() + std::to_string(++full_partitions));
        return value;
    }

    /// In the keys of both structs these ids have six digits.
    static constexpr std::int32_t rows_of_a_partition = 900'000;

    store_ptr store;
    table<T> rows;
    bare_sqlite bare;
    std::int32_t id = 0;
    T value = sample<T>::make(id);
    int full_partitions = 0;
    std::int64_t stamp = 0;
};

template <class T> using get_writers = writers<T>&();

// Interleaved repetitions run each benchmark many times: what they work on is kept.
template <class T> writers<T>& durable_writers() {
    static writers<T> w{"full", durability::full};
    return w;
}
template <class T> writers<T>& fast_writers() {
    static writers<T> w{"normal", durability::normal};
    return w;
}

// ---- writing --------------------------------------------------------------------------------------------------------

template <class T> void insert(benchmark::State& state, get_writers<T>* get) {
    auto& w = get();
    count_syncs const counted{state};
    for (auto _ : state) benchmark::DoNotOptimize(w.rows.insert(w.next()));
    state.SetItemsProcessed(state.iterations());
}

template <class T> void insert_bare(benchmark::State& state, get_writers<T>* get) {
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

template <class T> void insert_group(benchmark::State& state, get_writers<T>* get) {
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

template <class T> void insert_transaction(benchmark::State& state, get_writers<T>* get) {
    auto& w = get();
    count_syncs const counted{state};
    auto t = w.rows.transaction();
    for (auto _ : state) {
        for (std::size_t i = 0; i < group_size; ++i) t.insert(w.next());
        if (auto const r = t.try_commit(); !r) state.SkipWithError(r.error().what());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(group_size));
}

template <class T> void insert_group_bare(benchmark::State& state, get_writers<T>* get) {
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
template <class T> struct readers {
    readers()
        : rows(store, std::string{table_name}),
          bare(folder().file(file_name<T>("read-bare").c_str()), bare_sqlite::durability::normal) {
        rows.create();
        detail::encoded_entity e;
        bare.begin();
        for (std::int32_t id = 0; id < stored_rows; ++id) {
            auto const value = sample<T>::make(id);
            rows.insert(value);
            std::ignore = detail::encode_keys(value, e.partition_key, e.row_key);
            bare.insert(e.partition_key, e.row_key, 0, answered(value));
        }
        bare.commit();
    }

    store_ptr store = open_store(file_name<T>("read"), durability::normal);
    table<T> rows;
    bare_sqlite bare;
};

template <class T> readers<T>& shared_readers() {
    static readers<T> r;
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

template <class T> void find(benchmark::State& state) {
    auto& rows = shared_readers<T>().rows;
    scattered_ids ids;
    for (auto _ : state) {
        auto e = rows.find(sample<T>::key(ids.next()));
        if (!e) state.SkipWithError("find failed");
        benchmark::DoNotOptimize(e);
    }
    state.SetItemsProcessed(state.iterations());
}

template <class T> void get_at_seam(benchmark::State& state) {
    auto& s = *shared_readers<T>().store;
    scattered_ids ids;
    T value = sample<T>::make(0);
    std::string partition_key, row_key;
    for (auto _ : state) {
        sample<T>::renumber(value, ids.next());
        std::ignore = detail::encode_keys(value, partition_key, row_key);
        auto answer = s.execute(get_entity{table_name, partition_key, row_key}, {});
        if (answer.failure) state.SkipWithError(answer.failure->what());
        benchmark::DoNotOptimize(answer);
    }
    state.SetItemsProcessed(state.iterations());
}

template <class T> void find_bare(benchmark::State& state, bool decoded) {
    auto& bare = shared_readers<T>().bare;
    scattered_ids ids;
    T value = sample<T>::make(0);
    std::string partition_key, row_key;
    for (auto _ : state) {
        std::string body;
        sample<T>::renumber(value, ids.next());
        std::ignore = detail::encode_keys(value, partition_key, row_key);
        entity<T> e;
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

template <class T> void query_page_at_seam(benchmark::State& state) {
    auto& s = *shared_readers<T>().store;
    auto const only = sample<T>::partition();
    for (auto _ : state) {
        auto answer = s.execute(query_page{.table = table_name, .partition = key_bounds::exactly(only)}, {});
        if (answer.failure || !answer.next) state.SkipWithError("query failed");
        benchmark::DoNotOptimize(answer);
    }
    set_page_rate(state);
}

template <class T> void query_entities(benchmark::State& state) {
    auto& rows = shared_readers<T>().rows;
    for (auto _ : state) {
        std::size_t count = 0;
        for (auto& e : rows.query(partition(sample<T>::partition()))) {
            benchmark::DoNotOptimize(&e);
            if (++count == page_size) break;
        }
        if (count != page_size) state.SkipWithError("query failed");
    }
    set_page_rate(state);
}

template <class T> void query_bare(benchmark::State& state, bool decoded) {
    auto& bare = shared_readers<T>().bare;
    auto const only = sample<T>::partition();
    for (auto _ : state) {
        std::string page = "{\"value\":[";
        std::vector<entity<T>> rows;
        if (decoded) rows.reserve(page_size);
        if (bare.read_page(only, page_size, page) != page_size) state.SkipWithError("query failed");
        page += "]}";
        if (decoded && (!decode_page_inline(page, rows) || rows.size() != page_size))
            state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(page);
        benchmark::DoNotOptimize(rows);
    }
    set_page_rate(state);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

template <class T> void add_all() {
    auto const add = [](std::string group, char const* name, auto... arguments) {
        benchmark::RegisterBenchmark(group.append(sample<T>::suffix).append(name).c_str(), arguments...)
            ->Unit(benchmark::kMicrosecond);
    };
    std::pair<std::string, get_writers<T>*> const durabilities[] = {{"full", durable_writers<T>},
                                                                    {"normal", fast_writers<T>}};
    for (auto const& [name, get] : durabilities) {
        add("embedded_insert_" + name, "/table", insert<T>, get);
        add("embedded_insert_" + name, "/baseline_sqlite", insert_bare<T>, get);
    }
    for (auto const& [name, get] : durabilities) {
        add("embedded_group_" + name, "/seam", insert_group<T>, get);
        add("embedded_group_" + name, "/table", insert_transaction<T>, get);
        add("embedded_group_" + name, "/baseline_sqlite", insert_group_bare<T>, get);
    }
    add("embedded_find", "/table", find<T>);
    add("embedded_find", "/seam", get_at_seam<T>);
    add("embedded_find", "/baseline_sqlite", find_bare<T>, true);
    add("embedded_find", "/baseline_sqlite_bytes", find_bare<T>, false);
    add("embedded_page", "/seam", query_page_at_seam<T>);
    add("embedded_page", "/table", query_entities<T>);
    add("embedded_page", "/baseline_sqlite", query_bare<T>, true);
    add("embedded_page", "/baseline_sqlite_bytes", query_bare<T>, false);
}

[[maybe_unused]] bool const registered = [] {
    add_all<employee>();
    add_all<contact>();
    return true;
}();

}  // namespace
