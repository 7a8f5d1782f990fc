// SPDX-License-Identifier: Apache-2.0
#include "rest/refusal_advice.hpp"

#include "unit/rest/fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;
using ::testing::Not;

request const a_read = get_entity{"people", "p", "r"};
request const an_insert = write_entity{"people", {.kind = write_kind::insert, .partition_key = "p", .row_key = "r"}};
request const an_upsert =
    write_entity{"people", {.kind = write_kind::upsert_merge, .partition_key = "p", .row_key = "r"}};

std::string advice(credential c, request const& r, service_errc code, std::optional<ticks> served_at = {}) {
    storage_account a{.name = "hrdata", .credential = std::move(c)};
    return detail::with_advice(error{code}, r, a, a_date(), served_at).details().reason;
}

std::string of_sas(std::string const& token, request const& r,
                   service_errc code = service_errc::authentication_failed) {
    auto const text = advice(sas_credential{token + "&sig=c2VjcmV0"}, r, code);
    EXPECT_THAT(text, HasSubstr("for account 'hrdata'"));
    EXPECT_THAT(text, Not(HasSubstr("c2Vj")));
    return text;
}

TEST(refusal_advice, says_when_a_signature_expired) {
    EXPECT_THAT(of_sas("se=2026-11-19T23%3A59%3A59Z&sp=r", a_read), HasSubstr("expired at 2026-11-19T23:59:59Z"));
    EXPECT_THAT(of_sas("se=2026-11-19&sp=r", a_read), HasSubstr("expired at 2026-11-19T00:00:00Z"));
    EXPECT_THAT(of_sas("se=2026-11-19T10:30Z&sp=r", a_read), HasSubstr("expired at 2026-11-19T10:30:00Z"));
    EXPECT_THAT(of_sas("st=2026-11-21T00:00:00Z&se=2027-01-01&sp=r", a_read), HasSubstr("valid only from 2026-11-21"));
}

TEST(refusal_advice, says_what_a_signature_lacks) {
    EXPECT_THAT(of_sas("sp=r&tn=people", an_insert), HasSubstr("lacks the permission 'a' (add): it has 'r'"));
    EXPECT_THAT(of_sas("sp=ra&tn=people", an_upsert), HasSubstr("lacks the permission 'u' (update)"));
    EXPECT_THAT(of_sas("sp=raud&tn=orders", a_read), HasSubstr("for another table, 'orders'"));
    EXPECT_THAT(of_sas("sp=raud&tn=people", create_table{"people"}), HasSubstr("needs the account's key"));
    EXPECT_THAT(of_sas("sp=raud&tn=people", an_insert), HasSubstr("altered"));
    EXPECT_THAT(of_sas("si=x&tn=people", an_insert), HasSubstr("policy"));
    EXPECT_THAT(of_sas("sp=raud&tn=people&spk=a&epk=a", an_insert), HasSubstr("range"));
}

TEST(refusal_advice, says_what_a_signature_of_an_account_lacks) {
    EXPECT_THAT(of_sas("ss=t&srt=o&sp=rwdlacu", create_table{"people"}), HasSubstr("resource type 'c'"));
    EXPECT_THAT(of_sas("ss=t&srt=c&sp=rw", create_table{"people"}), HasSubstr("altered"));
    EXPECT_THAT(of_sas("ss=t&srt=o&sp=rdlacu", create_table{"people"}), HasSubstr("resource type 'c'"));
    EXPECT_THAT(of_sas("ss=t&srt=sco&sp=rwdlac", an_upsert), HasSubstr("'u' (update)"));
    EXPECT_THAT(of_sas("ss=t&srt=sco&sp=rwdlacu", get_access_policies{"people"}), HasSubstr("access policies"));
}

TEST(refusal_advice, takes_the_permission_to_write_for_one_to_create) {
    for (request const& r : {request{create_queue{"jobs"}}, request{create_container{"files"}},
                             request{create_append_blob{"files", "log"}}, request{append_block{"files", "log", "x"}}}) {
        EXPECT_THAT(of_sas("ss=qb&srt=sco&sp=w", r), HasSubstr("altered"));
        EXPECT_THAT(of_sas("ss=qb&srt=sco&sp=r", r), HasSubstr("lacks the permission"));
    }
    EXPECT_THAT(of_sas("ss=q&srt=sco&sp=w", put_message{"jobs", "x"}), HasSubstr("lacks the permission 'a' (add)"));
}

TEST(refusal_advice, does_not_take_a_signature_of_a_container_or_a_queue_for_that_of_a_table) {
    EXPECT_THAT(of_sas("sr=c&sp=r", put_blob{"files", "a", "x"}), HasSubstr("lacks the permission 'w' (write)"));
    EXPECT_THAT(of_sas("sr=c&sp=rw", put_blob{"files", "a", "x"}), HasSubstr("altered"));
    EXPECT_THAT(of_sas("sp=p", put_message{"jobs", "x"}), HasSubstr("lacks the permission 'a' (add)"));
}

