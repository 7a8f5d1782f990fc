// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"
#include "support/families.hpp"
#include "support/observing.hpp"

#include "tablemap/patterns/async_one_to_one.hpp"
#include "tablemap/table/table.hpp"

#include <boost/asio/use_future.hpp>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class table_row_pair : public seam {
protected:
    one_to_one<profile, payroll> people() { return {shared_store(), table().table()}; }
    tablemap::table<profile> profiles() { return {shared_store(), table().table()}; }
    tablemap::table<payroll> payrolls() { return {shared_store(), table().table()}; }

    halves<profile, payroll> insert_don() { return people().insert({"Bonn", 7, "Don"}, {"Bonn", 7, 300}); }
};
TABLEMAP_ON_EVERY_STORE(table_row_pair);

TEST_P(table_row_pair, are_written_together_and_read_together) {
    auto const seen = std::make_shared<keeping_observer>();
    one_to_one<profile, payroll> const watched{with_observer(shared_store(), seen), table().table()};
    watched.insert({"Bonn", 7, "Don"}, {"Bonn", 7, 300});
    EXPECT_EQ(seen->requests.size(), 1u);
    auto const don = watched.find("Bonn", 7);
    EXPECT_EQ(seen->requests.size(), 3u);
    ASSERT_TRUE(don.complete());
    EXPECT_EQ(don.first->value.name, "Don");
    EXPECT_EQ(don.second->value.cents, 300);
    EXPECT_TRUE(watched.find("Bonn", 8).empty());
}

TEST_P(table_row_pair, are_inserted_both_or_neither) {
    payrolls().insert({"Bonn", 7, 100});
    EXPECT_TRUE(
        failed_with(people().try_insert({"Bonn", 7, "Don"}, {"Bonn", 7, 300}), service_errc::entity_already_exists));
    auto const found = people().find("Bonn", 7);
    EXPECT_FALSE(found.first);
    EXPECT_FALSE(found.complete());
    EXPECT_EQ(found.second->value.cents, 100);
}

TEST_P(table_row_pair, are_replaced_as_they_were_read) {
    insert_don();
    auto mine = people().find("Bonn", 7);
    auto theirs = mine;
    mine.second->value.cents = 400;
    people().replace(mine);
    theirs.first->value.name = "Dan";
    EXPECT_TRUE(failed_with(people().try_replace(theirs), service_errc::update_condition_not_satisfied));
    EXPECT_EQ(people().find("Bonn", 7).first->value.name, "Don");
    mine.first->value.name = "Donald";
    people().replace(mine);  // the etags were refreshed
    EXPECT_EQ(profiles().find("Bonn", 7)->value.name, "Donald");
    EXPECT_EQ(payrolls().find("Bonn", 7)->value.cents, 400);
}

TEST_P(table_row_pair, are_erased_as_they_were_read) {
    auto const don = insert_don();
    auto changed = *don.first;
    profiles().replace(changed);
    EXPECT_TRUE(failed_with(people().try_erase(don), service_errc::update_condition_not_satisfied));
    people().erase(people().find("Bonn", 7));
    EXPECT_TRUE(people().find("Bonn", 7).empty());
    profiles().insert({"Bonn", 8, "Jun"});
    people().erase(people().find("Bonn", 8));  // the one that is there
    EXPECT_TRUE(people().find("Bonn", 8).empty());
}

TEST_P(table_row_pair, of_two_things_are_refused) {
    auto const r = people().try_insert({"Bonn", 7, "Don"}, {"Bonn", 8, 300});
    ASSERT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    auto don = insert_don();
    don.second->value.id = 8;
    EXPECT_TRUE(failed_with(people().try_replace(don), library_errc::invalid_key));
    EXPECT_TRUE(failed_with(people().try_find({"a/b", 8}), library_errc::invalid_key));
}

TEST_P(table_row_pair, without_blocking_do_the_same) {
    async_one_to_one<profile, payroll> const t{shared_store(), table().table()};
    profile const first{"Bonn", 7, "Don"};
    payroll const second{"Bonn", 7, 300};
    auto don = t.insert(first, second, asio::use_future).get();
    don.first->value.name = "Dan";
    t.replace(don, asio::use_future).get();
    EXPECT_EQ(t.find({"Bonn", 7}, asio::use_future).get().first->value.name, "Dan");
    EXPECT_THROW(t.insert(first, second, call_options{}, asio::use_future).get(), error);
    t.erase(don, asio::use_future).get();
    EXPECT_TRUE(t.find({"Bonn", 7}, call_options{}, asio::use_future).get().empty());
    EXPECT_THROW(t.find({"a/b", 7}, asio::use_future).get(), error);
}

}  // namespace
}  // namespace tablemap::test
