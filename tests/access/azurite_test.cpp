// SPDX-License-Identifier: Apache-2.0
#include "access/sale.hpp"
#include "support/azurite.hpp"
#include "support/recording.hpp"

#include "tablemap/query/access_range.hpp"
#include "tablemap/rest/access_signature.hpp"
#include "tablemap/table/service.hpp"
#include "tablemap/tablemap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class access_on_azurite : public ::testing::Test {
protected:
    void SetUp() override {
        if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        owner_text = azurite::shared().connection_string();
        owner.emplace(open_recorded(owner_text), name);
        owner->create();
        owner->insert({"acme", 1, "anvil"});
    }
    void TearDown() override {
        if (owner) owner->delete_if_exists();
    }

    /// The table as somebody sees it who has this signature.
    template <class Access> table<sale> with(Access const& a) const {
        return {open_recorded(make_access_signature(owner_text, a).connection_string), name};
    }

    table_access of_table(table_permissions p, tick_duration life = 1h) const {
        table_access a{.table = name, .permissions = p};
        a.terms.expiry = ticks::now() + life;
        return a;
    }

    static void expect_denied(error const& e, std::string const& why) {
        EXPECT_EQ(e.kind(), error_kind::denied) << e.what();
        EXPECT_EQ(e.outcome(), outcome::not_applied);
        EXPECT_THAT(e.what(), HasSubstr("account 'devstoreaccount1'"));
        EXPECT_THAT(e.what(), HasSubstr("table '" + e.table() + "'"));
        EXPECT_THAT(e.what(), HasSubstr(why));
        EXPECT_THAT(e.what(), Not(HasSubstr("sig=")));
    }

    std::string const name = fresh_name("Access");
    std::string owner_text{};
    std::optional<table<sale>> owner{};
};

/// Everything that a table does to entities, one by one.
void work(table<sale> const& t) {
    t.insert({"acme", 2, "bellows"});
    t.upsert_replace({"acme", 3, "chisel"});
    auto found = *t.find({"acme", 2});
    found.value.article = "bucket";
    t.replace(found);
    EXPECT_EQ(t.find({"acme", 2})->value.article, "bucket");
    int rows = 0;
    for (auto const& e : t.query(partition("acme"))) rows += e.value.number > 0;
    EXPECT_EQ(rows, 3);
    t.erase(*t.find({"acme", 3}));
    EXPECT_FALSE(t.find({"acme", 3}));
}

TEST_F(access_on_azurite, by_shared_key_lite_allows_everything) {
    table<sale> const t{open_recorded(owner_text + "authentication=SharedKeyLite"), name};
    work(t);
    EXPECT_EQ(t.policies().size(), 0u);  // a query with comp
}

TEST_F(access_on_azurite, by_a_credential_of_the_options_needs_no_key_in_the_string) {
    auto const endpoint = parse_storage_account(owner_text)->endpoint.url();
    auto const signature = make_access_signature(owner_text, of_table(table_permissions::all()));
    work({open_recorded("TableEndpoint=" + endpoint, {.credential = sas_credential{signature.query}}), name});
}

TEST_F(access_on_azurite, by_a_signature_of_a_table_allows_its_entities) {
    work(with(of_table(table_permissions::all())));
}

TEST_F(access_on_azurite, by_a_signature_of_the_account_allows_what_it_says) {
    using enum account_permission;
    using enum account_resource;
    account_access a{.permissions = read | write | erase | list | add | create | update,
                     .resources = service | container | object};
    a.terms.expiry = ticks::now() + tick_duration{1h};
    auto const t = with(a);
    work(t);
    transaction group = t.transaction();
    group.insert(sale{"acme", 8, "hammer"});
    group.upsert_replace(sale{"acme", 9, "iron"});
    group.commit();
    table_service const tables{open_recorded(make_access_signature(owner_text, a).connection_string)};
    EXPECT_TRUE(tables.has_table(name));
    table<sale> other{open_recorded(make_access_signature(owner_text, a).connection_string), name + "b"};
    EXPECT_TRUE(other.create_if_not_exists());
    EXPECT_TRUE(other.delete_if_exists());
    expect_denied(t.try_policies().error(), "access policies");
}

