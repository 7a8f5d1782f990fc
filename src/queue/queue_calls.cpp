// SPDX-License-Identifier: Apache-2.0
#include "queue/queue_calls.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/store/service_response.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail::queue_calls {
namespace {

constexpr auto lost_creation = "a response was lost: whether this call created the queue nobody can tell; exists() "
                               "tells whether it is there, and create_if_not_exists() may be called again";
constexpr auto lost_deletion = "a response was lost: whether this call deleted the queue nobody can tell; exists() "
                               "tells whether it is there, and delete_if_exists() may be called again";

error lost(error const& e, char const* reason) {
    auto d = e.details();
    d.reason = reason;
    d.outcome = outcome::in_doubt;
    return error{library_errc::response_lost, std::move(d)};
}

error of(request const& r, error const& e) { return e.in(action_of(r), table_of(r)); }

// --- creating and deleting -------------------------------------------------------------------------------------------

/// A queue that is there after a lost response may have been created by the try that lost it.
result<own_doing> creation_if_not_exists(single_answer& a, request const& asked) {
    auto const& met = a.failure;
    if (met && met->code() != service_errc::queue_already_exists) return failure{*met};
    if (!met && a.service && a.service->created) return own_doing{true};
    bool const may_be_own = met ? met->outcome() == outcome::in_doubt : a.lost_a_write;
    if (!may_be_own) return own_doing{false};
    return own_doing::unknown(of(asked, lost(met.value_or(error{library_errc::response_lost}), lost_creation)));
}

result<void> creation(single_answer& a, request const& asked) {
    auto const created = creation_if_not_exists(a, asked);
    if (!created) return failure{created.error()};
    if (auto const* const doubt = created->doubt()) return failure{*doubt};
    if (*created) return {};
    return fail(service_errc::queue_already_exists, {.reason = "use create_if_not_exists if that is fine"});
}

result<own_doing> deletion_if_exists(single_answer& a, request const& asked) {
    auto const& met = a.failure;
    if (!met) return own_doing{true};
    if (met->code() != service_errc::queue_not_found) return failure{*met};
    if (met->outcome() != outcome::in_doubt) return own_doing{false};
    return own_doing::unknown(of(asked, lost(*met, lost_deletion)));
}

result<void> deletion(single_answer& a, request const&) {
    auto const& met = a.failure;
    if (!met) return {};
    bool const own_effect = met->outcome() == outcome::in_doubt && met->code() == service_errc::queue_not_found;
    return failure{own_effect ? lost(*met, lost_deletion) : *met};
}

result<bool> existence(single_answer& a, request const&) {
    if (!a.failure) return true;
    if (a.failure->code() == service_errc::queue_not_found) return false;
    return failure{*std::move(a.failure)};
}

// --- messages --------------------------------------------------------------------------------------------------------

result<void> done(single_answer& a, request const&) {
    if (a.failure) return failure{*std::move(a.failure)};
    return {};
}

result<queue_message> the_message(single_answer& a, request const&) {
    if (a.failure) return failure{*std::move(a.failure)};
    if (a.service && a.service->messages.size() == 1) return a.service->messages.front();
    return fail(library_errc::malformed_response,
                {.reason = "the store carried it out and returned no receipt", .outcome = outcome::applied});
}

result<message_receipt> the_receipt(single_answer& a, request const& asked) {
    auto const m = the_message(a, asked);
    if (!m) return failure{m.error()};
    return message_receipt{*m};
}

result<std::vector<queue_message>> the_messages(single_answer& a, request const&) {
    if (a.failure) return failure{*std::move(a.failure)};
    return a.service ? a.service->messages : std::vector<queue_message>{};
}

result<std::size_t> the_count(single_answer& a, request const&) {
    if (a.failure) return failure{*std::move(a.failure)};
    return a.service ? a.service->message_count : 0;
}

}  // namespace

void check_name(std::string const& queue) {
    if (auto const r = check_resource_name(queue); !r) throw r.error().in({}, queue);
}

single_call<void> create(std::string_view queue) { return {queue_request{create_queue{queue}}, creation}; }

single_call<own_doing> create_if_not_exists(std::string_view queue) {
    return {queue_request{create_queue{queue}}, creation_if_not_exists};
}

single_call<void> delete_queue(std::string_view queue) {
    return {queue_request{tablemap::delete_queue{queue}}, deletion};
}

single_call<own_doing> delete_if_exists(std::string_view queue) {
    return {queue_request{tablemap::delete_queue{queue}}, deletion_if_exists};
}

single_call<bool> exists(std::string_view queue) { return {queue_request{count_messages{queue}}, existence}; }

single_call<queue_message> put(std::string_view queue, std::string_view text, message_times const& times) {
    return {queue_request{put_message{queue, text, times.hidden_for, times.time_to_live}}, the_message};
}

single_call<std::vector<queue_message>> get(std::string_view queue, std::size_t most, std::chrono::seconds hidden_for) {
    return {queue_request{get_messages{queue, most, hidden_for}}, the_messages};
}

single_call<std::vector<queue_message>> peek(std::string_view queue, std::size_t most) {
    return {queue_request{peek_messages{queue, most}}, the_messages};
}

single_call<message_receipt> update(std::string_view queue, message_receipt const& m, std::chrono::seconds hidden_for,
                                    std::optional<std::string_view> text) {
    return {queue_request{update_message{queue, m.id, m.receipt, hidden_for, text}}, the_receipt};
}

single_call<void> erase(std::string_view queue, message_receipt const& m) {
    return {queue_request{delete_message{queue, m.id, m.receipt}}, done};
}

single_call<void> clear(std::string_view queue) { return {queue_request{clear_messages{queue}}, done}; }

single_call<std::size_t> approximate_count(std::string_view queue) {
    return {queue_request{count_messages{queue}}, the_count};
}

}  // namespace tablemap::detail::queue_calls
