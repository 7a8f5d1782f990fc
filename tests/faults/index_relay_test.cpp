// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/elsewhere_samples.hpp"
#include "support/mortal_store.hpp"

#include "tablemap/open.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// A table of clerks and its index by e-mail address.
class stage {
public:
    explicit stage(store_ptr clean) : clean_(std::move(clean)), name_("Clerks" + std::to_string(++count_)) {
        on(clean_).create();
        table<dynamic_entity>{clean_, table_by_email}.delete_if_exists();
        table<dynamic_entity>{clean_, table_by_email}.create();
        queue const work{clean_, queue_name};
        work.create_if_not_exists();
        work.clear();
    }
    ~stage() { on(clean_).delete_table(); }

    store_ptr const& clean() const noexcept { return clean_; }
    table<clerk> on(store_ptr s) const { return {std::move(s), name_}; }

    /// Two of four clerks.
    void begin() {
        static_cast<void>(on(clean_).upsert_replace(one("a@x")));
        rename("Dee");
    }

    /// Errors are for `recover` to find.
    void change(store_ptr s) {
        auto const clerks = on(std::move(s));
        auto const o = options();
        static_cast<void>(clerks.try_insert(two("b@x"), o));
        static_cast<void>(clerks.try_modify(
            {"Bonn", 1}, [](clerk& c) { c.email = "c@x"; }, o));
        static_cast<void>(clerks.try_erase_any({"Bonn", 2}, o));
        static_cast<void>(clerks.try_upsert_replace(three("b@x"), o));
        static_cast<void>(clerks.try_modify(
            {"Bonn", 4}, [](clerk& c) { c.name = "Dot"; }, o));
    }
    void relay(store_ptr s) { static_cast<void>(index_relay{on(std::move(s))}.try_sweep(options())); }

    /// Carries out what a message tells, and then sweeps.
    void run(store_ptr s) {
        index_relay const r{on(std::move(s)), {.queue = queue_name, .sweep_every = std::chrono::hours{1}}};
        auto o = options();
        o.deadline = clock_.now() + std::chrono::seconds{1};
        static_cast<void>(r.try_announce(partition("Bonn"), o));
        static_cast<void>(r.try_run(o));
    }

    /// A change of another program: each time another one.
    void disturb() {
        auto const c = one("d" + std::to_string(++disturbances_) + "@x");
        static_cast<void>(on(clean_).upsert_replace(disturbances_ % 3 == 0 ? one("a@x") : c));
    }

    /// Another program changes a member that is copied, and no key of a row.
    void rename(std::string name) {
        static_cast<void>(on(clean_).upsert_replace({"Bonn", 4, std::move(name), "a@x", 14}));
    }

    /// A fresh relay, until there is nothing left to do.
    void recover() {
        auto const done = index_relay{on(clean_)}.sweep(options());
        EXPECT_EQ(done.left, 0U);
    }

    void check() {
        EXPECT_EQ(rows_of_index(on(clean_), clean_), implied_by(on(clean_)));
        EXPECT_EQ(intents_in(clean_, name_) + intents_beside_rows(), 0U);
        EXPECT_TRUE(on(clean_).verify_indexes().in_step());
        auto const found = index_relay{on(clean_)}.verify();
        EXPECT_TRUE(found.in_step() && found.found() == 0);
        EXPECT_FALSE(queue(clean_, std::string{queue_name} + "-poison").exists());
    }

    std::size_t intents_beside_rows() const { return intents_in(clean_, table_by_email); }

    /// No look-up returns an entity that is not as it is stored.
    void check_look_ups() {
        for (auto const* const email : {"a@x", "b@x", "c@x", "d1@x", "d2@x"})
            for (auto const& e : clerks_by_email{on(clean_)}.find_all(partition(std::string{email}))) {
                EXPECT_EQ(e.value.email, email);
                auto const now = on(clean_).find(e.value.office, e.value.id);
                EXPECT_TRUE(now && now->value == e.value && now->etag == e.etag);
            }
    }

private:
    static constexpr char const* queue_name = "clerks-by-email";

    static clerk one(std::string email) { return {"Bonn", 1, "Ann", std::move(email), 11}; }
    static clerk two(std::string email) { return {"Bonn", 2, "Bob", std::move(email), 12}; }
    static clerk three(std::string email) { return {"Bonn", 3, "Cyd", std::move(email), 13}; }

    call_options options() { return {.retry = retry_policy::none(), .clock = &clock_}; }

    static inline int count_ = 0;

    store_ptr clean_;
    std::string name_;
    fixed_clock clock_;
    int disturbances_ = 0;
};

