// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/mortal_store.hpp"
#include "support/rolling_samples.hpp"

#include "tablemap/open.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using std::chrono::days;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using ::testing::ElementsAre;

/// Sign-ins of some days of 2014, on a prefix of their own, of which 30 days are to be kept.
class journal {
public:
    journal(store_ptr clean, int first, int last, int today)
        : clean_(std::move(clean)), prefix_(next_prefix()), today_(today) {
        for (int day = first; day < last; ++day)
            for (auto const* const user : {"ana", "bob"})
                daily_sign_ins{clean_, prefix_}.insert({user, day_of_2014(day, 12), day});
    }
    ~journal() {
        for (auto const& t : tables()) table_service{clean_}.delete_table(t);
    }

    /// The rolling table of a process that works on this store.
    daily_sign_ins by(store_ptr s) const { return {std::move(s), prefix_, on_day(today_, days{30})}; }

    std::vector<std::string> tables() const { return table_service{clean_}.tables(prefix_); }
    std::string name_of(int day) const { return by(clean_).at(day_of_2014(day)).name(); }

    /// The days whose tables are there, in order; every table must have its rows.
    std::vector<int> days_left() const {
        std::vector<int> left;
        for (auto const& t : by(clean_).tables()) {
            auto const found = numbers_in(t.scan());
            EXPECT_EQ(found.size(), 2U) << t.name();
            left.push_back(found.at(0));
        }
        return left;
    }

private:
    static std::string next_prefix() {
        static int count = 0;
        std::string letters{"signins"};
        for (int n = ++count; n > 0; n /= 26) letters += static_cast<char>('a' + n % 26);
        return letters;
    }

    store_ptr clean_;
    std::string prefix_;
    int today_;
};

class rolling_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean =
            open(GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"});
    }
    static void TearDownTestSuite() { std::cout << "crash points of rolling tables: " << points << "\n"; }

    using action = std::function<void(journal&, store_ptr)>;

    /// Drops days 6 to 9 and keeps 10 to 12.
    static inline action const retention = [](journal& j, store_ptr s) {
        static_cast<void>(j.by(std::move(s)).try_retain({}, {.retry = retry_policy::none()}));
    };
    /// The first write to a table of this day.
    static inline action const first_write = [](journal& j, store_ptr s) {
        static_cast<void>(
            j.by(std::move(s)).try_upsert_replace({"ana", day_of_2014(20), 20}, {.retry = retry_policy::none()}));
    };

    std::size_t requests_of(action const& act) {
        journal j{clean, 6, 13, 40};
        auto const counted = std::make_shared<faulty_store>(clean);
        act(j, counted);
        return counted->requests();
    }

    /// Carries out the action once for each of its requests, disturbed there.
    void at_each_request(action const& act, std::function<void(journal&, std::size_t)> const& disturbed) {
        auto const requests = requests_of(act);
        ASSERT_GT(requests, 0U);
        for (std::size_t k = 0; k < requests; ++k) {
            SCOPED_TRACE("request " + std::to_string(k));
            journal j{clean, 6, 13, 40};
            disturbed(j, k);
            ++points;
            if (HasFailure()) return;
        }
    }

    void kill(journal& j, action const& act, std::size_t at, bool carries_out) {
        try {
            act(j, std::make_shared<mortal_store>(clean, at, carries_out));
            ADD_FAILURE() << "it was not killed";
        } catch (killed const&) {  // the rest is for a process that is started then
        }
    }

    static inline std::size_t points = 0;
    store_ptr clean;
};

TEST_P(rolling_faults, sixty_days_and_a_retention_of_30_take_30_requests_and_a_list) {
    journal j{clean, 0, 60, 60};
    auto const counted = std::make_shared<faulty_store>(clean);
    auto const sign_ins = j.by(counted);
    auto const report = sign_ins.retain(days{30});
    EXPECT_EQ(counted->requests(), 31U);
    ASSERT_EQ(report.dropped().size(), 30U);
    EXPECT_EQ(report.dropped().front(), j.name_of(0));
    EXPECT_EQ(report.dropped().back(), j.name_of(29));
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(j.tables().size(), 30U);
}

TEST_P(rolling_faults, queries_after_a_retention_equal_a_model) {
    journal j{clean, 0, 60, 60};
    auto const sign_ins = j.by(clean);
    static_cast<void>(sign_ins.retain());
    for (int from = 0; from < 60; from += 7)
        for (int to = from; to <= 60; to += 9) {
            std::vector<int> model;
            for (int day = std::max(from, 30); day < to; ++day) model.push_back(day);
            auto const when = since(day_of_2014(from)).before(day_of_2014(to));
            auto const query = sign_ins.query(when, partition("ana"));
            EXPECT_EQ(numbers_in(query), model);
            std::reverse(model.begin(), model.end());
            EXPECT_EQ(numbers_in(query.newest_table_first()), model);
        }
}

TEST_P(rolling_faults, cursors_from_before_a_retention_go_on) {
    journal j{clean, 0, 60, 60};
    auto const sign_ins = j.by(clean);
    auto oldest = sign_ins.query(period<>{}, partition("ana"));
    auto newest = oldest.newest_table_first();
    for (int i = 0; i < 11; ++i) static_cast<void>(oldest.try_next()), static_cast<void>(newest.try_next());
    auto const from_10 = *oldest.cursor(), from_49 = *newest.cursor();
    static_cast<void>(sign_ins.retain());
    auto const rest = numbers_in(oldest.from(from_10)), back = numbers_in(newest.from(from_49));
    EXPECT_EQ(rest.size(), 30U);
    EXPECT_EQ(rest.front(), 30);
    EXPECT_EQ(back.size(), 19U);
    EXPECT_EQ(back.back(), 30);
}

