// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/async_task.hpp"

#include "support/observing.hpp"
#include "support/operations.hpp"
#include "support/waiting_stores.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::IsEmpty;

namespace asio = boost::asio;

/// A store that answers each request on a thread of its own, as late as it likes.
class threaded_store final : public store {
public:
    explicit threaded_store(std::vector<exchange> script) : script_(std::move(script)) {}
    ~threaded_store() override {
        for (auto& t : threads_) t.get_id() == std::this_thread::get_id() ? t.detach() : t.join();
    }

    tablemap::capabilities const& capabilities() const noexcept override { return script_.capabilities(); }
    store_context const& context() const noexcept override { return script_.context(); }
    response execute(request const& r, call_options const& o) override { return script_.execute(r, o); }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        auto answer = execute(r, o);
        std::scoped_lock lock{mutex_};
        threads_.emplace_back([answer = std::move(answer), &to]() mutable {
            std::this_thread::yield();
            to.complete(std::move(answer));
        });
    }
    std::vector<std::string> complaints() const { return script_.complaints(); }

private:
    scripted_store script_;
    std::mutex mutex_;
    std::vector<std::thread> threads_;
};

struct plus_editor : detail::row_editor {
    using value_type = std::string;

    result<bool> edit(response* read, detail::environment const&, detail::edited_entity& write) override {
        if (read->body == "throw") throw std::domain_error{"no"};
        write = {write_kind::replace, read->body + "+"};
        return true;
    }
    std::string finish(etag&& stored) { return stored.text(); }
    std::string unchanged() { return {}; }
};

detail::plain_call<std::string> modify_op() { return {detail::modify_with("T", entity_key{"p", "r"}, plus_editor{})}; }

std::vector<exchange> one_conflict() {
    return {{"find", answer_row("a", "E1")},
            {"replace", response_failure(service_errc::update_condition_not_satisfied)},
            {"find", answer_row("b", "E2")},
            {R"(replace T [p] [r] if "E2" b+)", answer_ok("E3")}};
}

/// Runs on both kinds of store: one that answers at once and one that answers from other threads.
template <class Store> class async_driver : public ::testing::Test {
protected:
    auto with(std::vector<exchange> script) { return std::make_shared<Store>(std::move(script)); }
    tablemap::testing::fixed_clock clock;
    call_options timed{.clock = &clock};
};
using stores = ::testing::Types<scripted_store, threaded_store>;
TYPED_TEST_SUITE(async_driver, stores);

