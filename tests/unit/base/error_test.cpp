// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/error.hpp"

#include "base/error_text.hpp"
#include "tablemap/base/result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

namespace {

using namespace tablemap;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto last_library_code = library_errc::period_over;
constexpr auto last_service_code = service_errc::snapshots_present;
constexpr auto last_store_code = store_errc::file_gone;
constexpr auto last_transport_code = transport_errc::failed;
constexpr auto last_kind = error_kind::failed;
constexpr auto last_source = error_source::store;

template <class E> std::vector<std::error_code> codes_up_to(E last) {
    std::vector<std::error_code> codes;
    for (int v = 1; v <= static_cast<int>(last); ++v) codes.push_back(make_error_code(static_cast<E>(v)));
    return codes;
}

std::vector<std::error_code> all_codes() {
    auto codes = codes_up_to(last_library_code);
    for (auto const c : codes_up_to(last_service_code)) codes.push_back(c);
    for (auto const c : codes_up_to(last_store_code)) codes.push_back(c);
    for (auto const c : codes_up_to(last_transport_code)) codes.push_back(c);
    return codes;
}

bool is_unknown(std::string const& message) { return message.find("unknown") != std::string::npos; }

// ---- codes ----------------------------------------------------------------------------------------------------------

TEST(error_code, has_a_message_of_its_own_in_its_area) {
    std::set<std::string> seen;
    for (auto const c : all_codes()) {
        auto const said = std::string{c.category().name()} + ": " + c.message();
        EXPECT_FALSE(c.message().empty()) << said;
        EXPECT_FALSE(is_unknown(c.message())) << said;
        EXPECT_TRUE(seen.insert(said).second) << "said twice: " << said;
    }
}

TEST(error_code, behind_the_last_one_is_unknown) {
    // Fails when a code is added behind the last one that these tests walk to.
    EXPECT_TRUE(is_unknown(library_category().message(static_cast<int>(last_library_code) + 1)));
    EXPECT_TRUE(is_unknown(service_category().message(static_cast<int>(last_service_code) + 1)));
    EXPECT_TRUE(is_unknown(store_category().message(static_cast<int>(last_store_code) + 1)));
    EXPECT_TRUE(is_unknown(transport_category().message(static_cast<int>(last_transport_code) + 1)));
    EXPECT_TRUE(is_unknown(library_category().message(0)));
    EXPECT_TRUE(is_unknown(library_category().message(-1)));
}

TEST(error_code, has_exactly_one_kind_which_the_error_names) {
    for (auto const c : all_codes()) {
        int kinds = 0;
        for (int k = 1; k <= static_cast<int>(last_kind); ++k) {
            auto const kind = static_cast<error_kind>(k);
            if (c != kind) continue;
            ++kinds;
            EXPECT_EQ(error{c}.kind(), kind) << c.message();
        }
        EXPECT_EQ(kinds, 1) << c.message();
    }
}

TEST(error_code, has_the_source_of_its_area) {
    for (auto const c : codes_up_to(last_library_code)) EXPECT_TRUE(c == error_source::library) << c.message();
    for (auto const c : codes_up_to(last_service_code)) EXPECT_TRUE(c == error_source::service) << c.message();
    for (auto const c : codes_up_to(last_store_code)) EXPECT_TRUE(c == error_source::store) << c.message();
    for (auto const c : codes_up_to(last_transport_code)) EXPECT_TRUE(c == error_source::transport) << c.message();
}

TEST(error_code, has_no_other_source_and_the_error_agrees) {
    for (auto const c : all_codes())
        for (int s = 1; s <= static_cast<int>(last_source); ++s) {
            auto const source = static_cast<error_source>(s);
            EXPECT_EQ(c == source, error{c}.source() == source) << c.message();
        }
}

TEST(error_code, matches_no_condition_of_another_library) {
    std::error_code const c = library_errc::cancelled;
    EXPECT_FALSE(c == std::errc::operation_canceled);
    EXPECT_FALSE(std::make_error_code(std::errc::timed_out) == error_kind::timed_out);
}

TEST(error_code, of_one_area_is_no_code_of_another) {
    std::error_code const library = library_errc::entity_too_large;
    EXPECT_TRUE(library == library_errc::entity_too_large);
    EXPECT_FALSE(library == service_errc::entity_too_large);
    EXPECT_TRUE(library == error_kind::too_large &&
                make_error_code(service_errc::entity_too_large) == error_kind::too_large);
}

TEST(error_condition, has_a_message_for_every_value) {
    for (int v = 1; v <= static_cast<int>(last_kind); ++v)
        EXPECT_FALSE(is_unknown(make_error_condition(static_cast<error_kind>(v)).message())) << v;
    for (int v = 1; v <= static_cast<int>(last_source); ++v)
        EXPECT_FALSE(is_unknown(make_error_condition(static_cast<error_source>(v)).message())) << v;
    EXPECT_TRUE(is_unknown(error_kind_category().message(static_cast<int>(last_kind) + 1)));
    EXPECT_TRUE(is_unknown(error_source_category().message(static_cast<int>(last_source) + 1)));
}

TEST(error_condition, of_kind_and_of_source_are_not_confused_by_equal_numbers) {
    auto const kind = make_error_condition(error_kind::invalid_argument);
    auto const source = make_error_condition(error_source::library);
    ASSERT_EQ(kind.value(), source.value());
    EXPECT_NE(kind, source);
}

// ---- service names --------------------------------------------------------------------------------------------------

TEST(service_code, is_found_again_by_its_name) {
    for (int v = 2; v <= static_cast<int>(last_service_code); ++v) {
        auto const code = static_cast<service_errc>(v);
        EXPECT_FALSE(service_code_name(code).empty()) << v;
        EXPECT_EQ(service_code_from_name(service_code_name(code)), code) << service_code_name(code);
    }
}

TEST(service_code, has_the_names_of_the_protocol) {
    EXPECT_EQ(service_code_name(service_errc::entity_already_exists), "EntityAlreadyExists");
    EXPECT_EQ(service_code_name(service_errc::update_condition_not_satisfied), "UpdateConditionNotSatisfied");
    EXPECT_EQ(service_code_name(service_errc::commands_in_batch_act_on_different_partitions),
              "CommandsInBatchActOnDifferentPartitions");
    EXPECT_EQ(service_code_from_name("ResourceNotFound"), service_errc::resource_not_found);
}

TEST(service_code, of_a_name_that_is_not_listed_is_unknown) {
    for (auto const* name : {"", "entityalreadyexists", "EntityAlreadyExists ", "SomethingNew"})
        EXPECT_EQ(service_code_from_name(name), service_errc::unknown) << name;
    EXPECT_EQ(service_code_name(service_errc::unknown), "");
    EXPECT_EQ(service_code_name(static_cast<service_errc>(999)), "");
}

// ---- the exception --------------------------------------------------------------------------------------------------

error full_error() {
    return error{service_errc::entity_too_large,
                 {.reason = "store the photo apart",
                  .action = "insert",
                  .table = "Employees",
                  .member = "photo",
                  .server_text = "SECRET words of the server",
                  .failed_index = 7}};
}

TEST(error_what, says_action_table_operation_member_and_reason) {
    EXPECT_STREQ(full_error().what(), "insert in table 'Employees', operation 7, member 'photo': "
                                      "the entity is larger than 1 MiB: store the photo apart");
}

TEST(error_what, says_what_the_operation_at_fault_was_to_do) {
    auto d = full_error().details();
    d.action = "commit";
    d.failed_action = "upsert_merge";
    d.failed_key = entity_key{"SECRET", "SECRET"};
    error const e{service_errc::entity_too_large, d};
    EXPECT_STREQ(e.what(), "commit in table 'Employees', operation 7 (upsert_merge), member 'photo': "
                           "the entity is larger than 1 MiB: store the photo apart");
    EXPECT_EQ(e.failed_action(), "upsert_merge");
    EXPECT_EQ(e.failed_key(), (entity_key{"SECRET", "SECRET"}));
}

TEST(error_what, is_the_message_alone_when_nothing_else_is_known) {
    EXPECT_STREQ(error{library_errc::response_lost}.what(), "the response was lost");
}

TEST(error_what, can_be_told_in_other_words) {
    error const e{service_errc::container_not_found, {.action = "sweep", .table = "values"}};
    EXPECT_EQ(detail::describe(e, {.place = "container", .remedy = "create it"}),
              "sweep in container 'values': the container does not exist: create it");
    EXPECT_EQ(detail::describe(e, {}), "sweep in table 'values': the container does not exist");
    error const bare{library_errc::invalid_text, {.table = "values"}};
    EXPECT_THAT(detail::describe(bare, {.place = "container"}), StartsWith("container 'values': "));
}

TEST(error_what, begins_with_whatever_is_known_first) {
    EXPECT_THAT((error{library_errc::invalid_text, {.member = "name"}}.what()), StartsWith("member 'name': "));
    EXPECT_THAT((error{library_errc::invalid_table_name, {.table = "x"}}.what()), StartsWith("table 'x': "));
}

TEST(error_what, never_holds_the_text_of_the_server) {
    auto const e = full_error();
    EXPECT_EQ(e.server_text(), "SECRET words of the server");
    for (auto const& other : {e, e.in("replace", "Other"), e.at("age"), e.with(outcome::in_doubt)}) {
        EXPECT_THAT(other.what(), Not(HasSubstr("SECRET")));
        EXPECT_EQ(other.server_text(), e.server_text());
    }
}

TEST(error_what, says_that_a_write_is_in_doubt) {
    EXPECT_THAT(full_error().what(), Not(HasSubstr("in doubt")));
    EXPECT_THAT(full_error().with(outcome::in_doubt).what(), HasSubstr("in doubt"));
}

TEST(error, is_a_system_error_with_its_code) {
    try {
        throw full_error();
    } catch (std::system_error const& e) {
        EXPECT_EQ(e.code(), service_errc::entity_too_large);
        EXPECT_THAT(e.what(), HasSubstr("member 'photo'"));
    }
}

TEST(error, gives_back_its_details) {
    auto const e = full_error();
    EXPECT_EQ(e.table(), "Employees");
    EXPECT_EQ(e.member(), "photo");
    EXPECT_EQ(e.failed_index(), 7u);
    EXPECT_EQ(e.outcome(), outcome::not_applied);
    EXPECT_EQ(e.details().reason, "store the photo apart");
}

TEST(error, keeps_the_faults_of_a_row_through_every_copy) {
    error const bare{library_errc::type_mismatch};
    EXPECT_TRUE(bare.faults().empty());
    property_fault const fault{.code = library_errc::type_mismatch,
                               .property = "age",
                               .expected = "Edm.Int32",
                               .found = "Edm.String",
                               .reason = "give the member the stored type"};
    error const e{library_errc::type_mismatch, {.faults = {fault, {.code = library_errc::missing_property}}}};
    for (auto const& other : {e, e.in("find", "Employees"), e.at("age"), e.with(outcome::in_doubt)}) {
        ASSERT_EQ(other.faults().size(), 2u);
        EXPECT_EQ(other.faults()[0], fault);
        EXPECT_EQ(other.faults()[1].code, library_errc::missing_property);
    }
    EXPECT_NE(e, bare);
}

TEST(error, takes_the_upper_layers_action_and_keeps_a_table_that_is_known) {
    error const bare{library_errc::invalid_key};
    EXPECT_EQ(bare.in("find", "Employees").table(), "Employees");
    EXPECT_THAT(bare.in("find", "Employees").what(), StartsWith("find in table 'Employees': "));
    EXPECT_EQ(full_error().in("replace_any", "Other").table(), full_error().table());
    EXPECT_THAT(full_error().in("replace_any", "Other").what(), StartsWith("replace_any in table"));
}

TEST(error, is_told_its_member_and_outcome_without_change_to_the_original) {
    error const e{library_errc::value_too_large, {.member = "name"}};
    EXPECT_EQ(e.at("address").member(), "address");
    EXPECT_EQ(e.with(outcome::applied).outcome(), outcome::applied);
    EXPECT_EQ(e.member(), "name");
    EXPECT_EQ(e.outcome(), outcome::not_applied);
}

TEST(error, is_not_retryable_while_its_write_is_in_doubt) {
    int retryable = 0;
    for (auto const c : all_codes()) {
        EXPECT_FALSE((error{c, {.outcome = outcome::in_doubt}}.retryable())) << c.message();
        retryable += error{c}.retryable() ? 1 : 0;
    }
    EXPECT_GT(retryable, 0);
}

TEST(error, is_retryable_if_and_only_if_the_store_may_do_better_later) {
    for (auto const c : all_codes()) EXPECT_EQ(error{c}.retryable(), c == error_kind::unavailable) << c.message();
}

TEST(error, of_a_foreign_code_is_a_failure_of_the_library) {
    error const e{std::make_error_code(std::errc::io_error)};
    EXPECT_EQ(e.kind(), error_kind::failed);
    EXPECT_EQ(e.source(), error_source::library);
    EXPECT_FALSE(e.retryable());
}

TEST(error, still_speaks_after_it_was_moved_from) {
    auto e = full_error();
    auto const moved = std::move(e);
    EXPECT_THAT(moved.what(), HasSubstr("member 'photo'"));
    EXPECT_THAT(e.what(), HasSubstr("larger than 1 MiB"));  // NOLINT(bugprone-use-after-move): that is the question
    EXPECT_FALSE(e.retryable());
}

TEST(error, names_the_remedy_whichever_store_told_of_it) {
    EXPECT_THAT((error{service_errc::table_not_found}.what()),
                EndsWith(": create the table first, for example with create_if_not_exists()"));
    EXPECT_THAT((error{service_errc::update_condition_not_satisfied, {.reason = "etag B"}}.what()),
                EndsWith(": etag B; read it again and repeat the change, as modify does"));
}

// ---- results --------------------------------------------------------------------------------------------------------

TEST(result, throws_its_error) {
    result<int> r = fail(library_errc::invalid_key, {.member = "id"});
    try {
        value_or_throw(std::move(r));
        FAIL() << "nothing was thrown";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::invalid_key);
        EXPECT_EQ(e.member(), "id");
    }
}

TEST(result, gives_its_value) {
    EXPECT_EQ(value_or_throw(result<std::string>{"here"}), "here");
    result<std::string> const kept{"kept"};
    EXPECT_EQ(value_or_throw(kept), *kept);
    EXPECT_NO_THROW(value_or_throw(result<void>{}));
    static_assert(std::is_void_v<decltype(value_or_throw(result<void>{}))>);
}

}  // namespace
