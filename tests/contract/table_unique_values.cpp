// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"
#include "support/unique_samples.hpp"

#include "tablemap/patterns/async_table_with_unique_values.hpp"

#include <boost/asio/use_future.hpp>

#include <optional>
#include <string>

namespace tablemap::test {
namespace {

class table_unique_values : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
        accounts_.emplace(shared_store(), table().table(), unique_options{.reservations = fresh_table_name()});
        accounts_->create_if_not_exists();
    }

    account_table& accounts() { return *accounts_; }

    static account don() { return {.tenant = "contoso", .number = 1, .email = "don@contoso.com", .login = "don"}; }
    static account eve() { return {.tenant = "fabrikam", .number = 2, .email = "eve@fabrikam.com"}; }
    static key_of<account> don_key() { return {"contoso", 1}; }

    template <class R>::testing::AssertionResult taken(R const& r, std::string const& name) {
        if (r) return ::testing::AssertionFailure() << "succeeded";
        bool const right = r.error().code() == library_errc::unique_value_taken && r.error().member() == name &&
                           r.error().outcome() == outcome::not_applied;
        return right ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << r.error().what();
    }

private:
    std::optional<account_table> accounts_{};
};
TABLEMAP_ON_EVERY_STORE(table_unique_values);

TEST_P(table_unique_values, of_one_entity_are_refused_to_others_of_any_partition) {
    auto const made = accounts().insert(don());
    EXPECT_EQ(made.value, don());
    EXPECT_EQ(accounts().entities().find(don_key())->etag, made.etag);
    auto twin = eve();
    twin.email = "don@contoso.com";
    EXPECT_TRUE(taken(accounts().try_insert(twin), "email"));
    twin = eve();
    twin.login = "don";
    EXPECT_TRUE(taken(accounts().try_insert(twin), "login"));
    EXPECT_FALSE(accounts().entities().find("fabrikam", 2).has_value());
    accounts().insert(eve());
    EXPECT_TRUE(accounts().verify().findings.empty());
}

TEST_P(table_unique_values, of_none_may_be_shared) {
    accounts().insert({.tenant = "contoso", .number = 1});
    accounts().insert({.tenant = "contoso", .number = 2});
    EXPECT_EQ(accounts().verify().reservations, 0U);
}

TEST_P(table_unique_values, find_their_entity) {
    accounts().insert(don());
    EXPECT_EQ(accounts().find_by<"email">("don@contoso.com")->value, don());
    auto found = accounts().find_by<"login">("don");
    ASSERT_TRUE(found);
    found->value.visits = 1;
    accounts().replace(*found);
    EXPECT_FALSE(accounts().find_by<"email">("don").has_value());
    EXPECT_FALSE(accounts().find_by<"login">("eve").has_value());
}

TEST_P(table_unique_values, that_change_are_free_for_others) {
    accounts().insert(don());
    auto const changed = accounts().modify(don_key(), [](account& a) { a.email = "donald@contoso.com"; });
    EXPECT_EQ(accounts().entities().find(don_key())->etag, changed.etag);
    EXPECT_FALSE(accounts().find_by<"email">("don@contoso.com").has_value());
    EXPECT_EQ(accounts().find_by<"email">("donald@contoso.com")->value.number, 1);
    auto successor = eve();
    successor.email = "don@contoso.com";
    accounts().insert(successor);
    auto const back = accounts().try_modify(don_key(), [](account& a) { a.email = "don@contoso.com"; });
    EXPECT_TRUE(taken(back, "email"));
    EXPECT_TRUE(accounts().verify().findings.empty());
}

TEST_P(table_unique_values, that_are_given_up_are_free_for_others) {
    accounts().insert(don());
    accounts().modify(don_key(), [](account& a) { a.email.reset(), a.login.reset(); });
    EXPECT_EQ(accounts().verify().reservations, 0U);
    auto successor = eve();
    successor.login = "don";
    accounts().insert(successor);
}

TEST_P(table_unique_values, of_an_erased_entity_are_free_for_others) {
    auto const made = accounts().insert(don());
    accounts().erase(made);
    EXPECT_EQ(accounts().verify().reservations, 0U);
    EXPECT_EQ(accounts().insert(don()).value, don());
}

TEST_P(table_unique_values, follow_a_replace) {
    auto made = accounts().insert(don());
    auto stale = made;
    made.value.email = "donald@contoso.com";
    accounts().replace(made);
    EXPECT_EQ(accounts().entities().find(don_key())->etag, made.etag);
    EXPECT_EQ(accounts().find_by<"email">("donald@contoso.com")->value.number, 1);
    EXPECT_TRUE(failed_as(accounts().try_replace(stale), error_kind::precondition_failed));
    EXPECT_TRUE(failed_as(accounts().try_erase(stale), error_kind::precondition_failed));
    EXPECT_TRUE(accounts().verify().findings.empty());
}

TEST_P(table_unique_values, that_do_not_change_leave_a_change_as_it_is) {
    accounts().insert(don());
    auto const changed = accounts().modify(don_key(), [](account& a) { ++a.visits; });
    EXPECT_EQ(changed.value.visits, 1);
    EXPECT_EQ(accounts().modify(don_key(), [](account&) {}).etag, changed.etag);
    EXPECT_TRUE(failed_as(accounts().try_modify({"contoso", 9}, [](account&) {}), error_kind::not_found));
}

TEST_P(table_unique_values, of_rows_that_were_written_otherwise_are_reserved_by_a_repair) {
    accounts().entities().insert(don());
    accounts().insert(eve());
    accounts().entities().modify({"fabrikam", 2}, [](account& a) { a.email = "else@fabrikam.com"; });
    auto const found = accounts().verify();
    EXPECT_EQ(summary_of(found), "abandoned email, unprotected email, unprotected login, unprotected email");
    EXPECT_EQ(found.entities, 2U);
    EXPECT_TRUE(accounts().repair().clean());
    EXPECT_TRUE(accounts().verify().findings.empty());
    EXPECT_EQ(accounts().find_by<"email">("don@contoso.com")->value, don());
}

TEST_P(table_unique_values, are_kept_by_callers_that_do_not_block) {
    auto const wait = boost::asio::use_future;
    async_table_with_unique_values<account, unique_value<"email", &account::email>> const rows{
        shared_store(), accounts().name(), {.reservations = accounts().reservations()}};
    auto const first = don();
    auto made = rows.insert(first, wait).get();
    auto twin = eve();
    twin.email = "don@contoso.com";
    EXPECT_THROW(rows.insert(twin, wait).get(), error);
    made.value.email = "donald@contoso.com";
    rows.replace(made, call_options{}, wait).get();
    std::string const donald = "donald@contoso.com";
    EXPECT_EQ(rows.find_by<"email">(donald, wait).get()->etag, made.etag);
    auto const changed = rows.modify(
                                 {"contoso", 1}, [](account& a) { a.email = "d@contoso.com"; }, wait)
                             .get();
    EXPECT_TRUE(rows.verify(wait).get().clean());
    rows.erase(changed, wait).get();
    EXPECT_EQ(rows.repair(wait).get().reservations, 0U);
}

}  // namespace
}  // namespace tablemap::test
