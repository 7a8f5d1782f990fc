// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/access_signature.hpp"

#include "unit/rest/fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ticks time(char const* text) { return *ticks::parse(text); }

table_access everything() {
    table_access a{.table = "protopeople", .permissions = table_permissions::all()};
    a.terms.expiry = time("2035-01-01T00:00:00Z");
    return a;
}

account_access all_of_account() {
    using enum account_permission;
    using enum account_resource;
    account_access a{.permissions = read | write | erase | list | add | create | update,
                     .resources = service | container | object};
    a.terms.expiry = time("2035-01-01T00:00:00Z");
    return a;
}

/// The value of a parameter as it stands in a query.
std::string value_in(std::string const& query, std::string const& name) {
    auto const text = "&" + query + "&";
    auto const at = text.find("&" + name + "=");
    if (at == std::string::npos) return "(absent)";
    auto const from = at + name.size() + 2;
    return text.substr(from, text.find('&', from) - from);
}

std::string signature_of(auto const& access) {
    auto const made = try_make_access_signature(emulator_account(), access);
    return made ? value_in(made->query, "sig") : made.error().what();
}

// --- signatures that a server accepted -------------------------------------------------------------------------------

TEST(access_signature, of_a_table_with_all_permissions) {
    EXPECT_EQ(signature_of(everything()), "FBE2kf8Thd6qXBbSi7PhncA%2FeAkP0Nk7D%2BSfKi63ztI%3D");
}

TEST(access_signature, of_an_account_may_process_messages) {
    auto a = all_of_account();
    a.permissions = a.permissions | account_permission::process;
    a.services = account_service::queue;
    auto const made = make_access_signature(emulator_account(), a);
    EXPECT_EQ(value_in(made.query, "sp"), "rwdlacup");
    EXPECT_EQ(value_in(made.query, "ss"), "q");
}

TEST(access_signature, of_one_partition_for_one_address_and_a_time) {
    auto a = everything();
    a.permissions = table_permission::query;
    a.terms.start = time("2020-01-01T00:00:00Z");
    a.terms.addresses = "127.0.0.1";
    a.terms.protocol = access_protocol::https_and_http;
    a.range = access_range::partition("a b");
    EXPECT_EQ(signature_of(a), "1hEOJG%2FOszIvqJwaATKSqgAc3WAbWbsmnDFowDa8Zug%3D");
    EXPECT_EQ(make_access_signature(emulator_account(), a).query,
              "sv=2019-02-02&st=2020-01-01T00%3A00%3A00Z&se=2035-01-01T00%3A00%3A00Z&sp=r&sip=127.0.0.1&"
              "spr=https%2Chttp&tn=protopeople&spk=a%20b&epk=a%20b&"
              "sig=1hEOJG%2FOszIvqJwaATKSqgAc3WAbWbsmnDFowDa8Zug%3D");
}

TEST(access_signature, of_a_range_of_both_keys) {
    auto a = everything();
    a.permissions = table_permission::query;
    a.range = {.first_partition = "a", .first_row = "1", .last_partition = "b", .last_row = "9"};
    EXPECT_EQ(signature_of(a), "yWKrPQ6g9RSvcSV%2BGU8llus13MNx4xWDZ2MCv02ugjA%3D");
}

TEST(access_signature, of_an_account) {
    auto a = all_of_account();
    EXPECT_EQ(signature_of(a), "Fn%2BgTz94egMpvNYieZ4cKMQy3OF8VVti5d7ZNTYrEWA%3D");
    a.terms.version = "2020-12-06";
    EXPECT_EQ(signature_of(a), "EXE7OC9KV63%2B84lLWeBkY1q5ijqcHNBXCv%2B8666JMPA%3D");
}

// --- terms -----------------------------------------------------------------------------------------------------------

TEST(access_signature, signs_the_tables_name_in_lower_case_and_gives_it_as_it_is) {
    auto a = everything();
    a.table = "ProtoPeople";
    EXPECT_EQ(signature_of(a), signature_of(everything()));
    EXPECT_EQ(value_in(make_access_signature(emulator_account(), a).query, "tn"), "ProtoPeople");
}

