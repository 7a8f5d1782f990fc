// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include "tablemap/async.hpp"
#include "tablemap/open.hpp"

#include <benchmark/benchmark.h>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <memory>
#include <semaphore>

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

store_ptr embedded() {
    static store_ptr const s = [] {
        auto opened = tablemap::open("embedded::memory:");
        table<employee> employees{opened, std::string{table_name}};
        employees.create();
        for (std::int32_t id = 0; id < 1000; ++id) employees.insert(make_employee(id));
        return opened;
    }();
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

void add(char const* name, void (*run)(benchmark::State&, store_ptr (*)()), store_ptr (*get)()) {
    benchmark::RegisterBenchmark(name, run, get)->MeasureProcessCPUTime()->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] bool const registered = [] {
    add("async_embedded/callback", call_back_anywhere, embedded);
    add("async_embedded/callback_io_context", call_back, embedded);
    add("async_embedded/future", get_future, embedded);
    add("async_embedded/baseline_blocking", block, embedded);
    add("driver_async/callback", call_back, instant);
    add("driver_async/baseline_blocking", block, instant);
    return true;
}();

}  // namespace
