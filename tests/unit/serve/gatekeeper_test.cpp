// SPDX-License-Identifier: Apache-2.0
#include "unit/serve/served.hpp"

#include "rest/url.hpp"
#include "tablemap/rest/access_signature.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using p = table_permission;
using detail::string_to_sign;

class serve_gatekeeper : public served {
protected:
    /// A request with a signature for a table.
    http_request by(table_access const& a, http_request r) const {
        return signed_by(string_to_sign(account(), a), query_of(a), std::move(r));
    }

    /// The same for an account.
    http_request by(account_access const& a, http_request r) const {
        auto query =
            "sv=" + a.terms.version + "&ss=t&srt=" + srt + "&sp=" + sp + "&se=" + encoded(a.terms.expiry->text());
        return signed_by(string_to_sign(account(), a), query, std::move(r));
    }

    static table_access access(table_permissions permissions) {
        table_access a{.table = "People", .permissions = permissions};
        a.terms.expiry = noon + 1h;
        return a;
    }

    static http_request row(std::string method, std::string key, std::string body = {}) {
        return message(std::move(method), "/People(PartitionKey='p',RowKey='" + key + "')", std::move(body));
    }

    void insert(std::string_view partition, std::string_view key) const {
        auto const body =
            "{\"PartitionKey\":\"" + std::string{partition} + "\",\"RowKey\":\"" + std::string{key} + "\"}";
        ASSERT_EQ(owner("POST", "/People", body).status, 201);
    }

    /// The parameters with which a query goes on; empty behind the last page.
    static std::string continuation_of(http_response const& page) {
        std::string more;
        for (auto const* name : {"NextPartitionKey", "NextRowKey"})
            if (auto const* token = page.header("x-ms-continuation-" + std::string{name}))
                more += "&" + std::string{name} + "=" + encoded(*token);
        return more;
    }

    /// The keys that a signature for a range finds, on pages of at most so many rows.
    std::string rows_of(access_range const& range, std::string const& top) const {
        auto a = access(p::query);
        a.range = range;
        std::string all, more;
        do {
            auto const page = send(by(a, message("GET", "/People()?$select=PartitionKey,RowKey&$top=" + top + more)));
            EXPECT_EQ(page.status, 200) << page.body;
            std::string_view const partition = "\"PartitionKey\":\"", row = "\"RowKey\":\"";
            for (auto at = page.body.find(partition); at != page.body.npos; at = page.body.find(partition, at + 1)) {
                all += page.body.substr(at + partition.size(), 1);
                all += page.body.substr(page.body.find(row, at) + row.size(), 1) + " ";
            }
            more = continuation_of(page);
        } while (!more.empty());
        return all;
    }

    std::string srt = "o", sp = "r";

private:
    static std::string encoded(std::string_view text) {
        std::string out;
        detail::append_percent_encoded(out, text);
        return out;
    }
    static std::string query_of(table_access const& a) {
        auto query = "sv=" + a.terms.version + "&tn=" + a.table;
        auto const add = [&](char const* name, std::string const& value) {
            if (!value.empty()) query.append("&").append(name).append("=").append(encoded(value));
        };
        add("sp", a.permissions.text());
        add("si", a.policy);
        add("sip", a.terms.addresses);
        if (a.terms.protocol == access_protocol::https) add("spr", "https");
        if (a.terms.start) add("st", a.terms.start->text());
        if (a.terms.expiry) add("se", a.terms.expiry->text());
        add("spk", a.range.first_partition.value_or(""));
        add("srk", a.range.first_row.value_or(""));
        add("epk", a.range.last_partition.value_or(""));
        add("erk", a.range.last_row.value_or(""));
        return query;
    }
    http_request signed_by(std::string const& text, std::string const& query, http_request r) const {
        r.target += (r.target.find('?') == std::string::npos ? "?" : "&") + query +
                    "&sig=" + encoded(account_key{served_key()}.sign(text));
        return r;
    }
};

TEST_F(serve_gatekeeper, requests_that_nobody_signed_are_refused) {
    auto const r = send(row("GET", "1"));
    EXPECT_TRUE(refused_with(r, 401, "NoAuthenticationInformation"));
    EXPECT_TRUE(r.header("WWW-Authenticate"));
}