TEST(access_signature, leaves_to_a_policy_what_it_does_not_say) {
    table_access const a{.table = "people", .policy = "readers"};
    EXPECT_EQ(detail::string_to_sign(emulator_account(), a),
              "\n\n\n/table/devstoreaccount1/people\nreaders\n\n\n2019-02-02\n\n\n\n");
    EXPECT_THAT(make_access_signature(emulator_account(), a).query,
                StartsWith("sv=2019-02-02&si=readers&tn=people&sig="));
}

TEST(access_signature, rounds_times_down_to_seconds) {
    auto a = everything();
    a.terms.expiry = time("2035-01-01T00:00:00.9999999Z");
    EXPECT_EQ(signature_of(a), signature_of(everything()));
}

TEST(access_signature, allows_plain_http_only_to_an_endpoint_of_http) {
    auto const account = *parse_storage_account("AccountName=abc;AccountKey=AQID");
    auto a = everything();
    EXPECT_EQ(value_in(make_access_signature(account, a).query, "spr"), "https");
    a.terms.protocol = access_protocol::https_and_http;
    EXPECT_EQ(value_in(make_access_signature(account, a).query, "spr"), "https%2Chttp");
    EXPECT_EQ(value_in(make_access_signature(emulator_account(), everything()).query, "spr"), "(absent)");
}

TEST(access_signature, refuses_terms_of_which_none_can_be_made) {
    auto const refused = [](std::function<void(table_access&)> const& change) {
        auto a = everything();
        change(a);
        auto const made = try_make_access_signature(emulator_account(), a);
        if (made) return std::string{"made"};
        EXPECT_EQ(made.error().code(), library_errc::invalid_access_signature) << made.error().what();
        return made.error().member();
    };
    EXPECT_EQ(refused([](auto& a) { a.permissions = {}; }), "permissions");
    EXPECT_EQ(refused([](auto& a) { a.terms.expiry.reset(); }), "expiry");
    EXPECT_EQ(refused([](auto& a) { a.terms.expiry = ticks{}; }), "expiry");
    EXPECT_EQ(refused([](auto& a) { a.terms.start = a.terms.expiry; }), "expiry");
    EXPECT_EQ(refused([](auto& a) { a.terms.start = ticks{}; }), "start");
    EXPECT_EQ(refused([](auto& a) { a.terms.version = "2014-02-14"; }), "version");
    EXPECT_EQ(refused([](auto& a) { a.terms.version = "2019-02-2\n"; }), "version");
    EXPECT_EQ(refused([](auto& a) { a.policy = std::string(65, 'x'); }), "policy");
    EXPECT_EQ(refused([](auto& a) { a.range.first_row = "1"; }), "first_row");
    EXPECT_EQ(refused([](auto& a) { a.range.last_row = "1"; }), "last_row");
    EXPECT_EQ(refused([](auto& a) { a.range = access_range::partition("a/b"); }), "first_partition");
    EXPECT_EQ(refused([](auto& a) { a.range = {.first_partition = "b", .last_partition = "a"}; }), "last_partition");
    for (auto const* text :
         {"1.2.3", "1.2.3.4.5", "1.2.3.256", "a.b.c.d", "1.2.3.4-", "1.2.3.4-1.2.3.3", "::1", "1..2.3"})
        EXPECT_EQ(refused([&](auto& a) { a.terms.addresses = text; }), "addresses") << text;
    EXPECT_EQ(refused([](auto& a) { a.terms.addresses = "10.0.0.1-10.0.0.255"; }), "made");
}

// Each term is a line of what is signed: a policy's id with line breaks would be a signature over other terms, too.
TEST(access_signature, refuses_an_id_of_a_policy_that_would_change_the_other_terms) {
    for (std::string const id : {"P\n\nhttps\n2019-02-02\n0\n\nzzz\nz", "a\r", "a\tb", "\x7F"}) {
        auto a = everything();
        a.policy = id;
        auto const made = try_make_access_signature(emulator_account(), a);
        ASSERT_FALSE(made) << id;
        EXPECT_EQ(made.error().member(), "policy");
    }
    auto a = everything();
    a.policy = std::string{"a\0b", 3};
    EXPECT_FALSE(try_make_access_signature(emulator_account(), a));
    a.policy = "K\xC3\xBC"
               "che 1";
    EXPECT_TRUE(try_make_access_signature(emulator_account(), a));
}

