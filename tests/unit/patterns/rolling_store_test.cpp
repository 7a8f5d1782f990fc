// SPDX-License-Identifier: Apache-2.0
#include "patterns/rolling_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/rolling_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_ok;
using tablemap::testing::exchange;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

response const missing = response_failure(service_errc::table_not_found);
response const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

/// A store that answers an insert, and what it is about to need, from a script.
class creations : public ::testing::Test {
protected:
    result<entity<sign_in>> insert(std::vector<response> const& answers) {
        static std::vector<std::string> const names{"insert signins20140101", "create table signins20140101"};
        std::vector<exchange> script;
        for (std::size_t i = 0; i < answers.size(); ++i) script.push_back({names[i % 2], answers[i]});
        store = std::make_shared<scripted_store>(std::move(script));
        daily_sign_ins const sign_ins{store, "signins"};
        return sign_ins.try_insert({"ana", day_of_2014(0), 1}, {.retry = retry_policy::none()});
    }
    ~creations() override { EXPECT_THAT(store->complaints(), IsEmpty()); }

    std::shared_ptr<scripted_store> store;
};

TEST_F(creations, are_asked_for_by_the_first_write_alone) {
    EXPECT_TRUE(insert({answer_ok("\"1\"")}));
    EXPECT_TRUE(insert({missing, answer_ok(), answer_ok("\"1\"")}));
}

TEST_F(creations, by_others_are_as_good) {
    EXPECT_TRUE(insert({missing, response_failure(service_errc::table_already_exists), answer_ok("\"1\"")}));
}

TEST_F(creations, are_repeated_where_others_drop_the_table) {
    EXPECT_TRUE(insert({missing, answer_ok(), missing, answer_ok(), answer_ok("\"1\"")}));
    auto const r = insert({missing, answer_ok(), missing, answer_ok(), missing, answer_ok(), missing});
    EXPECT_TRUE(failed_with(r, service_errc::table_not_found));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(creations, that_fail_are_the_error_of_the_write_which_is_not_applied) {
    for (std::error_code const code :
         {make_error_code(service_errc::table_being_deleted), make_error_code(service_errc::server_busy),
          make_error_code(service_errc::authorization_failure)}) {
        auto const r = insert({missing, response_failure(code)});
        EXPECT_TRUE(failed_with(r, code));
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    }
}

TEST_F(creations, pass_on_the_wait_that_the_store_asks_for) {
    auto busy = response_failure(service_errc::server_busy);
    busy.retry_after = std::chrono::milliseconds{700};
    auto const scripted =
        std::make_shared<scripted_store>(std::vector<exchange>{{"insert signins20140101", missing},
                                                               {"create table signins20140101", busy},
                                                               {"insert signins20140101", answer_ok("\"1\"")}});
    fixed_clock clock;
    daily_sign_ins const sign_ins{scripted, "signins"};
    auto const r =
        sign_ins.try_insert({"ana", day_of_2014(0), 1}, {.retry = retry_policy::exponential(4), .clock = &clock});
    EXPECT_TRUE(r);
    ASSERT_EQ(clock.waits().size(), 1u);
    EXPECT_GE(clock.waits()[0], std::chrono::milliseconds{700});
    store = std::make_shared<scripted_store>(std::vector<exchange>{});
}

TEST_F(creations, whose_response_is_lost_are_settled_by_the_write) {
    EXPECT_TRUE(insert({missing, lost, answer_ok("\"1\"")}));
    EXPECT_TRUE(insert({missing, lost, missing, answer_ok(), answer_ok("\"1\"")}));
    auto const r = insert({missing, lost, missing, lost, missing, lost, missing});
    EXPECT_TRUE(failed_with(r, library_errc::response_lost));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(creations, do_not_follow_a_write_whose_response_was_lost) {
    auto const first = insert({lost});
    EXPECT_EQ(first.error().outcome(), outcome::in_doubt);
    auto const second = insert({missing, answer_ok(), lost});
    EXPECT_EQ(second.error().outcome(), outcome::in_doubt);
}

TEST_F(creations, end_with_the_call) {
    std::stop_source stop;
    auto const memory = value_or_throw(open_embedded({.path = ":memory:"}));
    auto const faulty = std::make_shared<faulty_store>(memory);
    faulty->act_before([&](class store&) { stop.request_stop(); });
    daily_sign_ins const sign_ins{faulty, "signins"};
    auto const r = sign_ins.try_insert({"ana", day_of_2014(0), 1}, {.stop = stop.get_token()});
    EXPECT_TRUE(failed_with(r, library_errc::cancelled));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_THAT(tables_in(memory), IsEmpty());
    store = std::make_shared<scripted_store>(std::vector<exchange>{});
}

/// Another process drops the table before each request of a write that has to create it, or finds it there.
TEST(rolling_stores, store_a_value_although_others_drop_the_table_between_two_requests) {
    for (bool const is_there : {false, true})
        for (std::size_t at = 0; at < (is_there ? 1 : 3); ++at) {
            auto const memory = value_or_throw(open_embedded({.path = ":memory:"}));
            auto const faulty = std::make_shared<faulty_store>(memory);
            daily_sign_ins const sign_ins{faulty, "signins"};
            if (is_there) sign_ins.insert({"eve", day_of_2014(0), 1});
            faulty->act_before([](store& s) { s.execute(delete_table{"signins20140101"}, {}); }, at);
            sign_ins.insert({"ana", day_of_2014(0), 1});
            EXPECT_TRUE(sign_ins.at(day_of_2014(0)).find("ana", 1)) << is_there << at;
        }
}

retry_policy const persistent = [] {
    auto p = retry_policy::exponential(4);
    p.repeat_in_doubt = true;
    return p;
}();

/// Whatever is lost, a value that is stored is told to be, and one that is not is in doubt at most.
TEST(rolling_stores, do_not_guess_after_a_loss) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::busy, fault::reset})
        for (std::size_t at = 0; at < 3; ++at)
            for (auto const& retry : {retry_policy::none(), persistent}) {
                auto const memory = value_or_throw(open_embedded({.path = ":memory:"}));
                auto const faulty = std::make_shared<faulty_store>(memory);
                fixed_clock clock;
                faulty->fail_next(f, at);
                daily_sign_ins const sign_ins{faulty, "signins", {.tables = {.operation_ids = true}}};
                auto const r = sign_ins.try_insert({"ana", day_of_2014(0), 1}, {.retry = retry, .clock = &clock});
                auto const effect = r ? outcome::applied : r.error().outcome();
                EXPECT_TRUE(r || retry.attempts == 1) << static_cast<int>(f) << " at " << at;
                if (effect == outcome::in_doubt) continue;
                EXPECT_EQ(sign_ins.at(day_of_2014(0)).find("ana", 1).has_value(), effect == outcome::applied);
            }
}

TEST(rolling_stores, leave_other_tables_alone) {
    auto const memory = value_or_throw(open_embedded({.path = ":memory:"}));
    detail::rolling_names const names{"signins", table_per::day};
    auto const store = detail::make_rolling_store(memory, names, {});
    for (auto const* const name : {"signins", "signins2014", "signinsOld20140101", "other"}) {
        EXPECT_TRUE(refused(store->execute(get_entity{.table = name, .partition_key = "a", .row_key = "b"}, {}),
                            service_errc::table_not_found));
        EXPECT_TRUE(failed_with(table<sign_in>{store, name}.try_insert({"ana", day_of_2014(0), 1}),
                                service_errc::table_not_found));
    }
    EXPECT_THAT(tables_in(memory), IsEmpty());
}

}  // namespace
}  // namespace tablemap::test
