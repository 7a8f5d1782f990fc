// SPDX-License-Identifier: Apache-2.0
#include "serve/gatekeeper.hpp"

#include "base/ascii.hpp"
#include "base/text_bytes.hpp"
#include "crypto/primitives.hpp"
#include "rest/access_text.hpp"
#include "rest/http_date.hpp"
#include "rest/service_xml.hpp"
#include "rest/shared_key.hpp"
#include "rest/url.hpp"
#include "serve/refused.hpp"
#include "serve/sealed_token.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr char const* wrong_signature =
    "Make sure the value of Authorization header is formed correctly including the signature: the account's name and "
    "key, and the path as it was sent.";

struct key_signature {
    shared_key_form form{};
    std::string_view account;
    std::string_view signature;
};

/// Reads "SharedKey account:signature" or "SharedKeyLite account:signature".
key_signature read_authorization(std::string_view text) {
    auto const scheme = take_field(text, ' ');
    auto const account = take_field(text, ':');
    bool const lite = scheme == "SharedKeyLite";
    if (!lite && scheme != "SharedKey")
        throw refused{401, "InvalidAuthenticationInfo",
                      "This server takes the schemes SharedKey and SharedKeyLite, and shared access signatures."};
    return {lite ? shared_key_form::lite : shared_key_form::full, account, text};
}

/// The parts of a request that are signed, with the names that `string_to_sign` looks for.
http_request signed_part(http_request const& r, std::string_view date) {
    http_request part{.method = r.method, .target = r.target};
    part.headers.emplace_back("x-ms-date", date);
    for (auto const* name : {"Content-MD5", "Content-Type"})
        if (auto const value = header_of(r, name)) part.headers.emplace_back(name, *value);
    return part;
}

/// Clients sign the path of the readable copy with or without its suffix.
void drop_secondary(std::string& target) {
    constexpr std::string_view suffix = "-secondary";
    auto const end = std::min(target.find('/', 1), target.size());
    if (std::string_view{target}.substr(0, end).ends_with(suffix)) target.erase(end - suffix.size(), suffix.size());
}

std::optional<ticks> time_in(parameters const& q, std::string_view name) {
    auto const text = q.text(name);
    if (text.empty()) return std::nullopt;
    auto const t = read_service_time(text);
    if (!t) refuse_authentication("The signature's " + std::string{name} + " is no time in UTC.");
    return t;
}

std::optional<std::string> bound_in(parameters const& q, std::string_view name) {
    auto const text = q.text(name);
    return text.empty() ? std::nullopt : std::optional{std::string{text}};
}

access_range range_in(parameters const& q) {
    access_range r{.first_partition = bound_in(q, "spk"),
                   .first_row = bound_in(q, "srk"),
                   .last_partition = bound_in(q, "epk"),
                   .last_row = bound_in(q, "erk")};
    if ((r.first_row && !r.first_partition) || (r.last_row && !r.last_partition))
        refuse_authentication("The signature's srk needs spk, and its erk needs epk.");
    return r;
}

table_access_text texts_of_table(parameters const& q) {
    return {.permissions = q.text("sp"),
            .start = q.text("st"),
            .expiry = q.text("se"),
            .policy = q.text("si"),
            .addresses = q.text("sip"),
            .protocol = q.text("spr"),
            .version = q.text("sv"),
            .first_partition = q.text("spk"),
            .first_row = q.text("srk"),
            .last_partition = q.text("epk"),
            .last_row = q.text("erk")};
}

account_access_text texts_of_account(parameters const& q) {
    return {.permissions = q.text("sp"),
            .services = q.text("ss"),
            .resources = q.text("srt"),
            .start = q.text("st"),
            .expiry = q.text("se"),
            .addresses = q.text("sip"),
            .protocol = q.text("spr"),
            .version = q.text("sv"),
            .scope = q.text("ses")};
}

/// Terms may be in the signature or in its policy, not in both.
template <class T> T one_of(T stated, T of_policy, bool is_stated, bool is_in_policy) {
    if (is_stated && is_in_policy)
        refuse_authentication("A term of the signature is in its stored policy, too: state it once.");
    return is_stated ? std::move(stated) : std::move(of_policy);
}

void check_addresses(std::string_view allowed, std::string_view peer) {
    if (allowed.empty()) return;
    auto const range = read_address_range(allowed);
    auto const sender = read_address_range(peer);
    if (!range || !sender || sender->first < range->first || sender->first > range->last)
        refuse_authorization("AuthorizationSourceIPMismatch", "the signature is for other addresses (sip).");
}

void check_protocol(std::string_view allowed, bool encrypted) {
    if (allowed.empty() || allowed == "https,http" || (allowed == "https" && encrypted)) return;
    refuse_authorization("AuthorizationProtocolMismatch", "the signature is for HTTPS (spr).");
}

}  // namespace

gatekeeper::gatekeeper(std::string account, account_key key, std::function<ticks()> now, store_ptr policies,
                       std::chrono::milliseconds longest_answer)
    : account_(std::move(account)),
      key_(std::move(key)),
      now_(std::move(now)),
      policies_(std::move(policies)),
      longest_answer_(longest_answer) {}

