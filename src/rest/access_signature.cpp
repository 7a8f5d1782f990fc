// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/access_signature.hpp"

#include "rest/access_text.hpp"
#include "rest/url.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <array>
#include <span>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using checked = result<void>;

failure bad_signature(char const* term, char const* reason) {
    return fail(library_errc::invalid_access_signature, {.reason = reason, .member = term});
}

template <class E, std::size_t N>
std::string letters_of(access_set<E> set, std::array<std::pair<char, E>, N> const& letters) {
    std::string text;
    for (auto const& [letter, value] : letters)
        if (set.has(value)) text += letter;
    return text;
}

std::string text_of(access_set<account_permission> set) { return letters_of(set, detail::account_permission_letters); }
std::string text_of(access_set<account_service> set) { return letters_of(set, detail::account_service_letters); }
std::string text_of(access_set<account_resource> set) { return letters_of(set, detail::account_resource_letters); }

std::string text_of(std::optional<ticks> const& t) {
    if (!t) return {};
    return ticks{std::chrono::floor<std::chrono::seconds>(t->time())}.text();
}

// --- checks ----------------------------------------------------------------------------------------------------------

checked check_addresses(std::string_view text) {
    if (text.empty() || detail::read_address_range(text)) return {};
    return bad_signature("addresses",
                         "it must be an IPv4 address such as 198.51.100.7, or two with '-' between, the lower first");
}

checked check_expiry(ticks expiry) {
    if (!expiry.storable()) return bad_signature("expiry", "times lie in the years 1601 to 9999");
    if (expiry > ticks::now()) return {};
    return bad_signature("expiry",
                         "it has passed already: give a time to come, in UTC, and check this machine's clock");
}

checked check_terms(access_terms const& t, bool policy_may_say) {
    if (!t.expiry && !policy_may_say)
        return bad_signature("expiry", "a signature must end: say when, or name a stored policy");
    if (t.expiry)
        if (auto r = check_expiry(*t.expiry); !r) return r;
    if (t.start && !t.start->storable()) return bad_signature("start", "times lie in the years 1601 to 9999");
    if (t.start && t.expiry && text_of(t.expiry) <= text_of(t.start))
        return bad_signature("expiry", "the signature would end before it begins");
    if (!detail::is_access_version(t.version))
        return bad_signature("version", "it must be a version of the service, 2015-04-05 or later");
    return check_addresses(t.addresses);
}

/// The signed text has a line for each term: a line break in one would shift the others.
checked check_policy(std::string_view id) {
    auto const units = detail::utf16_length(id);
    if (!units || *units > limits::access_policy_id)
        return bad_signature("policy", "an id has at most 64 characters of UTF-8");
    if (!detail::is_xml_text(id))
        return bad_signature("policy", "an id holds no line breaks and no other control characters");
    return {};
}

checked check_access(table_access const& a) {
    if (auto r = check_table_name(a.table); !r) return r;
    bool const has_policy = !a.policy.empty();
    if (a.permissions.empty() && !has_policy)
        return bad_signature("permissions", "it allows nothing: give some, or name a stored policy");
    if (auto r = check_policy(a.policy); !r) return r;
    if (auto r = check_terms(a.terms, has_policy); !r) return r;
    return check_access_range(a.range);
}

checked check_access(account_access const& a) {
    if (a.permissions.empty()) return bad_signature("permissions", "it allows nothing: give some");
    if (a.resources.empty()) return bad_signature("resources", "it is for nothing: give service, container or object");
    if (a.services.empty()) return bad_signature("services", "it is for no service");
    return check_terms(a.terms, false);
}

// --- texts -----------------------------------------------------------------------------------------------------------

std::string protocol_of(storage_account const& account, access_terms const& t) {
    switch (t.protocol) {
    case access_protocol::https: return "https";
    case access_protocol::https_and_http: return "https,http";
    case access_protocol::of_endpoint: break;
    }
    return account.endpoint.origin.scheme == "https" ? "https" : std::string{};  // not to say it allows both
}

struct parameter {
    std::string_view name;
    std::string value;
};

std::string query_of(std::span<parameter const> parameters) {
    std::string text;
    for (auto const& [name, value] : parameters) {
        if (value.empty()) continue;
        text.append(text.empty() ? "" : "&").append(name).append("=");
        detail::append_percent_encoded(text, value);
    }
    return text;
}

std::string query_of(storage_account const& account, table_access const& a) {
    auto const key = [](std::optional<std::string> const& k) { return k.value_or(std::string{}); };
    std::array<parameter, 12> const parameters{{{"sv", a.terms.version},
                                                {"st", text_of(a.terms.start)},
                                                {"se", text_of(a.terms.expiry)},
                                                {"sp", a.permissions.text()},
                                                {"si", a.policy},
                                                {"sip", a.terms.addresses},
                                                {"spr", protocol_of(account, a.terms)},
                                                {"tn", a.table},
                                                {"spk", key(a.range.first_partition)},
                                                {"srk", key(a.range.first_row)},
                                                {"epk", key(a.range.last_partition)},
                                                {"erk", key(a.range.last_row)}}};
    return query_of(parameters);
}