TYPED_TEST(async_driver, gives_a_future_the_value_of_all_steps) {
    auto const s = this->with(one_conflict());
    EXPECT_EQ(detail::start(s, modify_op(), this->timed, asio::use_future).get(), "E3");
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TYPED_TEST(async_driver, throws_an_operations_error_out_of_the_future) {
    auto const s = this->with({{"find", response_failure(service_errc::resource_not_found)}});
    auto f = detail::start(s, modify_op(), this->timed, asio::use_future);
    EXPECT_THROW(f.get(), error);
}

TYPED_TEST(async_driver, throws_what_a_function_of_the_user_threw) {
    auto const s = this->with({{"find", answer_row("throw", "E1")}});
    auto f = detail::start(s, modify_op(), this->timed, asio::use_future);
    EXPECT_THROW(f.get(), std::domain_error);
}

TYPED_TEST(async_driver, calls_the_handler_on_its_executor_and_keeps_that_running_until_then) {
    auto const s = this->with(one_conflict());
    asio::io_context io;
    std::thread::id ran_on;
    detail::start(s, modify_op(), this->timed, asio::bind_executor(io, [&](std::exception_ptr e, std::string etag) {
                      EXPECT_FALSE(e);
                      EXPECT_EQ(etag, "E3");
                      ran_on = std::this_thread::get_id();
                  }));
    EXPECT_EQ(ran_on, std::thread::id{}) << "the handler ran inside the initiating call";
    io.run();
    EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TYPED_TEST(async_driver, takes_handlers_that_can_only_be_moved) {
    auto const s = this->with({{"find", answer_row("a", "E1")}, {"replace", answer_ok("E2")}});
    asio::io_context io;
    auto seen = std::make_unique<std::string>();
    std::string copy;
    detail::start(s, modify_op(), this->timed,
                  asio::bind_executor(io, [seen = std::move(seen), &copy](std::exception_ptr, std::string etag) {
                      *seen = etag;
                      copy = *seen;
                  }));
    io.run();
    EXPECT_EQ(copy, "E2");
}

TYPED_TEST(async_driver, answers_several_requests_in_the_order_asked) {
    auto const s = this->with({{"find T [p] [1]", answer_ok("E1")}, {"find T [p] [2]", answer_ok("E2")}});
    many_requests op{{get_entity{"T", "p", "1"}, get_entity{"T", "p", "2"}}};
    auto const answers = detail::start(s, std::move(op), this->timed, asio::use_future).get();
    ASSERT_EQ(answers.size(), 2u);
    EXPECT_EQ(answers[0].etag.text(), "E1");
    EXPECT_EQ(answers[1].etag.text(), "E2");
}

TYPED_TEST(async_driver, retries_by_the_calls_policy) {
    auto const s = this->with({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok("E1")}});
    this->timed.retry = exact_retry(2);
    one_request op{request{get_entity{"T", "p", "r"}}};
    EXPECT_EQ(detail::start(s, std::move(op), this->timed, asio::use_future).get().etag.text(), "E1");
    EXPECT_EQ(this->clock.waits().size(), 1u);
}

TYPED_TEST(async_driver, waits_by_a_timer_of_the_handlers_executor) {
    auto const s = this->with({{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok("E1")}});
    call_options real;
    real.retry = retry_policy{.attempts = 2, .first_wait = 1ms, .longest_wait = 1ms, .jitter = 0};
    asio::io_context io;
    bool done = false;
    one_request op{request{get_entity{"T", "p", "r"}}};
    detail::start(s, std::move(op), real, asio::bind_executor(io, [&](std::exception_ptr e, response) { done = !e; }));
    io.run();
    EXPECT_TRUE(done);
}

TYPED_TEST(async_driver, a_stop_ends_a_wait) {
    auto const s = this->with({{"find", response_failure(service_errc::server_busy)}});
    std::stop_source source;
    call_options real;
    real.stop = source.get_token();
    real.retry = retry_policy{.attempts = 2, .first_wait = 1h, .longest_wait = 1h, .jitter = 0};
    one_request op{request{get_entity{"T", "p", "r"}}};
    auto f = detail::start(s, std::move(op), real, asio::use_future);
    std::thread stopper{[&] { source.request_stop(); }};
    try {
        f.get();
        ADD_FAILURE() << "the operation went on";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::cancelled);
    }
    stopper.join();
}

TYPED_TEST(async_driver, outlives_every_owner_of_the_store) {
    auto s = this->with({{"find", answer_row("a", "E1")}, {"replace", answer_ok("E2")}});
    std::weak_ptr<store> const watched = s;
    asio::io_context io;
    std::string seen;
    detail::start(store_ptr{std::move(s)}, modify_op(), this->timed,
                  asio::bind_executor(io, [&](std::exception_ptr, std::string etag) { seen = etag; }));
    io.run();
    EXPECT_EQ(seen, "E2");
}

/// Asks the same thing many times over.
class long_operation : public detail::plain_call<int> {
public:
    explicit long_operation(int rounds) : plain_call(ask_often(rounds)) {}

private:
    static detail::task<result<int>> ask_often(int left) {
        request const what = get_entity{"T", "p", "r"};
        for (; left > 0; --left) co_await detail::ask(what);
        co_return left;
    }
};

class instant_store final : public store {
public:
    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    response execute(request const&, call_options const&) override { return {}; }

private:
    tablemap::capabilities can_{.name = "instant"};
};

TEST(async_driver_failure, a_store_that_throws_leaves_nothing_under_way) {
    std::atomic<bool> answered{false};
    auto s = std::make_shared<store_that_throws_second>(answered);
    many_requests op{{get_entity{"T", "p", "1"}, get_entity{"T", "p", "2"}, get_entity{"T", "p", "3"}}};
    auto done = detail::start(s, std::move(op), {}, asio::use_future);
    EXPECT_THROW(done.get(), std::bad_alloc);
    EXPECT_TRUE(answered);
}

