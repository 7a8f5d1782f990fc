// SPDX-License-Identifier: Apache-2.0
#include "load.hpp"
#include "sample.hpp"

#include "support/temp_folder.hpp"

#include "tablemap/async.hpp"
#include "tablemap/embedded/store.hpp"

#include <benchmark/benchmark.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <memory>
#include <semaphore>
#include <string>
#include <utility>

// The cost of not blocking: the asynchronous operations against the blocking ones on the same store. Times are the
// CPU time of this process, all threads.
namespace {

using namespace bench;
using namespace tablemap;
namespace asio = boost::asio;

constexpr std::string_view table_name = "employees";
constexpr std::int32_t sample_id = 212;

using found_employee = std::optional<stored_employee>;

/// Answers the same entity at once.
class instant_store final : public store {
public:
    tablemap::capabilities const& capabilities() const noexcept override { return can_; }

    response execute(request const&, call_options const&) override {
        response answer;
        answer.body = body_;
        return answer;
    }

private:
    tablemap::capabilities const can_{.name = "instant"};
    std::string const body_ = answered(make_employee(sample_id));
};

store_ptr instant() {
    static auto const s = std::make_shared<instant_store>();
    return s;
}

store_ptr filled(std::string path) {
    auto const opened = value_or_throw(open_embedded({.path = std::move(path)}));
    table<employee> employees{opened, std::string{table_name}};
    employees.create();
    for (std::int32_t id = 0; id < 1000; ++id) employees.insert(make_employee(id));
    return opened;
}

store_ptr in_memory() {
    static auto const s = filled(":memory:");
    return s;
}

store_ptr in_file() {
    static test::temp_folder const folder;
    static auto const s = filled(folder.file("async.db"));
    return s;
}

void block(benchmark::State& state, store_ptr (*get)()) {
    table<employee> employees{get(), std::string{table_name}};
    for (auto _ : state) {
        auto found = employees.find(department, sample_id);
        if (!found) state.SkipWithError("find failed");
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations());
}

/// The handler runs on the executor of this thread.
void call_back(benchmark::State& state, store_ptr (*get)()) {
    async_table<employee> employees{get(), std::string{table_name}};
    asio::io_context io{1};
    for (auto _ : state) {
        bool good = false;
        employees.find({department, sample_id},
                       asio::bind_executor(
                           io, [&good](std::exception_ptr e, found_employee const& found) { good = !e && found; }));
        io.run();
        io.restart();
        if (!good) state.SkipWithError("find failed");
    }
    state.SetItemsProcessed(state.iterations());
}

/// The handler runs where the store answers.
void call_back_anywhere(benchmark::State& state, store_ptr (*get)()) {
    async_table<employee> employees{get(), std::string{table_name}};
    std::binary_semaphore ended{0};
    for (auto _ : state) {
        bool good = false;
        employees.find({department, sample_id}, [&](std::exception_ptr e, found_employee const& found) {
            good = !e && found;
            ended.release();
        });
        ended.acquire();
        if (!good) state.SkipWithError("find failed");
    }
    state.SetItemsProcessed(state.iterations());
}

void get_future(benchmark::State& state, store_ptr (*get)()) {
    async_table<employee> employees{get(), std::string{table_name}};
    for (auto _ : state) {
        auto found = employees.find({department, sample_id}, asio::use_future).get();
        if (!found) state.SkipWithError("find failed");
        benchmark::DoNotOptimize(found);
    }
    state.SetItemsProcessed(state.iterations());
}

/// Eight at a time: each begins the next where the store answers, or on the thread of an io_context.
void eight_outstanding(benchmark::State& state, store_ptr (*get)()) {
    async_table<employee> employees{get(), std::string{table_name}};
    measure(state, 8, [&](auto& l) {
        employees.find({department, sample_id},
                       [&l](std::exception_ptr e, found_employee const& found) { l.one_ended(!e && found); });
    });
}

void eight_outstanding_io_context(benchmark::State& state, store_ptr (*get)()) {
    async_table<employee> employees{get(), std::string{table_name}};
    handler_thread handlers;
    measure(state, 8, [&](auto& l) {
        employees.find(
            {department, sample_id},
            asio::bind_executor(handlers.executor(),
                                [&l](std::exception_ptr e, found_employee const& found) { l.one_ended(!e && found); }));
    });
}

/// Blocking reads on as many threads of Asio as the store has, whose results go to the thread of an io_context.
void eight_by_hand(benchmark::State& state, store_ptr (*get)()) {
    table<employee> employees{get(), std::string{table_name}};
    handler_thread handlers;
    asio::thread_pool threads{2};
    measure(state, 8, [&](auto& l) {
        asio::post(threads, [&] {
            asio::post(handlers.executor(),
                       [&l, found = employees.find(department, sample_id)] { l.one_ended(found.has_value()); });
        });
    });
}

void add(std::string const& name, void (*run)(benchmark::State&, store_ptr (*)()), store_ptr (*get)()) {
    benchmark::RegisterBenchmark(name.c_str(), run, get)->MeasureProcessCPUTime()->Unit(benchmark::kMicrosecond);
}

void add_all(std::string const& group, store_ptr (*get)()) {
    add(group + "/callback", call_back_anywhere, get);
    add(group + "/callback_io_context", call_back, get);
    add(group + "/callback_8_outstanding", eight_outstanding, get);
    add(group + "/callback_io_context_8_outstanding", eight_outstanding_io_context, get);
    add(group + "/future", get_future, get);
    add(group + "/baseline_blocking", block, get);
    add(group + "/baseline_thread_pool_8_outstanding", eight_by_hand, get);
}

[[maybe_unused]] bool const registered = [] {
    add_all("async_embedded", in_memory);
    add_all("async_file", in_file);
    add("driver_async/callback", call_back, instant);
    add("driver_async/baseline_blocking", block, instant);
    return true;
}();

}  // namespace
