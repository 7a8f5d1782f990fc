// SPDX-License-Identifier: Apache-2.0
#include "bare_sqlite.hpp"
#include "loopback_server.hpp"
#include "sample.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/rest/store.hpp"
#include "tablemap/table/bulk_writer.hpp"
#include "rest/request_builder.hpp"

#include <benchmark/benchmark.h>

#include <array>

// Bulk writes: rows per second of CPU time of this process, on files beside bare SQLite that is given the same bodies,
// and over HTTP against a server that answers at once. Each row is one of a partition of a whole group.
namespace {

using namespace bench;
using namespace tablemap;

constexpr std::string_view table_name = "employees";
constexpr std::size_t group_size = loopback_server::group_size;
constexpr std::size_t rows_at_once = 20 * group_size;

/// New rows, a partition for each group.
class new_rows {
public:
    employee const& next() {
        auto const number = given_++ % group_size;
        if (number == 0) sample_.department = std::string{department} + std::to_string(given_ / group_size);
        sample_.id = static_cast<std::int32_t>(number);
        return sample_;
    }

private:
    employee sample_ = make_employee(0);
    std::size_t given_ = 0;
};

// ---- encoding -------------------------------------------------------------------------------------------------------

/// From values to the bytes of a group's request.
void encode_group(benchmark::State& state) {
    auto const account = storage_account{.name = "account",
                                         .credential = shared_key_credential{account_key{bytes(64, std::byte{7})}},
                                         .endpoint = {{"https", "account.table.core.windows.net", "443"}, ""}};
    new_rows rows;
    std::array<detail::encoded_entity, group_size> entities;
    std::array<write_operation, group_size> operations;
    std::size_t bytes = 0;
    for (auto _ : state) {
        for (std::size_t i = 0; i < group_size; ++i) {
            auto& e = entities[i];
            std::ignore = detail::encode(rows.next(), e);
            operations[i] = {
                .kind = write_kind::insert, .partition_key = e.partition_key, .row_key = e.row_key, .body = e.body};
        }
        auto const message = detail::build_request(transact{table_name, operations}, {account.endpoint, "id", {}});
        if (!message) state.SkipWithError(message.error().what());
        bytes += message->body.size();
        benchmark::DoNotOptimize(message);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(group_size));
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

// ---- files ----------------------------------------------------------------------------------------------------------

test::temp_folder& folder() {
    static test::temp_folder f;
    return f;
}

store_ptr on_disk() {
    return value_or_throw(open_embedded({.path = folder().file("bulk.db"), .synchronous = durability::full}));
}
store_ptr in_memory() { return value_or_throw(open_embedded({.path = ":memory:"})); }

/// Rows through one writer.
void write_rows(benchmark::State& state, table<employee> const& employees, bulk_options const& options) {
    new_rows rows;
    std::size_t stored = 0;
    for (auto _ : state) {
        bulk_writer writer{employees, options};
        for (std::size_t i = 0; i < rows_at_once; ++i) {
            auto const& e = rows.next();
            writer.upsert_replace(e);
        }
        auto const report = writer.finish();
        if (!report.complete()) return state.SkipWithError("not all rows were stored");
        stored += report.totals.stored;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(stored));
}

void bulk_on_disk(benchmark::State& state) {
    static table<employee> const employees{on_disk(), std::string{table_name}};
    employees.create_if_not_exists();
    write_rows(state, employees, {});
}

void bulk_in_memory(benchmark::State& state) {
    static table<employee> const employees{in_memory(), std::string{table_name}};
    employees.create_if_not_exists();
    write_rows(state, employees, {});
}

/// The bodies are as the store was given them, made outside of the measured time.
void bare(benchmark::State& state, bare_sqlite& db) {
    detail::encoded_entity e;
    static employee sample = make_employee(0);
    std::ignore = detail::encode(sample, e);
    auto const body = e.body;
    static int partition = 0;
    for (auto _ : state) {
        for (std::size_t i = 0; i < rows_at_once; ++i) {
            if (i % group_size == 0) {
                sample.department = std::string{department} + std::to_string(++partition);
                db.begin();
            }
            sample.id = static_cast<std::int32_t>(i % group_size);
            std::ignore = detail::encode_keys(sample, e.partition_key, e.row_key);
            db.insert(e.partition_key, e.row_key, 0, body);
            if (i % group_size == group_size - 1) db.commit();
        }
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows_at_once));
}

void bare_on_disk(benchmark::State& state) {
    static bare_sqlite db{folder().file("bare.db"), bare_sqlite::durability::full};
    bare(state, db);
}

// ---- HTTP -----------------------------------------------------------------------------------------------------------

void bulk_over_http(benchmark::State& state, std::size_t parallel) {
    static std::map<std::size_t, store_ptr> stores;
    auto& store = stores[parallel];
    auto& server = loopback_server::instance();
    if (!store)
        store = value_or_throw(open_rest(
            {.account = server.account(), .transport = make_transport(server.origin(), {.connections = parallel})}));
    table<employee> const employees{store, std::string{table_name}};
    write_rows(state, employees, {.parallel = parallel, .rate = std::make_shared<rate_limiter>(rate_limits{})});
}

BENCHMARK(encode_group)->Name("bulk_encode/group_of_100")->Unit(benchmark::kMicrosecond);
BENCHMARK(bulk_on_disk)->Name("bulk_full/writer")->Unit(benchmark::kMillisecond);
BENCHMARK(bare_on_disk)->Name("bulk_full/baseline_sqlite")->Unit(benchmark::kMillisecond);
BENCHMARK(bulk_in_memory)->Name("bulk_memory/writer")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bulk_over_http, c1, 1)
    ->Name("bulk_http_c1/writer")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bulk_over_http, c8, 8)
    ->Name("bulk_http_c8/writer")
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
