// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/expiry_samples.hpp"
#include "support/mortal_store.hpp"
#include "support/sanitizers.hpp"

#include "tablemap/open.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// Sessions of which some have expired at noon, and their index.
class stage {
public:
    explicit stage(store_ptr clean) : clean_(std::move(clean)), name_("Sessions" + std::to_string(++count_)) {
        on(clean_).create();
        table<dynamic_entity>{clean_, session_expiry}.delete_if_exists();
        table<dynamic_entity>{clean_, session_expiry}.create();
        insert("ana", {-70, -5, 30});
        insert("bob", {-5, -4, -3, 90});
        index_relay{on(clean_)}.sweep(options());
        prolong(on(clean_), {"bob", 2}, 30);  // its row stays in the past until a relay works
    }
    ~stage() { on(clean_).delete_table(); }

    store_ptr const& clean() const noexcept { return clean_; }
    table<session> on(store_ptr s) const { return {std::move(s), name_}; }

    /// With pages of three rows.
    expiry_report sweep(store_ptr s) { return expiry_sweeper{on(std::move(s)), at_noon_and(0, 3)}.sweep(options()); }
    void relay(store_ptr s) { static_cast<void>(index_relay{on(std::move(s))}.try_sweep(options())); }

    /// Other programs prolong a session that has expired, if it is there, and start another one that has expired.
    void disturb() {
        prolong(on(clean_), {"ana", 2}, 40 + ++disturbances_);
        static_cast<void>(on(clean_).upsert_replace({"ana", 9, "phone", noon_and(-1)}));
    }

    void recover() {
        relay(clean_);
        for (int round = 0; round < most_rounds; ++round) {
            auto const done = sweep(clean_);
            EXPECT_TRUE(done.complete());
            if (done.seen == 0) return;
        }
        ADD_FAILURE() << "rows of the past stay in the index";
    }

    /// All sessions that had expired begin again.
    void begin_again() {
        for (auto const& [user, id] : expired_)
            if (on(clean_).try_insert({user, id, "phone", noon_and(50)})) expected_[{user, id}] = noon_and(50);
    }

    /// The expired sessions are gone, the prolonged ones are there, and all rows of indexes are in step.
    void check() {
        std::map<std::pair<std::string, std::int32_t>, ticks> left;
        for (auto q = on(clean_).scan(); auto const& e : q) left[{e.value.user, e.value.id}] = e.value.until;
        EXPECT_EQ(left, expected_);
        EXPECT_TRUE(on(clean_).verify_indexes().in_step());
        auto const found = index_relay{on(clean_)}.verify();
        EXPECT_TRUE(found.in_step() && found.found() == 0);
        EXPECT_EQ(rows_in(clean_, session_expiry), expected_.size());
    }

private:
    void insert(std::string const& user, std::vector<int> const& minutes) {
        for (std::int32_t id = 1; int const m : minutes) {
            on(clean_).insert({user, id, "phone", noon_and(m)});
            if (m > 0)
                expected_[{user, id}] = noon_and(m);
            else
                expired_.emplace_back(user, id);
            ++id;
        }
    }
    void prolong(table<session> const& sessions, std::pair<std::string, std::int32_t> const& which, int minutes) {
        auto const done =
            sessions.try_modify({which.first, which.second}, [=](session& s) { s.until = noon_and(minutes); });
        if (done) expected_[which] = noon_and(minutes);
    }
    call_options options() { return {.retry = retry_policy::none(), .clock = &clock_}; }

    static constexpr int most_rounds = 10;
    static inline int count_ = 0;

    store_ptr clean_;
    std::string name_;
    fixed_clock clock_;
    int disturbances_ = 0;
    std::map<std::pair<std::string, std::int32_t>, ticks> expected_{};
    std::vector<std::pair<std::string, std::int32_t>> expired_{};  ///< when the test began
};

