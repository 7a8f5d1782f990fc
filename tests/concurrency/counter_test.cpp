// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"

#include "support/random.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <random>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class shared_counter : public every_store {
protected:
    /// A fifth of them on the emulator, which needs a minute for all.
    static int times_here(int times) { return GetParam().name == "azurite" ? times / 5 : times; }
};
INSTANTIATE_TEST_SUITE_P(, shared_counter, store_kinds, [](auto const& i) { return i.param.name; });

TEST_P(shared_counter, modified_many_times_by_each_of_16_threads_is_exact) {
    constexpr int threads = 16;
    int const times = times_here(500);
    counters().insert({.name = "hits"});
    tally all;
    auto const began = std::chrono::steady_clock::now();
    in_threads(threads, [&](int) {
        auto const t = counters();
        for (int i = 0; i < times; ++i) {
            auto const r = t.try_modify({"hits"}, [&](counter& c) { ++c.count, ++all.tries; });
            r ? static_cast<void>(++all.successes) : all.add_failure(r.error());
        }
    });
    all.print("16 threads", began);
    expect_hits(all, threads * times);
}

TEST_P(shared_counter, that_no_one_made_counts_from_nothing) {
    constexpr int threads = 8, times = 20;
    tally all;
    auto const began = std::chrono::steady_clock::now();
    in_threads(threads, [&](int) {
        for (int i = 0; i < times; ++i) {
            auto const name = "hits" + std::to_string(i);
            auto const r = counters().try_modify_or_insert({.name = name}, [&](counter& c) { ++c.count, ++all.tries; });
            r ? static_cast<void>(++all.successes) : ADD_FAILURE() << r.error().what();
        }
    });
    all.print("8 threads from nothing", began);
    for (int i = 0; i < times; ++i) EXPECT_EQ(counters().find("hits" + std::to_string(i))->value.count, threads);
}

/// Modifies the counter again and again, one operation after the other, without a thread of its own.
class async_writer {
public:
    async_writer(asio::io_context& io, async_table<counter> const& t, int times, tally& all)
        : io_(io), table_(t), left_(times), all_(all) {}

    void next() {
        if (left_-- == 0) return;
        // On a busy machine one of 64 may lose more races than the default allows, and that is no fault.
        modify_options const patient{.attempts = 1000};
        table_.modify(
            {"hits"}, [this](counter& c) { ++c.count, ++all_.tries; }, patient,
            asio::bind_executor(io_, [this](std::exception_ptr e, entity<counter>) {
                count(e);
                next();
            }));
    }

private:
    void count(std::exception_ptr const& e) try {
        if (e) std::rethrow_exception(e);
        ++all_.successes;
    } catch (error const& failed) {
        all_.add_failure(failed);
    }

    asio::io_context& io_;
    async_table<counter> const& table_;
    int left_;
    tally& all_;
};

TEST_P(shared_counter, modified_by_64_asynchronous_operations_at_once_is_exact) {
    constexpr int writers = 64;
    int const times = times_here(25);
    counters().insert({.name = "hits"});
    asio::io_context io;
    async_table<counter> const t{the_store(), "Counters"};
    tally all;
    std::vector<async_writer> all_writers;
    for (int i = 0; i < writers; ++i) all_writers.emplace_back(io, t, times, all);
    auto const began = std::chrono::steady_clock::now();
    for (auto& w : all_writers) w.next();
    in_threads(2, [&](int) { io.run(); });
    all.print("64 asynchronous writers", began);
    expect_hits(all, writers * times);
}

TEST_P(shared_counter, shares_what_is_transferred_between_two_of_them) {
    constexpr int threads = 8, times = 50, whole = 1000;
    auto const t = counters();
    t.insert({.name = "left", .count = whole});
    t.insert({.name = "right", .count = whole});
    random_source random;
    auto const seed = random.word();
    tally all;
    auto const began = std::chrono::steady_clock::now();
    in_threads(threads, [&](int thread) {
        std::mt19937_64 engine{seed + static_cast<std::uint64_t>(thread)};
        for (int i = 0; i < times; ++i) {
            auto const amount = static_cast<std::int64_t>(engine() % 10);
            bool const to_right = engine() % 2 == 0;
            t.modify({to_right ? "left" : "right"}, [&](counter& c) { c.count -= amount, ++all.tries; });
            t.modify({to_right ? "right" : "left"}, [&](counter& c) { c.count += amount, ++all.tries; });
            all.successes += 2;
        }
    });
    all.print("transfers", began);
    EXPECT_EQ(t.find("left")->value.count + t.find("right")->value.count, 2 * whole);
}

}  // namespace
}  // namespace tablemap::test