TEST(async_driver_depth, answers_that_come_at_once_do_not_deepen_the_stack) {
    auto f = detail::start(std::make_shared<instant_store>(), long_operation{1'000'000}, {}, asio::use_future);
    EXPECT_EQ(f.get(), 0);
}

TYPED_TEST(async_driver, tells_an_observer_as_the_blocking_driver_does) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const s = with_observer(this->with(one_conflict()), seen);
    detail::start(s, modify_op(), this->timed, asio::use_future).get();
    ASSERT_EQ(seen->operations.size(), 1u);
    EXPECT_EQ(seen->operations[0].requests, 4u);
    EXPECT_EQ(seen->operations[0].table, "T");
    ASSERT_EQ(seen->requests.size(), 4u);
    EXPECT_EQ(seen->requests[3].operation, seen->operations[0].number);
    EXPECT_EQ(seen->requests[1].error, service_errc::update_condition_not_satisfied);
}

TYPED_TEST(async_driver, tells_an_observer_of_what_a_function_of_the_user_threw) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const s = with_observer(this->with({{"find", answer_row("throw", "E1")}}), seen);
    EXPECT_THROW(detail::start(s, modify_op(), this->timed, asio::use_future).get(), std::domain_error);
    ASSERT_EQ(seen->operations.size(), 1u);
    EXPECT_TRUE(seen->operations[0].interrupted);
}

TYPED_TEST(async_driver, counts_tries_for_an_observer) {
    auto const seen = std::make_shared<keeping_observer>();
    auto const s = with_observer(
        this->with({{"find", response_failure(service_errc::server_busy)}, {"find", answer_row("a", "E1")}}), seen);
    auto o = this->timed;
    o.retry = exact_retry(2);
    detail::start(s, one_request{get_entity{"T", "p", "r"}}, o, asio::use_future).get();
    EXPECT_EQ(seen->operations.at(0).retries, 1u);
    EXPECT_EQ(seen->requests.at(1).attempt, 2);
}

/// Waits for its turn at a store that answers on one thread of its own, as the embedded store's workers do.
class one_thread_store final : public store {
public:
    tablemap::capabilities const& capabilities() const noexcept override { return can_; }
    response execute(request const&, call_options const&) override { return {}; }
    void async_execute(request const&, call_options const&, receiver& to) override {
        asio::post(thread_, [this, &to] {
            answered_on = std::this_thread::get_id();
            to.complete({});
        });
    }

    std::atomic<std::thread::id> answered_on{};

private:
    tablemap::capabilities can_{.name = "one thread"};
    asio::thread_pool thread_{1};
};

one_request find_one() { return one_request{request{get_entity{"T", "p", "r"}}}; }

TEST(async_driver_threads, a_handler_without_an_executor_may_wait_for_another_operation_of_the_store) {
    auto const s = std::make_shared<one_thread_store>();
    std::promise<bool> waited;
    detail::start(s, find_one(), {}, [&](std::exception_ptr, response) {
        EXPECT_NE(std::this_thread::get_id(), s->answered_on.load());
        auto inner = detail::start(s, find_one(), {}, asio::use_future);
        waited.set_value(inner.wait_for(5s) == std::future_status::ready);
    });
    EXPECT_TRUE(waited.get_future().get());
}

TEST(async_driver_threads, nothing_of_the_users_runs_on_the_threads_of_the_store) {
    auto const s = std::make_shared<one_thread_store>();
    auto const here = [&] { return std::this_thread::get_id() == s->answered_on.load(); };
    auto const with_function = asio::use_future([&](std::exception_ptr, response) { return here(); });
    EXPECT_FALSE(detail::start(s, find_one(), {}, with_function).get());
    std::promise<bool> bound;
    detail::start(s, find_one(), {},
                  asio::bind_executor(asio::any_io_executor{asio::system_executor{}},
                                      [&](std::exception_ptr, response) { bound.set_value(here()); }));
    EXPECT_FALSE(bound.get_future().get());
}

