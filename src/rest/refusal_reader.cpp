// SPDX-License-Identifier: Apache-2.0
#include "rest/refusal_reader.hpp"

#include "tablemap/base/redaction.hpp"
#include "rest/http_date.hpp"
#include "wire/service_error.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Names that mean the same as a listed one.
service_errc code_named(std::string_view name) noexcept {
    if (name == "EntityNotFound") return service_errc::resource_not_found;
    if (name == "ConditionNotMet") return service_errc::update_condition_not_satisfied;
    if (name == "JsonVerboseFormatNotSupported") return service_errc::json_format_not_supported;
    return service_code_from_name(name);
}

bool is_about_messages(queue_request const& q) noexcept {
    return std::holds_alternative<update_message>(q) || std::holds_alternative<delete_message>(q);
}

/// The code of a status in the queue service, where that differs; `unknown` otherwise.
service_errc code_of_queue_status(queue_request const& q, int status) noexcept {
    if (status == 404 && !is_about_messages(q)) return service_errc::queue_not_found;
    if (status == 409 && std::holds_alternative<create_queue>(q)) return service_errc::queue_already_exists;
    if (status == 413) return service_errc::message_too_large;
    return service_errc::unknown;
}

/// The code of a missing resource. A response to HEAD may name none, since it has no body.
service_errc code_of_absence(request const& r) noexcept {
    auto const* const b = std::get_if<blob_request>(&r);
    if (!b) return service_errc::resource_not_found;
    bool const is_about_container =
        std::holds_alternative<delete_container>(*b) || std::holds_alternative<list_blobs>(*b);
    return is_about_container ? service_errc::container_not_found : service_errc::blob_not_found;
}

/// For a response that names no code: one of a proxy, or of a server that gave up.
service_errc code_of_status(request const& r, int status) noexcept {
    if (auto const* const q = std::get_if<queue_request>(&r))
        if (auto const own = code_of_queue_status(*q, status); own != service_errc::unknown) return own;
    switch (status) {
    case 400: return service_errc::invalid_input;
    case 401: return service_errc::invalid_authentication_info;
    case 403: return service_errc::authorization_failure;
    case 404: return code_of_absence(r);
    case 405: return service_errc::method_not_allowed;
    case 408: return service_errc::operation_timed_out;
    case 409:
        if (std::holds_alternative<create_table>(r)) return service_errc::table_already_exists;
        if (std::holds_alternative<write_entity>(r) || std::holds_alternative<transact>(r))
            return service_errc::entity_already_exists;
        return service_errc::unknown;
    case 411: return service_errc::missing_content_length_header;
    case 412: return service_errc::update_condition_not_satisfied;
    case 413: return service_errc::request_body_too_large;
    case 414:
    case 431: return service_errc::content_length_exceeded;
    case 415: return service_errc::media_type_not_supported;
    case 416: return service_errc::invalid_range;
    case 429: return service_errc::too_many_requests;
    case 500:
    case 502: return service_errc::internal_error;
    case 501: return service_errc::not_implemented;
    case 503: return service_errc::server_busy;
    case 504: return service_errc::operation_timed_out;
    default: return service_errc::unknown;
    }
}

/// True for statuses that tell more than a code that is not listed. The others say what is stored, and programs act on
/// that: an unknown code with them may mean something else.
bool status_tells_more(int status) noexcept { return status != 404 && status != 409 && status != 412; }