class index_relay_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        auto const text =
            GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"};
        clean = open(text);
    }
    static void TearDownTestSuite() { std::cout << "crash points of indexes elsewhere: " << points << "\n"; }

    using action = std::function<void(stage&, store_ptr)>;
    using way = std::function<void(stage&, std::size_t, action const&)>;

    std::size_t requests_of(action const& prepare, action const& act) {
        stage s{clean};
        prepare(s, clean);
        auto const counted = std::make_shared<faulty_store>(clean);
        act(s, counted);
        return counted->requests();
    }

    /// Carries out the action once for each of its requests and each way to disturb it, and recovers.
    void at_each_request(action const& prepare, action const& act, std::vector<way> const& ways) {
        auto const requests = requests_of(prepare, act);
        ASSERT_GT(requests, 0U);
        for (std::size_t k = 0; k < requests; ++k)
            for (std::size_t i = 0; i < ways.size(); ++i) {
                SCOPED_TRACE("request " + std::to_string(k) + ", way " + std::to_string(i));
                stage s{clean};
                prepare(s, clean);
                ways[i](s, k, act);
                s.check_look_ups();
                intents_beside_rows += s.intents_beside_rows();
                s.recover();
                s.check();
                ++points;
                if (HasFailure()) return;
            }
    }

    static std::vector<way> kills() {
        auto const kill = [](bool carries_out) {
            return [carries_out](stage& s, std::size_t k, action const& act) {
                try {
                    act(s, std::make_shared<mortal_store>(s.clean(), k, carries_out));
                } catch (killed const&) {  // the rest is for a process that is started then
                }
            };
        };
        return {kill(false), kill(true)};
    }

    static std::vector<way> losses() {
        std::vector<way> all;
        for (auto const f : {fault::lost_before, fault::lost_after, fault::overtaken, fault::busy})
            all.push_back([f](stage& s, std::size_t k, action const& act) {
                auto const faulty = std::make_shared<faulty_store>(s.clean());
                faulty->fail_next(f, k);
                act(s, faulty);
                faulty->carry_out_overtaken();
            });
        return all;
    }

    /// Something that another program does between two requests.
    static way between(std::function<void(stage&)> what) {
        return [what = std::move(what)](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->act_before([&](class store&) { what(s); }, k);
            act(s, faulty);
        };
    }
    static std::vector<way> others() {
        auto const write = [](stage& s) { s.disturb(); };
        auto const relay = [](stage& s) { s.relay(s.clean()); };
        auto const back_and_forth = [](stage& s) {
            for (int i = 0; i < 3; ++i) disturb_and_relay(s);
        };
        auto const rename = [](std::string const& name) {
            return between([name](stage& s) {
                s.rename(name);
                s.relay(s.clean());
            });
        };
        return {between(write),          between(relay), between(disturb_and_relay),
                between(back_and_forth), rename("Dan"),  rename("Dee")};
    }

    /// Others work before the last request of a process, or before one of those that it has sent.
    static std::vector<way> kills_while_others_work() {
        std::vector<way> all;
        for (std::size_t back = 0; back < 4; ++back)
            all.push_back([back](stage& s, std::size_t k, action const& act) {
                auto const faulty = std::make_shared<faulty_store>(s.clean());
                faulty->act_before([&](class store&) { disturb_and_relay(s); }, k - std::min(k, back));
                try {
                    act(s, std::make_shared<mortal_store>(faulty, k, true));
                } catch (killed const&) {  // it may have less to do, since others have done it
                }
            });
        return all;
    }

    /// A request arrives when the process has gone on, and others have worked.
    static std::vector<way> late_requests() {
        return {[](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->set_overtaking(1'000);
            faulty->fail_next(fault::overtaken, k);
            act(s, faulty);
            disturb_and_relay(s);
            faulty->carry_out_overtaken();
        }};
    }

    static void disturb_and_relay(stage& s) {
        s.disturb();
        s.relay(s.clean());
    }

    static inline std::size_t points = 0;
    store_ptr clean;
    std::size_t intents_beside_rows = 0;  ///< that were met before the recovery, at all points of a test
};

void begin(stage& s, store_ptr const&) { s.begin(); }
void begin_and_change(stage& s, store_ptr const& on) {
    s.begin();
    s.relay(on);
    s.change(on);
}
void change(stage& s, store_ptr const& on) { s.change(on); }
void relay(stage& s, store_ptr const& on) { s.relay(on); }
void run(stage& s, store_ptr const& on) { s.run(on); }
void change_and_relay(stage& s, store_ptr const& on) {
    s.change(on);
    s.relay(on);
}

TEST_P(index_relay_faults, killed_in_a_write) { at_each_request(begin, change, kills()); }
TEST_P(index_relay_faults, killed_in_a_relay) { at_each_request(begin_and_change, relay, kills()); }
TEST_P(index_relay_faults, lost_responses_of_a_write) { at_each_request(begin, change, losses()); }
TEST_P(index_relay_faults, lost_responses_of_a_relay) { at_each_request(begin_and_change, relay, losses()); }
TEST_P(index_relay_faults, others_within_a_write) { at_each_request(begin, change, others()); }
TEST_P(index_relay_faults, others_within_a_relay) { at_each_request(begin_and_change, relay, others()); }
TEST_P(index_relay_faults, others_within_a_write_and_a_relay) { at_each_request(begin, change_and_relay, others()); }

TEST_P(index_relay_faults, killed_in_a_relay_that_a_message_told) { at_each_request(begin_and_change, run, kills()); }
TEST_P(index_relay_faults, lost_responses_of_a_relay_that_a_message_told) {
    auto before_and_after = losses();
    before_and_after.resize(2);
    at_each_request(begin_and_change, run, before_and_after);
}
TEST_P(index_relay_faults, others_within_a_relay_that_a_message_told) {
    at_each_request(begin_and_change, run, {between(disturb_and_relay)});
}

/// Others carry out and erase the intent for which a relay inserts a row that nothing implies any more.
TEST_P(index_relay_faults, killed_in_a_relay_while_others_write_and_relay) {
    at_each_request(begin_and_change, relay, kills_while_others_work());
    EXPECT_GT(intents_beside_rows, 0U);
}
TEST_P(index_relay_faults, late_requests_of_a_relay_while_others_write_and_relay) {
    at_each_request(begin_and_change, relay, late_requests());
    EXPECT_GT(intents_beside_rows, 0U);
}

INSTANTIATE_TEST_SUITE_P(, index_relay_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

}  // namespace
}  // namespace tablemap::test