TEST(async_driver_threads, waits_go_on_while_handlers_hold_all_threads_of_asio) {
    std::promise<void> go;
    auto const released = go.get_future().share();
    for (unsigned i = 0; i < 4 * std::max(1u, std::thread::hardware_concurrency()); ++i)
        asio::post(asio::system_executor{}, [released] { released.wait(); });
    auto const s = std::make_shared<scripted_store>(
        std::vector<exchange>{{"find", response_failure(service_errc::server_busy)}, {"find", answer_ok("E1")}});
    call_options real;
    real.retry = retry_policy{.attempts = 2, .first_wait = 1ms, .longest_wait = 1ms, .jitter = 0};
    auto done = detail::start(store_ptr{s}, find_one(), real, asio::use_future);
    EXPECT_EQ(done.wait_for(5s), std::future_status::ready);
    go.set_value();
}

/// An operation whose handler says whether it is still there.
template <class Executor> std::weak_ptr<int> start_watched(store_ptr s, Executor& ex, call_options o = {}) {
    auto alive = std::make_shared<int>();
    std::weak_ptr<int> const watched = alive;
    detail::start(std::move(s), find_one(), std::move(o),
                  asio::bind_executor(ex, [alive = std::move(alive)](std::exception_ptr, response) { ++*alive; }));
    return watched;
}

TEST(async_driver_context, goes_with_its_handler_while_it_waits) {
    auto s =
        std::make_shared<scripted_store>(std::vector<exchange>{{"find", response_failure(service_errc::server_busy)}});
    std::weak_ptr<store> const kept = s;
    std::weak_ptr<int> handler;
    {
        asio::io_context io;
        std::stop_source stop;
        handler = start_watched(
            std::move(s), io,
            {.retry = retry_policy{.attempts = 2, .first_wait = 1h, .longest_wait = 1h}, .stop = stop.get_token()});
        EXPECT_FALSE(handler.expired());
    }
    EXPECT_TRUE(handler.expired());
    EXPECT_TRUE(kept.expired());
}

TEST(async_driver_context, goes_before_the_answer_comes) {
    auto s = std::make_shared<pending_store>(std::make_shared<instant_store>());
    auto io = std::make_unique<asio::io_context>();
    auto const handler = start_watched(s, *io);
    io.reset();
    EXPECT_TRUE(handler.expired()) << "the handler goes with its context";
    EXPECT_GT(s.use_count(), 1) << "the operation waits for its response";
    EXPECT_TRUE(s->answer_one());
    EXPECT_EQ(s.use_count(), 1);
}

TEST(async_driver_context, is_asked_for_nothing_more_when_it_is_gone) {
    auto s = std::make_shared<pending_store>(std::make_shared<instant_store>());
    {
        asio::io_context io;
        detail::start(store_ptr{s}, long_operation{100}, {}, asio::bind_executor(io, [](std::exception_ptr, int) {}));
    }
    s->answer_all();
    EXPECT_EQ(s->asked(), 1u);
}

TEST(async_driver_context, may_go_at_any_moment) {
    for (int i = 0; i < 200; ++i) {
        auto s = std::make_shared<meeting_store>(std::make_shared<instant_store>(), 1);
        std::weak_ptr<int> handler;
        {
            asio::io_context io;
            handler = start_watched(s, io);
            for (int spin = 0; spin < i * 50; ++spin) std::atomic_signal_fence(std::memory_order_seq_cst);
        }
        EXPECT_TRUE(handler.expired());
        while (s.use_count() > 1) std::this_thread::yield();  // the store must not end on its own threads
    }
}

/// An operation that throws where its result is made.
struct throwing_at_the_end : one_request {
    using one_request::one_request;
    result<response> take() { throw std::domain_error{"no"}; }
};

TYPED_TEST(async_driver, hands_on_what_the_making_of_a_result_threw) {
    auto const s = this->with({{"find", answer_ok("E1")}});
    throwing_at_the_end op{request{get_entity{"T", "p", "r"}}};
    EXPECT_THROW(detail::start(s, std::move(op), this->timed, asio::use_future).get(), std::domain_error);
}

TYPED_TEST(async_driver, lets_what_a_handler_throws_out_of_its_executor) {
    auto const s = this->with({{"find", answer_ok("E1")}});
    asio::io_context io;
    detail::start(s, find_one(), this->timed,
                  asio::bind_executor(io, [](std::exception_ptr, response) { throw std::domain_error{"no"}; }));
    EXPECT_THROW(io.run(), std::domain_error);
}

}  // namespace
}  // namespace tablemap::test