TEST(access_signature, refuses_an_expiry_that_has_passed) {
    auto const expiring = [](auto access, tick_duration from_now) {
        access.terms.expiry = ticks::now() + from_now;
        return try_make_access_signature(emulator_account(), access);
    };
    auto const of_table = expiring(everything(), -std::chrono::seconds{1});
    ASSERT_FALSE(of_table);
    EXPECT_EQ(of_table.error().code(), library_errc::invalid_access_signature);
    EXPECT_EQ(of_table.error().member(), "expiry");
    EXPECT_THAT(of_table.error().what(), HasSubstr("give a time to come, in UTC, and check this machine's clock"));
    EXPECT_FALSE(expiring(all_of_account(), -std::chrono::hours{1}));
    EXPECT_TRUE(expiring(all_of_account(), std::chrono::hours{1}));
}

TEST(access_signature, never_becomes_wider_because_a_key_is_empty) {
    auto const member_of = [](access_range r) {
        auto a = everything();
        a.range = std::move(r);
        auto const made = try_make_access_signature(emulator_account(), a);
        return made ? "made" : made.error().member();
    };
    EXPECT_EQ(member_of(access_range::partition("")), "last_partition");
    EXPECT_EQ(member_of({.first_partition = "", .first_row = "5", .last_partition = "b"}), "first_partition");
    EXPECT_EQ(member_of({.first_partition = "a", .first_row = "", .last_partition = "a", .last_row = ""}), "last_row");
    EXPECT_EQ(member_of({.first_partition = "a", .first_row = "", .last_partition = "a", .last_row = "9"}), "made");
}

TEST(access_signature, refuses_terms_of_an_account) {
    auto a = all_of_account();
    a.resources = {};
    EXPECT_EQ(try_make_access_signature(emulator_account(), a).error().member(), "resources");
    a = all_of_account();
    a.terms.expiry.reset();
    EXPECT_EQ(try_make_access_signature(emulator_account(), a).error().member(), "expiry");
}

TEST(access_signature, refuses_a_table_that_cannot_be) {
    auto a = everything();
    a.table = "x/y";
    EXPECT_EQ(try_make_access_signature(emulator_account(), a).error().code(), library_errc::invalid_table_name);
}

// --- accounts and resources ------------------------------------------------------------------------------------------

TEST(access_signature, needs_the_accounts_key) {
    auto const text = make_access_signature("UseDevelopmentStorage=true", everything()).connection_string;
    EXPECT_EQ(try_make_access_signature(text, everything()).error().code(), library_errc::unsupported);
    EXPECT_EQ(try_make_access_signature("nonsense", everything()).error().code(),
              library_errc::invalid_connection_string);
    EXPECT_EQ(try_make_access_signature(
                  "AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.table.cosmos.azure.com", everything())
                  .error()
                  .code(),
              library_errc::unsupported);
}

TEST(access_signature, comes_as_a_connection_string_too) {
    auto const of = [](std::string const& text) { return make_access_signature(text, everything()).connection_string; };
    EXPECT_THAT(of("UseDevelopmentStorage=true"),
                StartsWith("TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;SharedAccessSignature=sv=2019"));
    EXPECT_THAT(of("AccountName=abc;AccountKey=AQID;TableEndpoint=https://tables.example"),
                StartsWith("AccountName=abc;TableEndpoint=https://tables.example;SharedAccessSignature=sv="));
    auto const account = parse_storage_account(of("AccountName=abc;AccountKey=AQID"));
    ASSERT_TRUE(account);
    EXPECT_EQ(account->name, "abc");
    EXPECT_THAT(of("AccountName=abc;AccountKey=AQID"), Not(HasSubstr("AQID")));
}

}  // namespace
