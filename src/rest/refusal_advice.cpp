// SPDX-License-Identifier: Apache-2.0
#include "rest/refusal_advice.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr auto allowed_skew = std::chrono::minutes{15};

// The service answers this with AuthorizationFailure; emulators do so for every signature that they refuse.
constexpr std::string_view shut_out = "the account's network rules keep this machine out";

/// The permissions that a request needs: letters of `sp`, and the letter of `srt` in a signature of an account.
struct needs {
    std::string permissions{};
    char resource = 'o';
};

std::string letters_of_write(write_kind k) {
    switch (k) {
    case write_kind::insert: return "a";
    case write_kind::replace:
    case write_kind::merge: return "u";
    case write_kind::upsert_replace:
    case write_kind::upsert_merge: return "au";
    case write_kind::erase: return "d";
    }
    return {};
}

struct needs_of {
    needs operator()(create_table const&) const { return {"c", 'c'}; }
    needs operator()(delete_table const&) const { return {"d", 'c'}; }
    needs operator()(list_tables const&) const { return {"l", 'c'}; }
    needs operator()(get_entity const&) const { return {"r"}; }
    needs operator()(query_page const&) const { return {"r"}; }
    needs operator()(write_entity const& w) const { return {letters_of_write(w.operation.kind)}; }
    needs operator()(transact const& t) const {
        needs all;
        for (auto const& o : t.operations)
            for (char const c : letters_of_write(o.kind))
                if (all.permissions.find(c) == std::string::npos) all.permissions += c;
        return all;
    }
    needs operator()(get_service_properties const&) const { return {"r", 's'}; }
    needs operator()(set_service_properties const&) const { return {"w", 's'}; }
    needs operator()(get_service_statistics const&) const { return {"r", 's'}; }
    needs operator()(get_access_policies const&) const { return {}; }
    needs operator()(set_access_policies const&) const { return {}; }
    needs operator()(queue_request const& r) const { return std::visit(*this, r); }
    needs operator()(create_queue const&) const { return {"c", 'c'}; }
    needs operator()(delete_queue const&) const { return {"d", 'c'}; }
    needs operator()(put_message const&) const { return {"a"}; }
    needs operator()(get_messages const&) const { return {"p"}; }
    needs operator()(peek_messages const&) const { return {"r"}; }
    needs operator()(update_message const&) const { return {"u"}; }
    needs operator()(delete_message const&) const { return {"p"}; }
    needs operator()(clear_messages const&) const { return {"d"}; }
    needs operator()(count_messages const&) const { return {"r", 'c'}; }
    needs operator()(blob_request const& r) const { return std::visit(*this, r); }
    needs operator()(create_container const&) const { return {"c", 'c'}; }
    needs operator()(delete_container const&) const { return {"d", 'c'}; }
    needs operator()(put_blob const&) const { return {"w"}; }
    needs operator()(get_blob const&) const { return {"r"}; }
    needs operator()(head_blob const&) const { return {"r"}; }
    needs operator()(delete_blob const&) const { return {"d"}; }
    needs operator()(list_blobs const&) const { return {"l", 'c'}; }
    needs operator()(create_append_blob const&) const { return {"c"}; }
    needs operator()(append_block const&) const { return {"a"}; }
    needs operator()(stage_block const&) const { return {"w"}; }
    needs operator()(commit_blocks const&) const { return {"w"}; }
};

std::string named(char letter) {
    constexpr std::array<std::pair<char, std::string_view>, 8> names{{{'r', "read"},
                                                                      {'p', "process"},
                                                                      {'a', "add"},
                                                                      {'u', "update"},
                                                                      {'d', "delete"},
                                                                      {'c', "create"},
                                                                      {'l', "list"},
                                                                      {'w', "write"}}};
    auto const at = std::find_if(names.begin(), names.end(), [&](auto const& n) { return n.first == letter; });
    std::string text = "'";
    text += letter;
    text += "'";
    if (at != names.end()) text.append(" (").append(at->second).append(")");
    return text;
}

/// A term as it stands in a signature, if it can be one: text that was pasted wrongly is not repeated.
std::string shown(std::string_view before, std::string const& term) {
    bool const is_word =
        !term.empty() && term.size() <= 63 && std::all_of(term.begin(), term.end(), is_letter_or_digit);
    return is_word ? std::string{before} + "'" + term + "'" : std::string{};
}