class expiry_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean =
            open(GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"});
    }
    static void TearDownTestSuite() { std::cout << "crash points of sweeps of expired entities: " << points << "\n"; }

    using action = std::function<void(stage&, store_ptr)>;
    using way = std::function<void(stage&, std::size_t, action const&)>;

    static void sweep(stage& s, store_ptr const& on) { static_cast<void>(s.sweep(on)); }
    static void sweep_and_relay(stage& s, store_ptr const& on) {
        sweep(s, on);
        s.relay(on);
    }

    std::size_t requests_of(action const& act) {
        stage s{clean};
        auto const counted = std::make_shared<faulty_store>(clean);
        act(s, counted);
        return counted->requests();
    }

    /// Carries out the action once for each of its requests and each way to disturb it, and recovers.
    void at_each_request(action const& act, std::vector<way> const& ways) {
        auto const requests = requests_of(act);
        ASSERT_GT(requests, 5U);
        for (std::size_t k = 0; k < requests; ++k)
            for (std::size_t i = 0; i < ways.size(); ++i) {
                SCOPED_TRACE("request " + std::to_string(k) + ", way " + std::to_string(i));
                stage s{clean};
                ways[i](s, k, act);
                s.recover();
                s.check();
                ++points;
                if (HasFailure()) return;
            }
    }

    static way kill(bool carries_out) {
        return [carries_out](stage& s, std::size_t k, action const& act) {
            try {
                act(s, std::make_shared<mortal_store>(s.clean(), k, carries_out));
                ADD_FAILURE() << "it was not killed";
            } catch (killed const&) {  // the rest is for a process that is started then
            }
        };
    }

    static way meet(fault f) {
        return [f](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->set_overtaking(1'000);
            faulty->fail_next(f, k);
            act(s, faulty);
            if (f == fault::overtaken) s.disturb();
            faulty->carry_out_overtaken();
        };
    }

    /// A write arrives when the index is in order again, and sessions with the same keys have begun.
    static way arrive_after_all() {
        return [](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->set_overtaking(1'000);
            faulty->fail_next(fault::overtaken, k);
            act(s, faulty);
            s.recover();
            s.begin_again();
            faulty->carry_out_overtaken();
        };
    }

    /// Something that another program does between two requests.
    static way between(std::function<void(stage&)> what) {
        return [what = std::move(what)](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->act_before([&](class store&) { what(s); }, k);
            act(s, faulty);
        };
    }

    static inline std::size_t points = 0;
    store_ptr clean;
};

TEST_P(expiry_faults, killed_before_and_after_each_request) {
    at_each_request(sweep_and_relay, {kill(false), kill(true)});
}

TEST_P(expiry_faults, lost_and_late_requests) {
    at_each_request(sweep, {meet(fault::lost_before), meet(fault::lost_after), meet(fault::overtaken),
                            meet(fault::busy), arrive_after_all()});
}

TEST_P(expiry_faults, others_prolong_relay_and_sweep_in_between) {
    auto const prolong = [](stage& s) { s.disturb(); };
    auto const relay = [](stage& s) { s.relay(s.clean()); };
    auto const sweeping = [](stage& s) { static_cast<void>(s.sweep(s.clean())); };
    auto const all = [](stage& s) {
        s.disturb();
        s.relay(s.clean());
        static_cast<void>(s.sweep(s.clean()));
    };
    at_each_request(sweep_and_relay, {between(prolong), between(relay), between(sweeping), between(all)});
}

INSTANTIATE_TEST_SUITE_P(, expiry_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

/// With sanitizers each try takes ten times as long.
constexpr int tries = has_address_sanitizer || has_thread_sanitizer ? 1'000 : 10'000;

TEST(expiry_race, a_session_prolonged_between_look_and_erase_survives_each_time) {
    auto const clean = open("embedded::memory:");
    table<session> const sessions{clean, "Sessions"};
    index_relay const relay{sessions};
    sessions.create();
    relay.create_if_not_exists();
    sessions.insert({"ana", 1, "phone", noon_and(-5)});
    relay.sweep();
    int survived = 0;
    for (int i = 0; i < tries; ++i) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        entity<session> prolonged;
        auto const prolong = [&](class store&) {
            prolonged = sessions.modify({"ana", 1}, [=](session& s) { s.until = noon_and(30 + i); });
        };
        faulty->act_before(prolong, 2);  // a page of the index, a look at the session, and then the erase
        auto const done = expiry_sweeper{table<session>{faulty, "Sessions"}, at_noon_and(0)}.sweep();
        auto const now = sessions.find("ana", 1);
        ASSERT_TRUE(now && now->value == prolonged.value && now->etag == prolonged.etag) << i;
        ASSERT_EQ(std::pair(done.changed, done.erased), (std::pair<std::size_t, std::size_t>(1, 0))) << i;
        ++survived;
        sessions.modify({"ana", 1}, [](session& s) { s.until = noon_and(-5); });
        if (i % 50 == 49) relay.run_once(partition("ana"));
    }
    std::cout << "survived: " << survived << "\n";
    EXPECT_EQ(expiry_sweeper(sessions, at_noon_and(0)).sweep().erased, 1U);
}

}  // namespace
}  // namespace tablemap::test
