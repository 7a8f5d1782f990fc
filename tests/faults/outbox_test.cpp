// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/mortal_store.hpp"
#include "support/outbox_samples.hpp"

#include "tablemap/open.hpp"
#include "tablemap/queue/queue.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// A table, its queue, and the changes of two clerks whose effects the table "archive" shows.
class stage {
public:
    explicit stage(store_ptr clean) : clean_(std::move(clean)), name_("Company" + std::to_string(++count_)) {
        table<staff>{clean_, name_}.create();
        queue{clean_, name_of_queue}.clear();
        queue{clean_, name_of_poison}.clear();
    }
    ~stage() { table<staff>{clean_, name_}.delete_table(); }

    store_ptr const& clean() const noexcept { return clean_; }
    staff_outbox box(store_ptr s) const {
        return staff_outbox{table<staff>{std::move(s), name_}, {.queue = name_of_queue}};
    }
    auto relay_on(store_ptr s, int attempts = 5) {
        return noted_.relay_of(
            box(std::move(s)),
            {.lease = 60s, .attempts = attempts, .page_size = 2, .sweep_every = 10s, .now = [this] { return now_; }});
    }

    result<outbox_receipt> change(store_ptr s, std::int32_t id, std::int32_t version) {
        table<staff> const people{s, name_};
        auto t = people.transaction();
        t.upsert_replace(staff{"Bonn", id, "v" + std::to_string(version)});
        return box(s).try_commit(t, options(), archive_staff{id, version});
    }
    void change_all(store_ptr s) {
        for (auto const& [id, version] : changes) change(s, id, version).value();
    }
    relay_report work(store_ptr s) {
        auto o = options();
        o.deadline = clock_.now() + 3s;
        return relay_on(std::move(s)).run(o);
    }

    /// Parks the effects of the first clerk, and applies that of the second.
    void park(store_ptr s) {
        noted_.failing_id = 1;
        noted_.failures_left = 1;
        relay_on(std::move(s), 1).run_once(partition("Bonn"));
    }
    void put_back(store_ptr s) { static_cast<void>(relay_on(std::move(s)).try_put_back(options())); }

    /// Time goes on until no lease is valid.
    void let_leases_end() { now_ = now_ + tick_duration{10min}; }

    /// Commits what is not stored, as a program does after it was started again, and lets a fresh relay work. Messages
    /// that a killed program took are hidden for minutes, which the test does not wait for.
    void recover() {
        let_leases_end();
        if (relay_on(clean_).put_back(partition("Bonn"), options()) > 0) {
            EXPECT_GT(queue(clean_, name_of_poison).approximate_count(), 0U) << "what names the parked effects";
        }
        for (auto const& [id, version] : changes)
            if (version_of(id) < version) change(clean_, id, version).value();
        relay_on(clean_).sweep(options());
    }

    /// Every change and every effect is there, effects were applied in their order, and nothing is left.
    void check() {
        EXPECT_EQ(version_of(1), 2);
        EXPECT_EQ(version_of(2), 1);
        std::vector<std::string> applied;
        for (auto const& c : noted_.calls) applied.push_back(c.substr(c.find(' ') + 1));
        EXPECT_EQ(last_of(applied, "archive 1"), "archive 1 v2") << "what an archive would hold";
        EXPECT_EQ(last_of(applied, "archive 2"), "archive 2 v1");
        auto const first = std::find(applied.begin(), applied.end(), "archive 1 v1");
        auto const second = std::find(applied.begin(), applied.end(), "archive 1 v2");
        EXPECT_TRUE(first == applied.end() || first < second) << "in the order of the changes";
        std::vector<std::string> left;
        for (auto const& e : table<dynamic_entity>{clean_, name_}.scan()) {
            left.push_back(e.value.row_key);
            EXPECT_EQ(e.value.try_get<std::int64_t>("Pending") ? *e.value.try_get<std::int64_t>("Pending") : 0, 0);
            EXPECT_FALSE(e.value.find("Owner"));
        }
        std::erase(left, "staff_000003");
        EXPECT_EQ(left, (std::vector<std::string>{"staff_000001", "staff_000002", "~outbox_head"}));
    }

    static inline std::string const name_of_queue = "outbox-faults";
    static inline std::string const name_of_poison = name_of_queue + "-poison";

private:
    static constexpr std::array<std::pair<std::int32_t, std::int32_t>, 3> changes{{{1, 1}, {2, 1}, {1, 2}}};

    call_options options() { return {.retry = retry_policy::none(), .clock = &clock_}; }
    std::int32_t version_of(std::int32_t id) const {
        auto const e = table<staff>{clean_, name_}.find("Bonn", id);
        return e ? std::stoi(e->value.name.substr(1)) : 0;
    }
    static std::string last_of(std::vector<std::string> const& order, std::string const& beginning) {
        std::string last;
        for (auto const& c : order)
            if (c.starts_with(beginning)) last = c;
        return last;
    }

    static inline int count_ = 0;

    store_ptr clean_;
    std::string name_;
    ticks now_ = ticks::now();
    fixed_clock clock_;
    noted_effects noted_;
};

