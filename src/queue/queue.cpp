// SPDX-License-Identifier: Apache-2.0
#include "tablemap/queue/queue.hpp"

#include "store/single_call.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/service_response.hpp"

#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using namespace detail;

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
struct creation {
    request const& asked;

    result<own_doing> operator()(single_answer& a) const {
        auto const& met = a.failure;
        if (met && met->code() != service_errc::queue_already_exists) return failure{*met};
        if (!met && a.service && a.service->created) return own_doing{true};
        bool const may_be_own = met ? met->outcome() == outcome::in_doubt : a.lost_a_write;
        if (!may_be_own) return own_doing{false};
        return own_doing::unknown(of(asked, lost(met.value_or(error{library_errc::response_lost}), lost_creation)));
    }
};

struct deletion_if_exists {
    request const& asked;

    result<own_doing> operator()(response& a) const {
        auto const& met = a.failure;
        if (!met) return own_doing{true};
        if (met->code() != service_errc::queue_not_found) return failure{*met};
        if (met->outcome() != outcome::in_doubt) return own_doing{false};
        return own_doing::unknown(of(asked, lost(*met, lost_deletion)));
    }
};

result<void> deletion(response& a) {
    auto const& met = a.failure;
    if (!met) return {};
    bool const own_effect = met->outcome() == outcome::in_doubt && met->code() == service_errc::queue_not_found;
    return failure{own_effect ? lost(*met, lost_deletion) : *met};
}

error was_there(request const& what) {
    return of(what, error{service_errc::queue_already_exists, {.reason = "use create_if_not_exists if that is fine"}});
}

// --- messages --------------------------------------------------------------------------------------------------------

result<void> done(response& a) {
    if (a.failure) return failure{*std::move(a.failure)};
    return {};
}

result<queue_message> the_message(response& a) {
    if (a.failure) return failure{*std::move(a.failure)};
    if (a.service && a.service->messages.size() == 1) return a.service->messages.front();
    return fail(library_errc::malformed_response,
                {.reason = "the store carried it out and returned no receipt", .outcome = outcome::applied});
}

result<message_receipt> the_receipt(response& a) {
    auto const m = the_message(a);
    if (!m) return failure{m.error()};
    return message_receipt{*m};
}

result<std::vector<queue_message>> the_messages(response& a) {
    if (a.failure) return failure{*std::move(a.failure)};
    return a.service ? a.service->messages : std::vector<queue_message>{};
}

result<std::size_t> the_count(response& a) {
    if (a.failure) return failure{*std::move(a.failure)};
    return a.service ? a.service->message_count : 0;
}

}  // namespace

queue::queue(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    if (auto const r = check_resource_name(name_); !r) throw r.error().in({}, name_);
}

result<void> queue::try_create(call_options const& o) const {
    request const what = queue_request{create_queue{name_}};
    auto const created = carry_out(*store_, what, o, creation{what});
    if (!created) return failure{created.error()};
    if (auto const* const doubt = created->doubt()) return failure{*doubt};
    if (*created) return {};
    return failure{was_there(what)};
}

result<own_doing> queue::try_create_if_not_exists(call_options const& o) const {
    request const what = queue_request{create_queue{name_}};
    return carry_out(*store_, what, o, creation{what});
}

result<void> queue::try_delete_queue(call_options const& o) const {
    request const what = queue_request{tablemap::delete_queue{name_}};
    return carry_out(*store_, what, o, deletion);
}

result<own_doing> queue::try_delete_if_exists(call_options const& o) const {
    request const what = queue_request{tablemap::delete_queue{name_}};
    return carry_out(*store_, what, o, deletion_if_exists{what});
}

result<bool> queue::try_exists(call_options const& o) const {
    auto const counted = try_approximate_count(o);
    if (counted) return true;
    if (counted.error().code() == service_errc::queue_not_found) return false;
    return failure{counted.error()};
}

result<queue_message> queue::try_put(std::string_view text, message_times times, call_options const& o) const {
    request const what = queue_request{put_message{name_, text, times.hidden_for, times.time_to_live}};
    return carry_out(*store_, what, o, the_message);
}

result<std::vector<queue_message>> queue::try_get(std::size_t most, std::chrono::seconds hidden_for,
                                                  call_options const& o) const {
    request const what = queue_request{get_messages{name_, most, hidden_for}};
    return carry_out(*store_, what, o, the_messages);
}

result<std::vector<queue_message>> queue::try_peek(std::size_t most, call_options const& o) const {
    request const what = queue_request{peek_messages{name_, most}};
    return carry_out(*store_, what, o, the_messages);
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          call_options const& o) const {
    request const what = queue_request{update_message{name_, m.id, m.receipt, hidden_for, {}}};
    return carry_out(*store_, what, o, the_receipt);
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          std::string_view text, call_options const& o) const {
    request const what = queue_request{update_message{name_, m.id, m.receipt, hidden_for, text}};
    return carry_out(*store_, what, o, the_receipt);
}

result<void> queue::try_erase(message_receipt const& m, call_options const& o) const {
    request const what = queue_request{delete_message{name_, m.id, m.receipt}};
    return carry_out(*store_, what, o, done);
}

result<void> queue::try_clear(call_options const& o) const {
    request const what = queue_request{clear_messages{name_}};
    return carry_out(*store_, what, o, done);
}

result<std::size_t> queue::try_approximate_count(call_options const& o) const {
    request const what = queue_request{count_messages{name_}};
    return carry_out(*store_, what, o, the_count);
}

// --- the same, throwing ----------------------------------------------------------------------------------------------

void queue::create(call_options const& o) const { value_or_throw(try_create(o)); }
own_doing queue::create_if_not_exists(call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(o));
}
void queue::delete_queue(call_options const& o) const { value_or_throw(try_delete_queue(o)); }
own_doing queue::delete_if_exists(call_options const& o) const { return value_or_throw(try_delete_if_exists(o)); }
bool queue::exists(call_options const& o) const { return value_or_throw(try_exists(o)); }

queue_message queue::put(std::string_view text, message_times times, call_options const& o) const {
    return value_or_throw(try_put(text, times, o));
}
std::vector<queue_message> queue::get(std::size_t most, std::chrono::seconds hidden_for, call_options const& o) const {
    return value_or_throw(try_get(most, hidden_for, o));
}
std::vector<queue_message> queue::peek(std::size_t most, call_options const& o) const {
    return value_or_throw(try_peek(most, o));
}
message_receipt queue::update(message_receipt const& m, std::chrono::seconds hidden_for, call_options const& o) const {
    return value_or_throw(try_update(m, hidden_for, o));
}
message_receipt queue::update(message_receipt const& m, std::chrono::seconds hidden_for, std::string_view text,
                              call_options const& o) const {
    return value_or_throw(try_update(m, hidden_for, text, o));
}
void queue::erase(message_receipt const& m, call_options const& o) const { value_or_throw(try_erase(m, o)); }
void queue::clear(call_options const& o) const { value_or_throw(try_clear(o)); }
std::size_t queue::approximate_count(call_options const& o) const { return value_or_throw(try_approximate_count(o)); }

}  // namespace tablemap
