// SPDX-License-Identifier: Apache-2.0
#include "serve/refused.hpp"

#include <string_view>

namespace tablemap::inline v0_1::detail::serve {
namespace {

using S = service_errc;

int status_of(S code) noexcept {
    switch (code) {
    case S::entity_already_exists:
    case S::table_already_exists:
    case S::table_being_deleted: return 409;
    case S::resource_not_found:
    case S::table_not_found: return 404;
    case S::update_condition_not_satisfied: return 412;
    case S::server_busy: return 503;
    case S::too_many_requests: return 429;
    case S::unknown:
    case S::operation_timed_out:
    case S::table_server_out_of_memory:
    case S::internal_error: return 500;
    case S::authentication_failed:
    case S::authorization_failure:
    case S::authorization_permission_mismatch:
    case S::authorization_resource_type_mismatch:
    case S::authorization_service_mismatch:
    case S::authorization_protocol_mismatch:
    case S::authorization_source_ip_mismatch:
    case S::insufficient_account_permissions:
    case S::account_is_disabled:
    case S::key_based_authentication_not_permitted:
    case S::invalid_operation: return 403;
    case S::invalid_authentication_info:
    case S::no_authentication_information: return 401;
    case S::not_implemented: return 501;
    case S::method_not_allowed:
    case S::unsupported_http_verb: return 405;
    case S::media_type_not_supported:
    case S::atom_format_not_supported:
    case S::json_format_not_supported: return 415;
    case S::request_body_too_large:
    case S::content_length_exceeded: return 413;
    case S::missing_content_length_header: return 411;
    default: return 400;
    }
}

/// The service's own message for codes that clients show often; empty for the others.
std::string_view usual_message(S code) noexcept {
    switch (code) {
    case S::entity_already_exists: return "The specified entity already exists.";
    case S::table_already_exists: return "The table specified already exists.";
    case S::resource_not_found: return "The specified resource does not exist.";
    case S::table_not_found: return "The table specified does not exist.";
    case S::update_condition_not_satisfied: return "The update condition specified in the request was not satisfied.";
    case S::properties_need_value: return "The values are not specified for all properties in the entity.";
    default: return {};
    }
}

/// A sentence from what an error says about itself, which holds no keys and no values.
std::string described(error const& e) {
    auto const& d = e.details();
    std::string text = e.code().message();
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    if (!d.member.empty()) text += " (property '" + d.member + "')";
    if (!d.reason.empty()) text += ": " + d.reason;
    return text + '.';
}

/// A failure that is none of the service's own: of the file, the way to another store, or of this library.
refused foreign_failure(error const& e) {
    switch (e.kind()) {
    case error_kind::unavailable:
    case error_kind::timed_out:
    case error_kind::cancelled: return {503, "ServerBusy", described(e)};
    case error_kind::invalid_argument:
    case error_kind::too_large:
    case error_kind::type_mismatch: return {400, "InvalidInput", described(e)};
    case error_kind::unsupported: return {501, "NotImplemented", described(e)};
    case error_kind::denied: return {403, "InsufficientAccountPermissions", described(e)};
    default: return {500, "InternalError", described(e)};
    }
}

}  // namespace

refused refusal_of(error const& e) {
    auto r = [&] {
        // Clients take any other status, 503 too, for a write that was not begun.
        if (e.outcome() == outcome::in_doubt) return refused{500, "OperationTimedOut", described(e)};
        if (e.code().category() != service_category()) return foreign_failure(e);
        auto const code = static_cast<S>(e.code().value());
        auto const name = service_code_name(code);
        auto const usual = usual_message(code);
        return refused{status_of(code), std::string{name.empty() ? "InternalError" : name},
                       usual.empty() ? described(e) : std::string{usual}};
    }();
    r.index = e.failed_index();
    return r;
}

refused refusal_of_write(error const& e) {
    auto r = refusal_of(e);
    if (e.code() != S::unknown || e.outcome() != outcome::not_applied) return r;
    refused certain{400, "InvalidInput", r.what()};
    certain.index = r.index;
    return certain;
}

void refuse_input(std::string const& message) { throw refused{400, "InvalidInput", message}; }

void refuse_authentication(std::string const& why) {
    throw refused{403, "AuthenticationFailed", "Server failed to authenticate the request. " + why};
}

void refuse_authorization(std::string const& code, std::string const& why) {
    throw refused{403, code, "This request is not authorized to perform this operation: " + why};
}

void refuse_method() {
    throw refused{405, "MethodNotAllowed", "The resource doesn't support the specified HTTP verb."};
}

}  // namespace tablemap::detail::serve