TEST(refusal_advice, repeats_no_term_that_cannot_be_one) {
    EXPECT_THAT(of_sas("sp=r%26sig%3Dc2VjcmV0", an_insert), Not(HasSubstr("%")));
    EXPECT_THAT(of_sas("sp=r&tn=c2VjcmV0==", a_read), Not(HasSubstr("==")));
}

TEST(refusal_advice, names_the_account_whose_key_is_wrong_or_the_clock) {
    shared_key_credential const key{account_key{"c2VjcmV0"}};
    EXPECT_THAT(advice(key, a_read, service_errc::authentication_failed), HasSubstr("account 'hrdata' did not accept"));
    auto const at = [&](std::chrono::minutes m) {
        return advice(key, a_read, service_errc::authentication_failed, a_date() + tick_duration{m});
    };
    EXPECT_THAT(at(std::chrono::minutes{14}), HasSubstr("AccountKey"));
    EXPECT_THAT(at(std::chrono::minutes{60}), HasSubstr("clock is 60 minutes behind the service's"));
    EXPECT_THAT(at(std::chrono::minutes{-16}), HasSubstr("clock is 16 minutes ahead of the service's"));
    EXPECT_THAT(advice(key, a_read, service_errc::key_based_authentication_not_permitted), HasSubstr("access token"));
    EXPECT_EQ(advice(key, a_read, service_errc::account_is_disabled), "");
}

// A firewall, or an account that is shut: no credential is to blame.
TEST(refusal_advice, blames_no_credential_for_other_denials) {
    sas_credential const signature{"sp=r&tn=people&sig=c2VjcmV0"};
    token_credential const token{[](auto&) { return access_token{}; }};
    for (auto const code : {service_errc::account_is_disabled, service_errc::authorization_source_ip_mismatch,
                            service_errc::insufficient_account_permissions, service_errc::invalid_operation}) {
        EXPECT_EQ(advice(signature, a_read, code), "");
        EXPECT_EQ(advice(token, a_read, code), "");
    }
    EXPECT_EQ(advice(signature, an_insert, service_errc::account_is_disabled), "");
    EXPECT_EQ(advice(signature, a_read, service_errc::authorization_permission_mismatch), "");
}

TEST(refusal_advice, thinks_of_network_rules_where_the_service_says_no_more) {
    token_credential const token{[](auto&) { return access_token{}; }};
    shared_key_credential const key{account_key{"c2VjcmV0"}};
    constexpr auto code = service_errc::authorization_failure;
    EXPECT_THAT(of_sas("sp=r&tn=people", a_read, code), HasSubstr("network rules"));
    EXPECT_THAT(of_sas("sp=r&tn=people", a_read), Not(HasSubstr("network rules")));
    EXPECT_THAT(advice(token, a_read, code), HasSubstr("network rules"));
    EXPECT_THAT(advice(key, a_read, code), HasSubstr("network rules"));
}

TEST(refusal_advice, says_that_an_identity_needs_a_role) {
    token_credential const token{[](auto&) { return access_token{}; }};
    EXPECT_THAT(advice(token, a_read, service_errc::authorization_permission_mismatch),
                HasSubstr("role on account 'hrdata'"));
    EXPECT_THAT(advice(token, a_read, service_errc::invalid_authentication_info), HasSubstr("did not accept"));
}

// As recorded: 404 ResourceNotFound, although the table was there.
TEST(refusal_advice, says_that_policies_need_the_key_where_the_service_says_that_they_are_not_there) {
    storage_account a{.name = "hrdata", .credential = token_credential{[](auto&) { return access_token{}; }}};
    auto const told = [&](request const& r, service_errc code) {
        return detail::with_advice(error{code}, r, a, a_date(), {});
    };
    for (request const& r : {request{get_access_policies{"people"}}, request{set_access_policies{"people", {}}}}) {
        EXPECT_EQ(told(r, service_errc::resource_not_found).code(), service_errc::authorization_failure);
        EXPECT_THAT(told(r, service_errc::resource_not_found).what(), HasSubstr("with the account's key"));
        EXPECT_EQ(told(r, service_errc::table_not_found).code(), service_errc::table_not_found);
    }
    EXPECT_EQ(told(a_read, service_errc::resource_not_found).code(), service_errc::resource_not_found);
    a.credential = shared_key_credential{account_key{"c2VjcmV0"}};
    EXPECT_EQ(told(get_access_policies{"people"}, service_errc::resource_not_found).code(),
              service_errc::resource_not_found);
}

}  // namespace