/// The advice for a code whose own text gives none; empty for the rest.
std::string_view remedy_for(request const& r, service_errc code) noexcept {
    switch (code) {
    case service_errc::entity_already_exists: return "there is an entity with these keys";
    case service_errc::table_already_exists: return "use create_if_not_exists if that is fine";
    case service_errc::table_not_found: return "create it with create_if_not_exists, or check its name";
    case service_errc::table_being_deleted: return "call again later, or make it with create(if_being_deleted::wait)";
    case service_errc::resource_not_found:
        return std::holds_alternative<delete_table>(r) ? "there is no such table" : std::string_view{};
    case service_errc::queue_being_deleted: return "call again later";
    case service_errc::message_not_found: return "it was deleted, or its time to live is over";
    case service_errc::invalid_duplicate_row: return "each entity may be written once";
    case service_errc::commands_in_batch_act_on_different_partitions:
        return "a group transaction acts in one partition";
    case service_errc::request_body_too_large:
        return std::holds_alternative<blob_request>(r) ? "store it in blocks" : "send fewer operations at once";
    case service_errc::container_already_exists: return "use create_if_not_exists if that is fine";
    case service_errc::container_not_found: return "create it with create_if_not_exists, or check its name";
    case service_errc::container_being_deleted: return "call again later";
    default: return {};
    }
}

/// The outcome of a write, by the service's code if it gave one: a proxy's 503 may come after the service has begun.
outcome outcome_of(request const& r, int status, service_errc stated) noexcept {
    if (!is_write(r)) return outcome::not_applied;
    if (stated == service_errc::server_busy || stated == service_errc::too_many_requests) return outcome::not_applied;
    bool const may_have_begun = status == 408 || (status >= 500 && status != 501 && status != 505);
    return may_have_begun ? outcome::in_doubt : outcome::not_applied;
}

std::optional<std::chrono::milliseconds> delay_of(std::string_view text, std::chrono::milliseconds unit) noexcept {
    constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    std::uint64_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    if (end != last || text.empty()) return std::nullopt;
    if (e == std::errc::result_out_of_range) return longest;
    if (e != std::errc{}) return std::nullopt;
    auto const most = static_cast<std::uint64_t>(longest / unit);
    return unit * static_cast<std::int64_t>(std::min(n, most));
}

std::optional<std::chrono::milliseconds> wait_until(std::string_view date, ticks now) noexcept {
    using std::chrono::milliseconds;
    auto const then = parse_http_date(date);
    if (!then) return std::nullopt;
    auto const wait = std::chrono::ceil<milliseconds>(tick_duration{then->count() - now.count()});
    return std::clamp<milliseconds>(wait, milliseconds{0}, std::chrono::hours{24});
}

}  // namespace

error read_refusal(request const& r, int status, std::string_view header_code, std::string_view body) {
    auto said = read_service_message(body);
    if (said.code.empty()) said.code = header_code;
    auto stated = code_named(said.code);
    if (stated == service_errc::request_body_too_large && std::holds_alternative<queue_request>(r))
        stated = service_errc::message_too_large;
    bool const use_status = stated == service_errc::unknown && (said.code.empty() || status_tells_more(status));
    auto const code = use_status ? code_of_status(r, status) : stated;
    error_details d;
    d.reason = stated == service_errc::unknown ? "the response has HTTP status " + std::to_string(status)
                                               : std::string{remedy_for(r, code)};
    if (stated == service_errc::unknown && !said.code.empty()) d.server_text = said.code + ": ";
    d.server_text += said.text;
    d.server_text = redacted(d.server_text);  // it may repeat what was sent: the signature, or all of a header
    d.outcome = outcome_of(r, status, stated);
    return error{code, std::move(d)};
}

std::optional<std::chrono::milliseconds> read_retry_after(http_response const& answer, ticks now) {
    using std::chrono::milliseconds;
    std::optional<milliseconds> longest;
    auto take = [&](std::optional<milliseconds> wait) {
        if (wait) longest = std::max(*wait, longest.value_or(milliseconds{0}));
    };
    if (auto const* h = answer.header("Retry-After")) {
        auto const seconds = delay_of(*h, std::chrono::seconds{1});
        take(seconds ? seconds : wait_until(*h, now));
    }
    for (auto const* name : {"retry-after-ms", "x-ms-retry-after-ms"})
        if (auto const* h = answer.header(name)) take(delay_of(*h, milliseconds{1}));
    return longest;
}

}  // namespace tablemap::detail