/// Times of signatures may leave out the seconds, or all of the time of day.
std::optional<ticks> time_in_signature(std::string text) {
    if (text.size() == 10) text += "T00:00:00Z";
    if (text.size() == 17 && text.ends_with('Z')) text.insert(16, ":00");
    auto const t = ticks::parse(text);
    return t ? std::optional{*t} : std::nullopt;
}

bool is_about_entities(request const& r) noexcept {
    return std::holds_alternative<get_entity>(r) || std::holds_alternative<query_page>(r) ||
           std::holds_alternative<write_entity>(r) || std::holds_alternative<transact>(r);
}

/// The reason why a signature of one table does not allow this request; empty if it seems to allow it.
std::string lacks_for_table(sas_terms const& t, request const& r) {
    if (!is_about_entities(r))
        return "is for the entities of one table: this needs the account's key, or a signature of the account";
    if (!t.table.empty() && !equal_ignoring_case(t.table, table_of(r)))
        return "is for another table" + shown(", ", t.table);
    return {};
}

/// True for requests that create something, which the permission to write allows, too.
struct may_be_written {
    bool operator()(create_table const&) const { return true; }
    bool operator()(create_queue const&) const { return true; }
    bool operator()(create_container const&) const { return true; }
    bool operator()(create_append_blob const&) const { return true; }
    bool operator()(append_block const&) const { return true; }
    bool operator()(queue_request const& r) const { return std::visit(*this, r); }
    bool operator()(blob_request const& r) const { return std::visit(*this, r); }
    template <class Request> bool operator()(Request const&) const { return false; }
};

char letter_of_service(request const& r) noexcept {
    if (std::holds_alternative<queue_request>(r)) return 'q';
    return std::holds_alternative<blob_request>(r) ? 'b' : 't';
}

/// The same of a signature of one table, queue, container or blob. Those of the last three do not name it.
std::string lacks_for_one(sas_terms const& t, request const& r) {
    return letter_of_service(r) == 't' ? lacks_for_table(t, r) : std::string{};
}

/// The same of a signature of an account.
std::string lacks_for_account(sas_terms const& t, request const& r, needs const& n) {
    auto const service = letter_of_service(r);
    if (t.services.find(service) == std::string::npos)
        return "lacks the service '" + std::string(1, service) + "'" + shown(": it has ", t.services);
    if (n.permissions.empty())
        return "cannot be used for access policies: no signature can, they need the account's key";
    if (t.resource_types.find(n.resource) == std::string::npos)
        return "lacks the resource type '" + std::string(1, n.resource) + "'" + shown(": it has ", t.resource_types);
    return {};
}

/// The probable reason if the signature itself seems to allow the request; empty if none is known.
std::string suspected(sas_terms const& t, std::error_code denied) {
    bool const may_be_forged =
        denied == service_errc::authentication_failed || denied == service_errc::authorization_failure;
    std::string may;
    auto const add = [&](std::string_view reason) { may.append(may.empty() ? "" : ", or ").append(reason); };
    if (may_be_forged) add("it was altered, or signed with a key that has been replaced");
    if (t.has_policy) add("its stored access policy does not allow this, has expired or was removed");
    if (t.has_range) add("the entity's keys lie outside its range");
    if (denied == service_errc::authorization_failure) add(shut_out);
    return may.empty() ? may : "was not accepted: " + may;
}

/// The certain or probable fault of a signature for this request.
std::string lacks_of(sas_terms const& t, request const& r, ticks now, std::error_code denied) {
    auto const expiry = time_in_signature(t.expiry);
    if (expiry && *expiry <= now) return "expired at " + expiry->text() + ": get a new one";
    auto const start = time_in_signature(t.start);
    if (start && *start > now) return "is valid only from " + start->text() + " on";
    auto const n = std::visit(needs_of{}, r);
    bool const is_of_account = !t.services.empty();
    auto lacks = is_of_account ? lacks_for_account(t, r, n) : lacks_for_one(t, r);
    if (!lacks.empty()) return lacks;
    bool const may_write = std::visit(may_be_written{}, r) && t.permissions.find('w') != std::string::npos;
    if (!t.permissions.empty() && !may_write)
        for (char const c : n.permissions)
            if (t.permissions.find(c) == std::string::npos)
                return "lacks the permission " + named(c) + shown(": it has ", t.permissions);
    return suspected(t, denied);
}