TEST_F(serve_gatekeeper, a_wrong_key_account_or_path_is_refused) {
    auto forged = signed_at(noon, row("GET", "1"));
    forged.target = row("GET", "2").target;
    EXPECT_TRUE(refused_with(send(forged), 403, "AuthenticationFailed"));
    auto other = row("GET", "1");
    other.target.replace(1, served_account.size(), "another");
    EXPECT_TRUE(refused_with(owner(other), 403, "AuthenticationFailed"));
    auto cut = signed_at(noon, row("GET", "1"));
    cut.headers.back().second.pop_back();
    EXPECT_TRUE(refused_with(send(cut), 403, "AuthenticationFailed"));
}

TEST_F(serve_gatekeeper, the_lite_form_is_taken_too) {
    auto r = row("GET", "1");
    detail::append_http_date(r.headers.emplace_back("x-ms-date", "").second, noon);
    auto lite = account();
    lite.credential = shared_key_lite_credential{account_key{served_key()}};
    detail::authorize(r, lite);
    EXPECT_EQ(send(r).status, 200);
}

TEST_F(serve_gatekeeper, a_signature_covers_the_resource_that_is_asked_for) {
    auto captured = signed_at(noon, message("GET", "/People"));
    EXPECT_EQ(send(captured).status, 200);
    for (auto const* other : {"?%63omp=acl", "?a=b&co%6dp=acl", "?com%70=acl"}) {
        auto r = captured;
        r.target += other;
        EXPECT_TRUE(refused_with(send(r), 400, "InvalidQueryParameterValue")) << other;
    }
    captured.target += "?comp=acl";
    EXPECT_TRUE(refused_with(send(captured), 403, "AuthenticationFailed"));
}

TEST_F(serve_gatekeeper, dates_may_differ_by_a_quarter_of_an_hour) {
    EXPECT_EQ(send(signed_at(noon - 15min, row("GET", "1"))).status, 200);
    EXPECT_EQ(send(signed_at(noon + 15min, row("GET", "1"))).status, 200);
    for (auto const t : {noon - 15min - 1s, noon + 15min + 1s}) {
        auto const r = send(signed_at(t, row("GET", "1")));
        EXPECT_TRUE(refused_with(r, 403, "AuthenticationFailed"));
        EXPECT_THAT(r.body, HasSubstr("15 minutes"));
    }
}

TEST_F(serve_gatekeeper, tokens_and_unknown_schemes_are_refused) {
    for (auto const* scheme : {"Bearer abc", "SharedKey", "SharedKey served1", "sharedkey served1:x", ""}) {
        auto const r = send(with(row("GET", "1"), "Authorization", scheme));
        EXPECT_TRUE(r.status == 401 || r.status == 403) << scheme << r.status;
    }
}

TEST_F(serve_gatekeeper, a_signature_for_a_table_allows_its_permissions_alone) {
    EXPECT_EQ(send(by(access(p::query), row("GET", "1"))).status, 200);
    EXPECT_TRUE(refused_with(send(by(access(p::query), with(row("DELETE", "1"), "If-Match", "*"))), 403,
                             "AuthorizationPermissionMismatch"));
    EXPECT_TRUE(
        refused_with(send(by(access(p::update), row("PUT", "1", "{}"))), 403, "AuthorizationPermissionMismatch"));
    EXPECT_EQ(send(by(access(p::update), with(row("PUT", "1", "{}"), "If-Match", "*"))).status, 204);
    EXPECT_EQ(send(by(access(p::add | p::update), row("PUT", "1", "{}"))).status, 204);
}

TEST_F(serve_gatekeeper, a_signature_for_a_table_allows_nothing_else) {
    auto const all = access(table_permissions::all());
    EXPECT_TRUE(refused_with(send(by(all, message("GET", "/Other()"))), 403, "AuthorizationFailure"));
    EXPECT_TRUE(refused_with(send(by(all, message("GET", "/Tables"))), 403, "AuthorizationFailure"));
    EXPECT_TRUE(refused_with(send(by(all, message("DELETE", "/Tables('People')"))), 403, "AuthorizationFailure"));
    EXPECT_TRUE(refused_with(send(by(all, message("GET", "/People?comp=acl"))), 403, "AuthorizationFailure"));
}

TEST_F(serve_gatekeeper, a_signature_is_valid_between_its_times) {
    auto a = access(p::query);
    a.terms.start = noon;
    EXPECT_EQ(send(by(a, row("GET", "1"))).status, 200);
    a.terms.start = noon + 1s;
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthenticationFailed"));
    a.terms.start.reset();
    a.terms.expiry = noon;
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthenticationFailed"));
}

TEST_F(serve_gatekeeper, a_signature_with_changed_terms_is_refused) {
    auto r = by(access(p::query), row("GET", "1"));
    r.target.replace(r.target.find("sp=r"), 4, "sp=rd");
    EXPECT_TRUE(refused_with(send(r), 403, "AuthenticationFailed"));
}