class outbox_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        auto const text =
            GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"};
        clean = open(text);
        queue{clean, stage::name_of_queue}.create_if_not_exists();
        queue{clean, stage::name_of_poison}.create_if_not_exists();
    }
    static void TearDownTestSuite() { std::cout << "crash points of the outbox: " << points << "\n"; }

    using action = std::function<void(stage&, store_ptr)>;

    /// The number of requests that an action sends if nothing fails.
    std::size_t requests_of(action const& prepare, action const& act) {
        stage s{clean};
        prepare(s, clean);
        auto const counted = std::make_shared<faulty_store>(clean);
        act(s, counted);
        return counted->requests();
    }

    /// Carries out the action once for each of its requests and each way to disturb it, and recovers.
    void at_each_request(action const& prepare, action const& act,
                         std::vector<std::function<void(stage&, std::size_t, action const&)>> const& ways) {
        auto const requests = requests_of(prepare, act);
        ASSERT_GT(requests, 0U);
        for (std::size_t k = 0; k < requests; ++k)
            for (std::size_t way = 0; way < ways.size(); ++way) {
                SCOPED_TRACE("request " + std::to_string(k) + ", way " + std::to_string(way));
                stage s{clean};
                prepare(s, clean);
                ways[way](s, k, act);
                s.recover();
                s.check();
                ++points;
                if (HasFailure()) return;
            }
    }

    static std::vector<std::function<void(stage&, std::size_t, action const&)>> kills() {
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

    static std::vector<std::function<void(stage&, std::size_t, action const&)>> losses() {
        std::vector<std::function<void(stage&, std::size_t, action const&)>> all;
        for (auto const f : {fault::lost_before, fault::lost_after, fault::overtaken, fault::busy})
            all.push_back([f](stage& s, std::size_t k, action const& act) {
                auto const faulty = std::make_shared<faulty_store>(s.clean());
                faulty->fail_next(f, k);
                act(s, faulty);
                faulty->carry_out_overtaken();
            });
        return all;
    }

    /// Another program commits between two requests.
    static std::vector<std::function<void(stage&, std::size_t, action const&)>> commits() {
        return {[](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->act_before([&](class store&) { s.change(s.clean(), 3, 1).value(); }, k);
            act(s, faulty);
        }};
    }

    /// Another relay works on the partition between two requests, while the lease is valid and after it is over.
    static std::vector<std::function<void(stage&, std::size_t, action const&)>> relays() {
        auto const second = [](bool lease_is_over) {
            return [lease_is_over](stage& s, std::size_t k, action const& act) {
                auto const faulty = std::make_shared<faulty_store>(s.clean());
                faulty->act_before(
                    [&](class store&) {
                        if (lease_is_over) s.let_leases_end();
                        s.relay_on(s.clean()).run_once(partition("Bonn"));
                    },
                    k);
                act(s, faulty);
            };
        };
        return {second(false), second(true)};
    }

    static inline std::size_t points = 0;
    store_ptr clean;
};

void nothing(stage&, store_ptr const&) {}
/// An error is the caller's to find out about: `recover` looks.
void commit_all(stage& s, store_ptr const& on) {
    static_cast<void>(s.change(on, 1, 1));
    static_cast<void>(s.change(on, 2, 1));
    static_cast<void>(s.change(on, 1, 2));
}
void prepare_effects(stage& s, store_ptr const& on) { s.change_all(on); }
void relay_effects(stage& s, store_ptr const& on) { s.work(on); }
void park_effects(stage& s, store_ptr const& on) {
    s.change_all(on);
    s.park(on);
}
void put_effects_back(stage& s, store_ptr const& on) { s.put_back(on); }

TEST_P(outbox_faults, killed_in_a_commit) { at_each_request(nothing, commit_all, kills()); }
TEST_P(outbox_faults, killed_in_a_relay) { at_each_request(prepare_effects, relay_effects, kills()); }
TEST_P(outbox_faults, killed_in_put_back) { at_each_request(park_effects, put_effects_back, kills()); }
TEST_P(outbox_faults, lost_responses_of_a_commit) { at_each_request(nothing, commit_all, losses()); }
TEST_P(outbox_faults, lost_responses_of_a_relay) { at_each_request(prepare_effects, relay_effects, losses()); }
TEST_P(outbox_faults, lost_responses_of_put_back) { at_each_request(park_effects, put_effects_back, losses()); }
TEST_P(outbox_faults, a_commit_within_a_commit) { at_each_request(nothing, commit_all, commits()); }
TEST_P(outbox_faults, a_commit_within_a_relay) { at_each_request(prepare_effects, relay_effects, commits()); }
TEST_P(outbox_faults, a_commit_within_put_back) { at_each_request(park_effects, put_effects_back, commits()); }
TEST_P(outbox_faults, a_relay_within_a_commit) { at_each_request(nothing, commit_all, relays()); }
TEST_P(outbox_faults, a_relay_within_a_relay) { at_each_request(prepare_effects, relay_effects, relays()); }
TEST_P(outbox_faults, a_relay_within_put_back) { at_each_request(park_effects, put_effects_back, relays()); }

INSTANTIATE_TEST_SUITE_P(, outbox_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

}  // namespace
}  // namespace tablemap::test