// ---- crashes --------------------------------------------------------------------------------------------------------

TEST_P(rolling_faults, killed_in_a_retention) {
    for (bool const carries_out : {false, true})
        at_each_request(retention, [&](journal& j, std::size_t k) {
            kill(j, retention, k, carries_out);
            EXPECT_THAT(j.days_left(), ::testing::IsSupersetOf({10, 11, 12}));
            EXPECT_EQ(j.days_left().size(), 7 - (k == 0 ? 0 : k - 1 + (carries_out ? 1 : 0)));
            EXPECT_TRUE(j.by(clean).retain().complete());
            EXPECT_THAT(j.days_left(), ElementsAre(10, 11, 12));
        });
}

TEST_P(rolling_faults, killed_in_the_first_write_to_a_table) {
    for (bool const carries_out : {false, true})
        at_each_request(first_write, [&](journal& j, std::size_t k) {
            kill(j, first_write, k, carries_out);
            bool const stored = j.by(clean).at(day_of_2014(20)).find("ana", 20).has_value();
            EXPECT_EQ(stored, carries_out && k == 2);
            first_write(j, clean);
            EXPECT_TRUE(j.by(clean).at(day_of_2014(20)).find("ana", 20));
        });
}

TEST_P(rolling_faults, lost_responses_of_a_retention_are_told) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::busy})
        at_each_request(retention, [&](journal& j, std::size_t k) {
            auto const faulty = std::make_shared<faulty_store>(clean);
            faulty->fail_next(f, k);
            auto const report = j.by(faulty).try_retain({}, {.retry = retry_policy::none()});
            ASSERT_EQ(report.has_value(), k > 0);
            if (!report) return;
            EXPECT_EQ(report->tables.size(), 4U);
            EXPECT_EQ(report->dropped().size(), 3U);
            auto const& met = report->tables.at(k - 1);
            EXPECT_EQ(met.end, retention_report::end::kept);
            EXPECT_EQ(met.why->outcome(), f == fault::busy ? outcome::not_applied : outcome::in_doubt);
            EXPECT_TRUE(j.by(clean).retain().complete());
            EXPECT_THAT(j.days_left(), ElementsAre(10, 11, 12));
        });
}

TEST_P(rolling_faults, lost_responses_of_a_retention_are_tried_again) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::busy})
        at_each_request(retention, [&](journal& j, std::size_t k) {
            fixed_clock clock;
            auto const faulty = std::make_shared<faulty_store>(clean);
            faulty->fail_next(f, k);
            auto const report = j.by(faulty).retain({}, {.retry = retry_policy::exponential(4), .clock = &clock});
            EXPECT_TRUE(report.complete());
            bool const unknown = f == fault::lost_after && k > 0;
            EXPECT_EQ(report.dropped().size(), unknown ? 3U : 4U) << "whose doing a lost deletion was nobody knows";
            EXPECT_THAT(j.days_left(), ElementsAre(10, 11, 12));
        });
}

TEST_P(rolling_faults, a_second_retention_in_between) {
    at_each_request(retention, [&](journal& j, std::size_t k) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        faulty->act_before([&](store&) { retention(j, clean); }, k);
        auto const report = j.by(faulty).retain();
        EXPECT_TRUE(report.complete());
        EXPECT_EQ(report.dropped().size(), k == 0 ? 0 : k - 1);
        EXPECT_THAT(j.days_left(), ElementsAre(10, 11, 12));
    });
}

/// A writer stores a value of a day that is kept, and tries one of a day that is being dropped.
TEST_P(rolling_faults, a_writer_in_between) {
    at_each_request(retention, [&](journal& j, std::size_t k) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        bool late_stored = false;
        faulty->act_before(
            [&](store&) {
                j.by(clean).insert({"eve", day_of_2014(10), 10});
                late_stored = j.by(clean).insert_unless_late({"eve", day_of_2014(6), 6}).has_value();
            },
            k);
        EXPECT_TRUE(j.by(faulty).retain().complete());
        EXPECT_EQ(late_stored, k < 2) << "the table of day 6 is dropped by the second request";
        EXPECT_TRUE(j.by(clean).at(day_of_2014(10)).find("eve", 10));
        EXPECT_FALSE(j.by(clean).at(day_of_2014(6)).find("eve", 6));
        EXPECT_EQ(j.tables().size(), 3U);
    });
}

/// Others drop the table before each request of the first write to it.
TEST_P(rolling_faults, a_table_dropped_in_between) {
    at_each_request(first_write, [&](journal& j, std::size_t k) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        auto const name = j.name_of(20);
        faulty->act_before([&](store&) { table_service{clean}.delete_table_if_exists(name); }, k);
        first_write(j, faulty);
        EXPECT_TRUE(j.by(clean).at(day_of_2014(20)).find("ana", 20));
    });
}

INSTANTIATE_TEST_SUITE_P(, rolling_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

}  // namespace
}  // namespace tablemap::test