std::string skew_of(ticks now, std::optional<ticks> served_at) {
    using std::chrono::minutes;
    if (!served_at) return {};
    auto const ahead = std::chrono::duration_cast<minutes>(now - *served_at);
    if (ahead < allowed_skew && -ahead < allowed_skew) return {};
    auto const by = std::to_string(ahead.count() < 0 ? -ahead.count() : ahead.count());
    return "this machine's clock is " + by + " minutes " + (ahead.count() < 0 ? "behind" : "ahead of") +
           " the service's, and 15 are allowed: set it";
}

/// False for a denial that no credential can prevent: a disabled account, a request that is not allowed at all.
bool is_about_signature(std::error_code denied) noexcept {
    return denied == service_errc::authentication_failed || denied == service_errc::authorization_failure ||
           denied == service_errc::authorization_permission_mismatch ||
           denied == service_errc::authorization_resource_type_mismatch ||
           denied == service_errc::authorization_service_mismatch ||
           denied == service_errc::authorization_protocol_mismatch;
}

struct adviser {
    std::error_code denied;
    request const& asked;
    std::string const& account;
    ticks now;
    std::optional<ticks> served_at;

    std::string operator()(sas_credential const& c) const {
        if (!is_about_signature(denied)) return {};
        auto const lacks = lacks_of(read_sas(c.token), asked, now, denied);
        return lacks.empty() ? lacks : "the shared access signature for " + account + " " + lacks;
    }
    std::string operator()(shared_key_credential const&) const { return of_key(); }
    std::string operator()(shared_key_lite_credential const&) const { return of_key(); }
    std::string operator()(token_credential const&) const {
        if (denied == service_errc::invalid_authentication_info || denied == service_errc::authentication_failed ||
            denied == service_errc::no_authentication_information)
            return account + " did not accept the access token, nor another one that was fetched for it";
        auto const service = letter_of_service(asked);
        std::string role = "give the identity a role on " + account + ", such as Storage ";
        role += service == 'q' ? "Queue" : service == 'b' ? "Blob" : "Table";
        role += " Data Contributor, or Reader where nothing is written";
        if (denied == service_errc::authorization_permission_mismatch) return role;
        if (denied == service_errc::authorization_failure) return role + "; or " + std::string{shut_out};
        return {};
    }

private:
    std::string of_key() const {
        if (denied == service_errc::key_based_authentication_not_permitted)
            return account + " takes no signatures with its key: use an access token";
        bool const may_be_shut_out = denied == service_errc::authorization_failure;
        if (denied != service_errc::authentication_failed && !may_be_shut_out) return {};
        if (auto skew = skew_of(now, served_at); !skew.empty()) return skew;
        auto advice =
            account + " did not accept the signature: check AccountName and AccountKey, and this machine's clock";
        return may_be_shut_out ? advice.append("; or ").append(shut_out) : advice;
    }
};

/// The service answers "not found" for a table's policies to callers that may not see them; a missing table has another
/// code.
bool hides_policies(error const& e, request const& r, credential const& c) noexcept {
    bool const is_about_policies =
        std::holds_alternative<get_access_policies>(r) || std::holds_alternative<set_access_policies>(r);
    return is_about_policies && e.code() == service_errc::resource_not_found && !signs_with_key(c);
}

error policies_denied(error const& e) {
    auto details = e.details();
    details.reason = "access policies are read and set with the account's key, not with an access token or a signature";
    return error{service_errc::authorization_failure, std::move(details)};
}

}  // namespace

error with_advice(error const& denied, request const& r, storage_account const& a, ticks now,
                  std::optional<ticks> served_at) {
    if (!a.credential) return denied;
    if (hides_policies(denied, r, *a.credential)) return policies_denied(denied);
    if (denied.kind() != error_kind::denied) return denied;
    auto const account = a.name.empty() ? std::string{"the account"} : "account '" + a.name + "'";
    auto const advice = std::visit(adviser{denied.code(), r, account, now, served_at}, *a.credential);
    if (advice.empty()) return denied;
    auto details = denied.details();
    details.reason = details.reason.empty() ? advice : details.reason + "; " + advice;
    return error{denied.code(), std::move(details)};
}

}  // namespace tablemap::detail