std::string query_of(storage_account const& account, account_access const& a) {
    std::array<parameter, 8> const parameters{{{"sv", a.terms.version},
                                               {"ss", text_of(a.services)},
                                               {"srt", text_of(a.resources)},
                                               {"sp", text_of(a.permissions)},
                                               {"st", text_of(a.terms.start)},
                                               {"se", text_of(a.terms.expiry)},
                                               {"sip", a.terms.addresses},
                                               {"spr", protocol_of(account, a.terms)}}};
    return query_of(parameters);
}

std::string connection_string_for(storage_account const& account, std::string const& query) {
    auto text = "TableEndpoint=" + account.endpoint.url() + ";SharedAccessSignature=" + query;
    auto const read_back = parse_storage_account(text);
    if (read_back && read_back->name != account.name) text.insert(0, "AccountName=" + account.name + ";");
    return text;
}

account_key const* key_of(storage_account const& a) {
    if (!a.credential) return nullptr;
    if (auto const* c = std::get_if<shared_key_credential>(&*a.credential)) return &c->key;
    if (auto const* c = std::get_if<shared_key_lite_credential>(&*a.credential)) return &c->key;
    return nullptr;
}

template <class Access> result<access_signature> make(storage_account const& account, Access const& access) {
    auto const* const key = key_of(account);
    if (!key || !key->valid() || account.name.empty())
        return fail(library_errc::unsupported, {.reason = "only an account with its name and key can sign access"});
    if (account.endpoint.is_cosmos())
        return fail(library_errc::unsupported, {.reason = "the Cosmos DB Table API knows no shared access signatures"});
    if (auto const r = check_access(access); !r) return failure{r.error().in("make access signature", {})};
    access_signature made;
    made.query = query_of(account, access) + "&sig=";
    detail::append_percent_encoded(made.query, key->sign(detail::string_to_sign(account, access)));
    made.connection_string = connection_string_for(account, made.query);
    return made;
}

template <class Access> result<access_signature> make(std::string_view connection_string, Access const& access) {
    auto const account = parse_storage_account(connection_string);
    if (!account) return failure{account.error().in("make access signature", {})};
    return make(*account, access);
}

}  // namespace

std::string detail::string_to_sign(storage_account const& account, tablemap::table_access const& a) {
    auto const key = [](std::optional<std::string> const& k) { return k ? std::string_view{*k} : std::string_view{}; };
    auto const permissions = a.permissions.text(), protocol = protocol_of(account, a.terms);
    auto const start = text_of(a.terms.start), expiry = text_of(a.terms.expiry);
    return string_to_sign(account.name, a.table,
                          {.permissions = permissions,
                           .start = start,
                           .expiry = expiry,
                           .policy = a.policy,
                           .addresses = a.terms.addresses,
                           .protocol = protocol,
                           .version = a.terms.version,
                           .first_partition = key(a.range.first_partition),
                           .first_row = key(a.range.first_row),
                           .last_partition = key(a.range.last_partition),
                           .last_row = key(a.range.last_row)});
}

std::string detail::string_to_sign(storage_account const& account, account_access const& a) {
    auto const permissions = text_of(a.permissions), services = text_of(a.services), resources = text_of(a.resources);
    auto const start = text_of(a.terms.start), expiry = text_of(a.terms.expiry);
    auto const protocol = protocol_of(account, a.terms);
    return string_to_sign(account.name, {.permissions = permissions,
                                         .services = services,
                                         .resources = resources,
                                         .start = start,
                                         .expiry = expiry,
                                         .addresses = a.terms.addresses,
                                         .protocol = protocol,
                                         .version = a.terms.version});
}

result<access_signature> try_make_access_signature(storage_account const& account, table_access const& access) {
    return make(account, access);
}
result<access_signature> try_make_access_signature(storage_account const& account, account_access const& access) {
    return make(account, access);
}
result<access_signature> try_make_access_signature(std::string_view connection_string, table_access const& access) {
    return make(connection_string, access);
}
result<access_signature> try_make_access_signature(std::string_view connection_string, account_access const& access) {
    return make(connection_string, access);
}
access_signature make_access_signature(storage_account const& account, table_access const& access) {
    return value_or_throw(make(account, access));
}
access_signature make_access_signature(storage_account const& account, account_access const& access) {
    return value_or_throw(make(account, access));
}
access_signature make_access_signature(std::string_view connection_string, table_access const& access) {
    return value_or_throw(make(connection_string, access));
}
access_signature make_access_signature(std::string_view connection_string, account_access const& access) {
    return value_or_throw(make(connection_string, access));
}

}  // namespace tablemap