TEST_F(access_on_azurite, limited_to_reading_cannot_write) {
    auto const t = with(of_table(table_permission::query));
    EXPECT_EQ(t.find({"acme", 1})->value.article, "anvil");
    expect_denied(t.try_insert({"acme", 5, "x"}).error(), "lacks the permission 'a' (add)");
    auto found = *t.find({"acme", 1});
    expect_denied(t.try_replace(found).error(), "lacks the permission 'u' (update)");
    expect_denied(t.try_erase(found).error(), "lacks the permission 'd' (delete)");
    expect_denied(t.try_upsert_replace({"acme", 1, "x"}).error(), "lacks the permission");
    EXPECT_EQ(owner->find({"acme", 1})->value.article, "anvil");
    EXPECT_FALSE(owner->find({"acme", 5}));
}

TEST_F(access_on_azurite, that_has_expired_says_when) {
    auto a = of_table(table_permissions::all(), 1s);
    auto const ended = with(a);
    std::this_thread::sleep_for(1500ms);  // no signature can be made that has ended
    expect_denied(ended.try_find({"acme", 1}).error(), "expired at 20");
    a.terms.start = ticks::now() + tick_duration{1h};
    a.terms.expiry = ticks::now() + tick_duration{2h};
    expect_denied(with(a).try_find({"acme", 1}).error(), "is valid only from 20");
}

TEST_F(access_on_azurite, with_a_wrong_key_names_the_account_and_not_the_key) {
    std::string const wrong = "d3Jvbmcga2V5";
    auto const endpoint = parse_storage_account(owner_text)->endpoint.url();
    auto const text = "AccountName=devstoreaccount1;AccountKey=" + wrong + ";TableEndpoint=" + endpoint;
    for (auto const* form : {"", ";authentication=SharedKeyLite"}) {
        table<sale> const t{open_recorded(text + form), name};
        auto const e = t.try_insert({"acme", 5, "x"}).error();
        expect_denied(e, "check AccountName and AccountKey");
        EXPECT_THAT(e.what() + e.server_text(), Not(HasSubstr(wrong)));
    }
    table<sale> const signed_wrongly{
        open_recorded(make_access_signature(text, of_table(table_permissions::all())).connection_string), name};
    expect_denied(signed_wrongly.try_find({"acme", 1}).error(), "signed with a key that has been replaced");
}

TEST_F(access_on_azurite, to_another_table_is_denied) {
    auto a = of_table(table_permissions::all());
    a.table = "Another";
    expect_denied(with(a).try_find({"acme", 1}).error(), "for another table, 'Another'");
    expect_denied(with(of_table(table_permissions::all())).try_create().error(), "needs the account's key");
}

TEST_F(access_on_azurite, by_a_stored_policy_ends_with_it) {
    auto const hour = tick_duration{1h};
    owner->set_policies({{.id = "writers",
                          .start = ticks::now() - hour,
                          .expiry = ticks::now() + hour,
                          .permissions = table_permissions::all()}});
    auto const t = with(table_access{.table = name, .policy = "writers"});
    work(t);
    owner->set_policies({});
    expect_denied(t.try_insert({"acme", 7, "x"}).error(), "stored access policy");
}

/// The emulator takes the signature of a range and does not heed the range.
TEST_F(access_on_azurite, to_a_range_of_keys_is_signed_as_the_service_reads_it) {
    auto a = of_table(table_permissions::all());
    a.range = access_range_of<sale>(partition("acme"));
    work(with(a));
    a.range = access_range_of<sale>({"acme", 1}, {"acme", 2});
    EXPECT_EQ(a.range.last_row, "00000002");
    EXPECT_TRUE(with(a).find({"acme", 1}));
}

TEST_F(access_on_azurite, from_addresses_and_over_both_protocols_is_accepted) {
    auto a = of_table(table_permission::query);
    a.terms.start = ticks::now() - tick_duration{1h};
    a.terms.addresses = "127.0.0.1-127.0.0.9";
    a.terms.protocol = access_protocol::https_and_http;
    EXPECT_TRUE(with(a).find({"acme", 1}));
}

}  // namespace
}  // namespace tablemap::test