TEST_F(serve_gatekeeper, a_range_of_keys_binds_reads_and_writes) {
    auto a = access(p::query | p::update);
    a.range = {.first_partition = "p", .first_row = "2", .last_partition = "p", .last_row = "2"};
    EXPECT_EQ(send(by(a, row("GET", "2"))).status, 200);
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthorizationFailure"));
    EXPECT_TRUE(refused_with(send(by(a, with(row("PUT", "3", "{}"), "If-Match", "*"))), 403, "AuthorizationFailure"));
    auto const found = send(by(a, message("GET", "/People()?$filter=RowKey%20ge%20''%20or%20true")));
    EXPECT_THAT(found.body, HasSubstr("\"RowKey\":\"2\""));
    EXPECT_EQ(found.body.find("\"RowKey\":\"1\""), std::string::npos) << found.body;
    EXPECT_EQ(found.body.find("\"RowKey\":\"3\""), std::string::npos) << found.body;
}

TEST_F(serve_gatekeeper, a_range_within_a_partition_is_read_by_its_ends) {
    auto a = access(p::query);
    a.range = {.first_partition = "p", .first_row = "1", .last_partition = "p", .last_row = "2"};
    auto const first = send(by(a, message("GET", "/People()?$top=1")));
    EXPECT_THAT(first.body, HasSubstr("\"RowKey\":\"1\""));
    auto const second = send(by(a, message("GET", "/People()?$top=1" + continuation_of(first))));
    EXPECT_THAT(second.body, HasSubstr("\"RowKey\":\"2\""));
    EXPECT_FALSE(second.header("x-ms-continuation-NextPartitionKey")) << "the row behind the range is named";
}

TEST_F(serve_gatekeeper, a_query_of_a_range_goes_on_until_it_has_all_rows_once) {
    for (auto const* partition : {"n", "o", "q", "r"})
        for (auto const* key : {"1", "2", "3"}) insert(partition, key);
    for (auto const& [range, rows] :
         {std::pair{access_range{"o", "2", "q", "2"}, "o2 o3 p1 p2 p3 q1 q2 "},
          std::pair{access_range{"o", {}, "q", {}}, "o1 o2 o3 p1 p2 p3 q1 q2 q3 "},
          std::pair{access_range{"q", "2", {}, {}}, "q2 q3 r1 r2 r3 "},
          std::pair{access_range{{}, {}, "o", "1"}, "n1 n2 n3 o1 "},
          std::pair{access_range{"p", "2", "p", {}}, "p2 p3 "}, std::pair{access_range{"p", {}, "p", "2"}, "p1 p2 "},
          std::pair{access_range{"p", "3", "p", "1"}, ""}, std::pair{access_range{"q", "1", "o", "3"}, ""}})
        for (auto const* top : {"1", "2", "5", "1000"}) EXPECT_EQ(rows_of(range, top), rows) << top;
}

TEST_F(serve_gatekeeper, continuations_of_a_range_tell_no_key_and_cannot_be_made) {
    insert("p", "secret-key");
    auto a = access(p::query);
    a.range = {.first_partition = "o", .last_partition = "p", .last_row = "3"};
    auto const page = send(by(a, message("GET", "/People()?$top=3")));
    auto const plain = owner("GET", "/People()?$top=3");
    constexpr auto name = "x-ms-continuation-NextRowKey";
    ASSERT_TRUE(page.header(name) && plain.header(name));
    EXPECT_NE(*page.header(name), *plain.header(name));
    auto const next = [&](http_response const& of) { return "/People()?$top=1" + continuation_of(of); };
    EXPECT_TRUE(refused_with(send(by(a, message("GET", next(plain)))), 400, "InvalidInput"));
    EXPECT_EQ(send(by(a, message("GET", next(page)))).status, 200);
}

TEST_F(serve_gatekeeper, continuations_of_a_range_cannot_be_combined) {
    for (auto const* key : {"1", "2"}) insert("o", key);
    auto a = access(p::query);
    a.range = {.first_partition = "o", .last_partition = "p"};
    constexpr auto partition = "x-ms-continuation-NextPartitionKey", row = "x-ms-continuation-NextRowKey";
    auto const in_o = send(by(a, message("GET", "/People()?$top=1")));
    auto const in_p = send(by(a, message("GET", "/People()?$top=2")));
    auto const status = [&](std::string const& in, std::string const& at) {
        auto const from = "&NextPartitionKey=" + in + "&NextRowKey=" + at;
        return send(by(a, message("GET", "/People()?$top=1" + from))).status;
    };
    EXPECT_EQ(status(*in_p.header(partition), *in_p.header(row)), 200);
    EXPECT_EQ(status(*in_p.header(partition), *in_o.header(row)), 400);
    EXPECT_EQ(status(*in_o.header(row), *in_o.header(partition)), 400);
    a.range.last_partition = "q";
    EXPECT_EQ(status(*in_p.header(partition), *in_p.header(row)), 400);
}

