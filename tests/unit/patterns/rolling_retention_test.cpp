// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/service_response.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/rolling_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::fixed_clock;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using end = retention_report::end;

response const being_deleted = response_failure(service_errc::table_being_deleted);
response const absent = response_failure(service_errc::resource_not_found);
response const unknown = response_failure(service_errc::table_not_found);  // while its deletion is under way
response const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

/// A retention of the 1st and the 2nd of January, with responses from a script.
class retentions : public ::testing::Test {
protected:
    result<retention_report> retain(std::vector<exchange> deletions, retain_options how = {},
                                    retry_policy retry = retry_policy::none()) {
        service_response list;
        list.tables = {"signins20140101", "signins20140102", "signins20140301", "signinsOld20140101"};
        deletions.insert(deletions.begin(), {"list tables prefix signins", answer_service(list)});
        store = std::make_shared<scripted_store>(std::move(deletions));
        return daily_sign_ins{store, "signins", on_day(40)}.try_retain(std::chrono::days{30}, how,
                                                                       {.retry = retry, .clock = &clock});
    }
    ~retentions() override { EXPECT_THAT(store->complaints(), IsEmpty()); }

    static std::vector<end> ends(result<retention_report> const& r) {
        std::vector<end> all;
        for (auto const& t : r.value().tables) all.push_back(t.end);
        return all;
    }

    std::string const first = "delete table signins20140101", second = "delete table signins20140102";
    std::shared_ptr<scripted_store> store;
    fixed_clock clock;
};

TEST_F(retentions, take_a_list_and_one_request_for_each_table) {
    auto const r = retain({{first, answer_ok()}, {second, answer_ok()}});
    EXPECT_THAT(ends(r), ElementsAre(end::dropped, end::dropped));
    EXPECT_THAT(r->dropped(), ElementsAre("signins20140101", "signins20140102"));
}

TEST_F(retentions, tell_what_others_dropped) {
    auto const r = retain({{first, absent}, {second, answer_ok()}});
    EXPECT_THAT(ends(r), ElementsAre(end::gone, end::dropped));
    EXPECT_TRUE(r->complete());
}

TEST_F(retentions, take_a_table_that_is_not_found_for_one_that_others_dropped) {
    auto const r = retain({{first, unknown}, {second, answer_ok()}});
    EXPECT_THAT(ends(r), ElementsAre(end::gone, end::dropped));
    EXPECT_FALSE(r->tables[0].why);
}

TEST_F(retentions, do_not_guess_who_dropped_a_table_after_a_lost_response) {
    for (auto const& answer : {absent, unknown}) {
        auto const r =
            retain({{first, lost}, {first, answer}, {second, answer_ok()}}, {}, retry_policy::exponential(4));
        EXPECT_THAT(ends(r), ElementsAre(end::gone, end::dropped));
        ASSERT_TRUE(r->tables[0].why);
        EXPECT_EQ(r->tables[0].why->code(), library_errc::response_lost);
        EXPECT_EQ(r->tables[0].why->outcome(), outcome::in_doubt);
    }
}

TEST_F(retentions, skip_a_name_that_is_being_deleted) {
    auto const r = retain({{first, being_deleted}, {second, answer_ok()}});
    EXPECT_THAT(ends(r), ElementsAre(end::being_deleted, end::dropped));
    EXPECT_EQ(r->tables[0].why->code(), service_errc::table_being_deleted);
    EXPECT_THAT(clock.waits(), IsEmpty());
}

TEST_F(retentions, wait_for_a_name_that_is_being_deleted_by_choice) {
    auto const r = retain({{first, being_deleted}, {first, being_deleted}, {first, absent}, {second, answer_ok()}},
                          {.wait_for_deletions = true});
    EXPECT_THAT(ends(r), ElementsAre(end::gone, end::dropped));
    EXPECT_EQ(clock.waits().size(), 2u);
}

