// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/service.hpp"
#include "tablemap/table/table.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"

#include "tablemap/async.hpp"

#include <future>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_page;
using tablemap::testing::answer_service;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto const done = answer_ok();
auto const being_deleted = response_failure(service_errc::table_being_deleted);
auto const there = response_failure(service_errc::table_already_exists);
auto const gone = response_failure(service_errc::resource_not_found);
auto const unknown = response_failure(service_errc::table_not_found);  // in place of `gone`, while it is being deleted
auto const lost = response_failure(library_errc::response_lost, outcome::in_doubt);

class administration : public ::testing::Test {
protected:
    table_service with(std::vector<exchange> script) {
        store_ = std::make_shared<scripted_store>(std::move(script));
        return table_service{store_};
    }
    void TearDown() override { EXPECT_THAT(store_ ? store_->complaints() : std::vector<std::string>{}, IsEmpty()); }

    store_ptr store() const { return store_; }

    tablemap::testing::fixed_clock clock{1};
    call_options once{.retry = retry_policy::none(), .clock = &clock};
    call_options twice{.retry = exact_retry(2), .clock = &clock};

private:
    std::shared_ptr<scripted_store> store_;
};

// --- while a table is being deleted ----------------------------------------------------------------------------------

TEST_F(administration, creates_a_table_once_the_one_before_is_deleted) {
    auto const service = with({{"create table T", being_deleted}, {"create table T", being_deleted}, {"create", done}});
    service.create_table("Tab", if_being_deleted::wait, once);
    ASSERT_EQ(clock.waits().size(), 2u);
    for (auto const wait : clock.waits()) {
        EXPECT_GT(wait, 2s);
        EXPECT_LE(wait, 5s);
    }
}

TEST_F(administration, does_not_wait_unless_told_to) {
    auto const service = with({{"create table", being_deleted}});
    auto const r = service.try_create_table("Tab", once);
    EXPECT_TRUE(failed_with(r, service_errc::table_being_deleted));
    EXPECT_THAT(clock.waits(), IsEmpty());
}

TEST_F(administration, gives_up_after_two_minutes) {
    std::vector<exchange> script(100, {"create table", being_deleted});
    auto const s = std::make_shared<scripted_store>(script);
    auto const begin = clock.now();
    auto const r = table_service{s}.try_create_table("Tab", if_being_deleted::wait, once);
    EXPECT_TRUE(failed_with(r, service_errc::table_being_deleted));
    EXPECT_THAT(r.error().what(), HasSubstr("2 minutes"));
    EXPECT_EQ(clock.now() - begin, 2min);
}

TEST_F(administration, gives_up_at_the_deadline) {
    auto const service = with({{"create table", being_deleted}});
    once.deadline = clock.now() + 1s;
    auto const r = service.try_create_table("Tab", if_being_deleted::wait, once);
    EXPECT_TRUE(failed_with(r, library_errc::deadline_exceeded));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_THAT(r.error().what(), HasSubstr("Tab"));
}

TEST_F(administration, finds_a_table_that_another_program_created_meanwhile) {
    auto const service = with({{"create table", being_deleted}, {"create table", there}});
    EXPECT_FALSE(service.create_table_if_not_exists("Tab", if_being_deleted::wait, once));
}

// --- lost responses --------------------------------------------------------------------------------------------------

/// The goal is reached, and nobody knows by whom.
void expect_unknown(result<own_doing> const& r) {
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_FALSE(r->is_known());
    try {
        ADD_FAILURE() << (*r ? "said to be its doing" : "said not to be");
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::response_lost);
        EXPECT_EQ(e.outcome(), outcome::in_doubt);
        EXPECT_THAT(e.what(), HasSubstr("exists()"));
    }
}

TEST_F(administration, finds_a_table_there_after_a_lost_answer_and_does_not_guess_who_created_it) {
    auto const service = with({{"create table", lost}, {"create table", there}});
    expect_unknown(service.try_create_table_if_not_exists("Tab", twice));
}

TEST_F(administration, finds_a_table_gone_after_a_lost_answer_and_does_not_guess_who_deleted_it) {
    for (auto const& absent : {gone, unknown}) {
        auto const service = with({{"delete table", lost}, {"delete table", absent}});
        expect_unknown(service.try_delete_table_if_exists("Tab", twice));
    }
}

TEST_F(administration, takes_a_table_that_is_not_found_for_one_that_others_deleted) {
    for (auto const& absent : {gone, unknown}) {
        auto const service = with({{"delete table", absent}});
        EXPECT_FALSE(service.delete_table_if_exists("Tab", once));
    }
}

TEST_F(administration, is_in_doubt_after_a_lost_answer_where_its_own_doing_is_the_goal) {
    auto service = with({{"create table", lost}, {"create table", there}});
    auto const created = service.try_create_table("Tab", twice);
    ASSERT_FALSE(created);
    EXPECT_EQ(created.error().code(), library_errc::response_lost);
    EXPECT_EQ(created.error().outcome(), outcome::in_doubt);
    for (auto const& absent : {gone, unknown}) {
        service = with({{"delete table", lost}, {"delete table", absent}});
        auto const deleted = service.try_delete_table("Tab", twice);
        ASSERT_FALSE(deleted);
        EXPECT_EQ(deleted.error().code(), library_errc::response_lost);
        EXPECT_EQ(deleted.error().outcome(), outcome::in_doubt);
    }
}