TEST_F(serve_gatekeeper, continuations_of_a_range_need_no_escapes) {
    auto a = access(p::query);
    a.range = {.first_partition = "p", .last_partition = "p"};
    for (int i = 0; i < 20; ++i) {
        auto const page = send(by(a, message("GET", "/People()?$top=1")));
        for (auto const* name : {"x-ms-continuation-NextPartitionKey", "x-ms-continuation-NextRowKey"}) {
            ASSERT_TRUE(page.header(name));
            EXPECT_EQ(page.header(name)->find_first_of("+/="), std::string::npos) << *page.header(name);
        }
    }
}

TEST_F(serve_gatekeeper, a_range_of_keys_binds_every_key_of_a_body) {
    auto a = access(p::add | p::update);
    a.range = {.first_partition = "p", .last_partition = "p"};
    auto const upstream = std::make_shared<testing::scripted_store>(std::vector<testing::exchange>{});
    table_service const over{upstream,
                             {.account = account().name, .key = account_key{served_key()}, .now = [] { return noon; }}};
    auto const status = [&](http_request r) {
        return over.handle({.message = by(a, with(std::move(r), "Prefer", "return-no-content"))}).status;
    };
    for (auto const* twin : {R"("PartitionKey":"q")", R"("Partition\u004bey":"q")", R"("PartitionKey":"p")"}) {
        auto const body = R"({"PartitionKey":"p","RowKey":"9",)" + std::string{twin} + "}";
        EXPECT_EQ(status(message("POST", "/People", body)), 400) << twin;
        EXPECT_EQ(status(row("PUT", "9", body)), 400) << twin;
    }
    EXPECT_EQ(status(row("PUT", "9", R"({"Partition\u004bey":"q"})")), 400);
    EXPECT_EQ(upstream->asked(), 0u);
}

TEST_F(serve_gatekeeper, addresses_and_protocols_are_checked) {
    auto a = access(p::query);
    a.terms.addresses = "10.0.0.1-10.0.0.9";
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthorizationSourceIPMismatch"));
    a.terms.addresses = "127.0.0.1";
    EXPECT_EQ(send(by(a, row("GET", "1"))).status, 200);
    a.terms.protocol = access_protocol::https;
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthorizationProtocolMismatch"));
    EXPECT_EQ(service.handle({.message = by(a, row("GET", "1")), .peer = "127.0.0.1", .encrypted = true}).status, 200);
}

TEST_F(serve_gatekeeper, a_stored_policy_gives_terms_until_it_is_removed) {
    std::vector<access_policy> const policies{{.id = "x", .expiry = noon + 1h, .permissions = p::query}};
    ASSERT_TRUE(store->execute(set_access_policies{"People", policies}, {}).ok());
    table_access a{.table = "People", .policy = "x"};
    EXPECT_EQ(send(by(a, row("GET", "1"))).status, 200);
    a.permissions = p::query | p::erase;
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthenticationFailed"));
    a.permissions = {};
    ASSERT_TRUE(store->execute(set_access_policies{"People", {}}, {}).ok());
    EXPECT_TRUE(refused_with(send(by(a, row("GET", "1"))), 403, "AuthenticationFailed"));
}

TEST_F(serve_gatekeeper, a_signature_for_an_account_allows_its_kinds_of_resources) {
    account_access a{.permissions = account_permission::read, .resources = account_resource::object};
    a.terms.expiry = noon + 1h;
    EXPECT_EQ(send(by(a, row("GET", "1"))).status, 200);
    EXPECT_TRUE(refused_with(send(by(a, message("GET", "/Tables"))), 403, "AuthorizationResourceTypeMismatch"));
    srt = "sco", a.resources = account_resource::service | account_resource::container | account_resource::object;
    EXPECT_TRUE(refused_with(send(by(a, message("GET", "/Tables"))), 403, "AuthorizationPermissionMismatch"));
    sp = "l", a.permissions = account_permission::list;
    EXPECT_EQ(send(by(a, message("GET", "/Tables"))).status, 200);
}

}  // namespace
}  // namespace tablemap::test