TEST_F(retentions, wait_two_minutes_at_most) {
    std::vector<exchange> deletions(60, {first, being_deleted});
    auto const r = retain(std::move(deletions), {.wait_for_deletions = true});
    EXPECT_EQ(ends(r)[0], end::being_deleted);
    EXPECT_GE(clock.waits().size(), 24u);
    EXPECT_FALSE(store->complaints().empty()) << "the second table was asked for";
    store = std::make_shared<scripted_store>(std::vector<exchange>{});
}

TEST_F(retentions, go_on_behind_a_table_that_cannot_be_dropped) {
    auto const r = retain({{first, response_failure(service_errc::server_busy)}, {second, answer_ok()}});
    EXPECT_THAT(ends(r), ElementsAre(end::kept, end::dropped));
    EXPECT_FALSE(r->complete());
    EXPECT_EQ(r->tables[0].why->code(), service_errc::server_busy);
}

// ---- durations ------------------------------------------------------------------------------------------------------

TEST_F(retentions, refuse_a_negative_duration_before_anything_is_sent) {
    store = std::make_shared<scripted_store>(std::vector<exchange>{});
    for (tick_duration const keep : {tick_duration{-1}, tick_duration::min()}) {
        auto const r = daily_sign_ins{store, "signins", on_day(40)}.try_retain(keep);
        EXPECT_TRUE(failed_with(r, library_errc::value_out_of_range));
        try {
            daily_sign_ins const declared{store, "signins", on_day(40, keep)};
            ADD_FAILURE() << keep.count();
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::value_out_of_range);
        }
    }
    EXPECT_EQ(store->asked(), 0u);
}

TEST_F(retentions, refuse_a_shorter_duration_than_writers_keep_before_anything_is_sent) {
    store = std::make_shared<scripted_store>(std::vector<exchange>{});
    daily_sign_ins const sign_ins{store, "signins", on_day(40, std::chrono::days{30})};
    auto const r = sign_ins.try_retain(std::chrono::days{7});
    ASSERT_TRUE(failed_with(r, library_errc::value_out_of_range));
    EXPECT_EQ(r.error().member(), "keep");
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("rolling_options::keep"));
    EXPECT_EQ(store->asked(), 0u);
}

TEST_F(retentions, may_be_longer_than_writers_keep) {
    service_response list;
    list.tables = {"signins20140101", "signins20140108"};
    store = std::make_shared<scripted_store>(
        std::vector<exchange>{{"list tables", answer_service(list)}, {first, answer_ok()}});
    daily_sign_ins const sign_ins{store, "signins", on_day(40, std::chrono::days{30})};
    EXPECT_THAT(sign_ins.retain(std::chrono::days{35}).dropped(), ElementsAre("signins20140101"));
}

TEST_F(retentions, keep_everything_for_a_huge_duration) {
    service_response list;
    list.tables = {"signins16010101", "signins20140101"};
    store = std::make_shared<scripted_store>(std::vector<exchange>{{"list tables", answer_service(list)}});
    daily_sign_ins const sign_ins{store, "signins", on_day(40)};
    EXPECT_THAT(sign_ins.retain(tick_duration::max()).tables, IsEmpty());
}

TEST_F(retentions, drop_all_but_the_current_period_for_no_duration) {
    service_response list;
    list.tables = {"signins20140101", "signins20140210"};
    store = std::make_shared<scripted_store>(
        std::vector<exchange>{{"list tables", answer_service(list)}, {first, answer_ok()}});
    daily_sign_ins const sign_ins{store, "signins", on_day(40)};
    EXPECT_THAT(sign_ins.retain(tick_duration{0}).dropped(), ElementsAre("signins20140101"));
}

TEST_F(retentions, fail_if_the_tables_cannot_be_listed) {
    store = std::make_shared<scripted_store>(
        std::vector<exchange>{{"list tables prefix signins", response_failure(service_errc::authorization_failure)}});
    auto const r = daily_sign_ins{store, "signins", on_day(40)}.try_retain(std::chrono::days{30});
    EXPECT_TRUE(failed_with(r, service_errc::authorization_failure));
}

}  // namespace
}  // namespace tablemap::test