TEST_F(administration, is_in_doubt_where_every_answer_was_lost) {
    auto const service = with({{"create table", lost}, {"create table", lost}});
    EXPECT_EQ(service.try_create_table_if_not_exists("Tab", twice).error().outcome(), outcome::in_doubt);
}

TEST_F(administration, sets_again_what_may_have_been_set) {
    auto const service = with({{"set properties", lost}, {"set properties", done}});
    EXPECT_TRUE(service.try_set_properties({.logging = logging_settings{}}, twice));
}

TEST_F(administration, says_what_to_do_when_every_answer_was_lost) {
    auto const service = with({{"set properties", lost}, {"set properties", lost}});
    auto const r = service.try_set_properties({}, twice);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("set them again"));
}

// --- tables ----------------------------------------------------------------------------------------------------------

TEST_F(administration, lists_all_pages_of_tables) {
    auto const service = with({{"list tables prefix Lo", answer_service({.tables = {"Loa"}, .next_table = "x"})},
                               {"list tables prefix Lo from x", answer_service({.next_table = "y"})},
                               {"list tables prefix Lo from y", answer_service({.tables = {"Lob", "Loc"}})}});
    EXPECT_EQ(service.tables("Lo"), (std::vector<std::string>{"Loa", "Lob", "Loc"}));
}

TEST_F(administration, tells_no_tables_where_a_page_of_them_fails) {
    auto const service = with({{"list tables", answer_service({.tables = {"Loa"}, .next_table = "x"})},
                               {"list tables from x", response_failure(service_errc::server_busy)}});
    EXPECT_TRUE(failed_with(service.try_tables(once), service_errc::server_busy));
}

TEST_F(administration, lists_no_tables_for_ever) {
    auto const again = answer_service({.tables = {"Loa"}, .next_table = "x"});
    auto const circle = with({{"list tables", again}, {"list tables from x", again}});
    EXPECT_TRUE(failed_with(circle.try_tables(once), library_errc::malformed_response));
    once.empty_pages = 2;
    auto const endless = with({{"list tables", answer_service({.next_table = "x"})},
                               {"list tables from x", answer_service({.next_table = "y"})}});
    EXPECT_TRUE(failed_with(endless.try_tables(once), library_errc::malformed_response));
}

TEST_F(administration, knows_a_table_by_a_query_that_finds_nothing) {
    auto const service = with({{"query Tab [, ] [, ] top 1 current", answer_page(R"({"value":[]})")},
                               {"query Tab", response_failure(service_errc::table_not_found)},
                               {"query Tab", gone}});
    EXPECT_TRUE(service.has_table("Tab"));
    EXPECT_FALSE(service.has_table("Tab"));
    EXPECT_TRUE(failed_with(service.try_has_table("Tab"), service_errc::resource_not_found));
}

TEST_F(administration, sends_nothing_for_a_name_that_no_table_has) {
    auto const service = with({});
    EXPECT_TRUE(failed_with(service.try_has_table("a_b"), library_errc::invalid_table_name));
    EXPECT_TRUE(failed_with(service.try_create_table("a_b"), library_errc::invalid_table_name));
    EXPECT_TRUE(failed_with(service.try_delete_table_if_exists("a_b"), library_errc::invalid_table_name));
}

TEST_F(administration, of_a_table_sets_and_reads_its_policies) {
    auto const readers = access_policy{.id = "readers", .permissions = table_permission::query};
    with({{"set policies Tab [readers] r", done}, {"read policies Tab", answer_service({.policies = {readers}})}});
    table<dynamic_entity> const t{store(), "Tab"};
    t.set_policies({readers});
    EXPECT_EQ(t.policies(), std::vector{readers});
}

// --- asynchronous ----------------------------------------------------------------------------------------------------

/// Waits for the value that an asynchronous operation completes its callback with.
template <class V, class Start> V completed(Start start) {
    std::promise<V> arrived;
    start([&](std::exception_ptr e, V value) { e ? arrived.set_exception(e) : arrived.set_value(std::move(value)); });
    return arrived.get_future().get();
}

TEST_F(administration, waits_without_blocking_too) {
    with({{"create table", being_deleted}, {"create table", there}});
    async_table_service const service{store()};
    EXPECT_FALSE(completed<bool>([&](auto token) {
        service.create_table_if_not_exists("Tab", if_being_deleted::wait, once, std::move(token));
    }));
    EXPECT_EQ(clock.waits().size(), 1u);
}

TEST_F(administration, completes_tokens_with_what_was_asked_for) {
    with({{"list tables", answer_service({.tables = {"a"}})},
          {"list tables prefix b", answer_service({.tables = {"b"}})},
          {"read properties", answer_service({.properties = {.logging = logging_settings{}}})},
          {"read statistics", response_failure(library_errc::unsupported)}});
    async_table_service const service{store()};
    std::string const prefix = "b";
    using names = std::vector<std::string>;
    EXPECT_EQ(completed<names>([&](auto token) { service.tables(std::move(token)); }), names{"a"});
    EXPECT_EQ(completed<names>([&](auto token) { service.tables(prefix, once, std::move(token)); }), names{"b"});
    EXPECT_TRUE(completed<service_properties>([&](auto token) { service.properties(std::move(token)); }).logging);
    EXPECT_THROW(completed<service_statistics>([&](auto token) { service.statistics(std::move(token)); }), error);
}

}  // namespace
}  // namespace tablemap::test