rights gatekeeper::admit(incoming const& in, target const& t) const {
    if (auto const authorization = header_of(in.message, "Authorization")) return by_key(in, t, *authorization);
    if (!t.query.find("sig"))
        throw refused{401, "NoAuthenticationInformation",
                      "Server failed to authenticate the request. It is not signed: use the account's key or a shared "
                      "access signature."};
    if (!is_access_version(t.query.text("sv")))
        refuse_authentication("The signature's version (sv) must be " + std::string{oldest_access_version} +
                              " or later.");
    return t.query.find("ss") ? by_account_signature(in, t) : by_table_signature(in, t);
}

bool gatekeeper::has_signed(std::string_view text, std::string_view signature) const {
    auto const expected = key_.sign(text);
    return equal_in_constant_time(as_bytes(expected), as_bytes(signature));
}

rights gatekeeper::by_key(incoming const& in, target const& t, std::string_view authorization) const {
    auto const given = read_authorization(authorization);
    if (given.account != account_) refuse_authentication(wrong_signature);
    auto const own_date = header_of(in.message, "x-ms-date");
    auto const date = own_date ? own_date : header_of(in.message, "Date");
    if (!date) refuse_authentication("The header x-ms-date is missing.");
    auto part = signed_part(in.message, *date);
    bool good = has_signed(string_to_sign(part, account_, given.form), given.signature);
    if (!good && t.secondary) {
        drop_secondary(part.target);
        good = has_signed(string_to_sign(part, account_, given.form), given.signature);
    }
    if (!good) refuse_authentication(wrong_signature);
    check_date(*date);
    return rights{owner_rights{}};
}

void gatekeeper::check_date(std::string_view date) const {
    auto const sent = parse_http_date(date);
    if (!sent) refuse_authentication("The header x-ms-date is no date such as 'Fri, 20 Nov 2026 00:00:00 GMT'.");
    auto const now = now_();
    if (*sent > now + greatest_skew || *sent < now - greatest_skew)
        refuse_authentication("The date in the request differs by more than 15 minutes from the server's clock, which "
                              "is at " +
                              now.text() + ".");
}

void gatekeeper::check_terms(incoming const& in, parameters const& q, std::optional<ticks> start,
                             std::optional<ticks> expiry) const {
    auto const now = now_();
    if (!expiry) refuse_authentication("The signature has no end: neither se nor a stored policy states one.");
    if (start && now < *start) refuse_authentication("The signature is not valid yet (st).");
    if (now >= *expiry) refuse_authentication("The signature has expired (se).");
    check_addresses(q.text("sip"), in.peer);
    check_protocol(q.text("spr"), in.encrypted);
}

access_policy gatekeeper::policy_of(std::string_view table, std::string_view id) const {
    auto const r = policies_->execute(get_access_policies{table}, {.deadline = within(longest_answer_)});
    if (r.failure && r.failure->kind() != error_kind::not_found) throw refusal_of(*r.failure);
    if (r.ok())
        for (auto const& p : r.service->policies)
            if (p.id == id) return p;
    refuse_authentication("The table has no stored policy that the signature names (si).");
}

rights gatekeeper::by_table_signature(incoming const& in, target const& t) const {
    auto const& q = t.query;
    auto const table = std::string{q.find("tn") ? q.text("tn") : t.table};
    auto const texts = texts_of_table(q);
    if (!has_signed(string_to_sign(account_, table, texts), q.text("sig")))
        refuse_authentication("The signature (sig) is none of its terms by this account's key.");
    auto const permissions = table_permissions::parse(texts.permissions);
    if (!permissions) refuse_authentication("The signature has permissions that tables do not know (sp).");
    auto start = time_in(q, "st"), expiry = time_in(q, "se");
    table_rights given{.table = lower_case(table), .permissions = *permissions, .range = range_in(q)};
    if (given.range.first_partition || given.range.last_partition)
        given.secret = secret_of_places(key_, given.table, given.range);
    if (!texts.policy.empty()) {
        auto const p = policy_of(table, texts.policy);
        start = one_of(start, p.start, start.has_value(), p.start.has_value());
        expiry = one_of(expiry, p.expiry, expiry.has_value(), p.expiry.has_value());
        given.permissions =
            one_of(given.permissions, p.permissions, !given.permissions.empty(), !p.permissions.empty());
    }
    check_terms(in, q, start, expiry);
    return rights{std::move(given)};
}

rights gatekeeper::by_account_signature(incoming const& in, target const& t) const {
    auto const& q = t.query;
    auto const texts = texts_of_account(q);
    if (!has_signed(string_to_sign(account_, texts), q.text("sig")))
        refuse_authentication("The signature (sig) is none of its terms by this account's key.");
    check_terms(in, q, time_in(q, "st"), time_in(q, "se"));
    if (!set_of_letters(texts.services, account_service_letters).has(account_service::table))
        refuse_authorization("AuthorizationServiceMismatch", "the signature is not for tables (ss).");
    return rights{account_rights{.permissions = set_of_letters(texts.permissions, account_permission_letters),
                                 .resources = set_of_letters(texts.resources, account_resource_letters)}};
}

}  // namespace tablemap::detail::serve
