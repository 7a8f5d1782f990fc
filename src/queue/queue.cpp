// SPDX-License-Identifier: Apache-2.0
#include "tablemap/queue/queue.hpp"

#include "store/ask.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/store/task_run.hpp"
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

/// One request of a queue, and what becomes of its response. Borrows all but the task.
template <class V> class queue_call {
public:
    using value_type = V;

    queue_call(request const& r, task<result<V>> first) : request_(r), first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }
    result<V> take() {
        auto r = first_.take();
        if (!r) r = failure{r.error().in(action_of(request_), table_of(request_))};
        return r;
    }
    operation_label label() const noexcept { return {action_of(request_), table_of(request_)}; }

private:
    request const& request_;
    task<result<V>> first_;
};

struct answered {
    response answer;
    bool lost_before;
};

/// The response, and whether that to an earlier try was lost.
task<answered> send(request const& what) {
    auto asked = ask(what);
    auto answer = co_await asked;
    answered const all{std::move(answer), asked.lost_a_write()};
    co_return all;
}

/// A change without a value.
task<result<void>> change(request const& what) {
    auto const answer = co_await ask(what);
    if (answer.failure) co_return failure{*answer.failure};
    co_return result<void>{};
}

/// The response of a request that returns something.
task<result<service_response>> question_about(request const& what) {
    auto const answer = co_await ask(what);
    if (answer.failure) co_return failure{*answer.failure};
    co_return answer.service ? *answer.service : service_response{};
}

template <class V> result<V> drive(store& s, request const& what, task<result<V>> first, call_options const& o) {
    queue_call<V> call{what, std::move(first)};
    return run(s, call, o);
}

// --- creating and deleting -------------------------------------------------------------------------------------------

error lost(error const& e, char const* reason) {
    auto d = e.details();
    d.reason = reason;
    d.outcome = outcome::in_doubt;
    return error{library_errc::response_lost, std::move(d)};
}

/// A queue that is there after a lost response may have been created by the try that lost it.
own_doing creation(answered const& a, request const& what) {
    if (a.answer.service && a.answer.service->created) return true;
    if (!a.lost_before) return false;
    error const e{library_errc::response_lost};
    return own_doing::unknown(lost(e, lost_creation).in(action_of(what), table_of(what)));
}

task<result<own_doing>> creation_if_not_exists(request const& what) {
    auto const a = co_await send(what);
    auto const& met = a.answer.failure;
    if (!met) co_return creation(a, what);
    bool const is_there = met->code() == service_errc::queue_already_exists;
    if (!is_there) co_return failure{*met};
    if (met->outcome() != outcome::in_doubt) co_return own_doing{false};
    co_return own_doing::unknown(lost(*met, lost_creation).in(action_of(what), table_of(what)));
}

task<result<own_doing>> deletion_if_exists(request const& what) {
    auto const answer = co_await ask(what);
    auto const& met = answer.failure;
    if (!met) co_return own_doing{true};
    if (met->code() != service_errc::queue_not_found) co_return failure{*met};
    if (met->outcome() != outcome::in_doubt) co_return own_doing{false};
    co_return own_doing::unknown(lost(*met, lost_deletion).in(action_of(what), table_of(what)));
}

task<result<void>> deletion(request const& what) {
    auto const answer = co_await ask(what);
    auto const& met = answer.failure;
    if (!met) co_return result<void>{};
    bool const own_effect = met->outcome() == outcome::in_doubt && met->code() == service_errc::queue_not_found;
    co_return failure{own_effect ? lost(*met, lost_deletion) : *met};
}

error was_there(request const& what) {
    error const e{service_errc::queue_already_exists, {.reason = "use create_if_not_exists if that is fine"}};
    return e.in(action_of(what), table_of(what));
}

// --- results ---------------------------------------------------------------------------------------------------------

/// The message of a response that has one.
result<queue_message> the_message(result<service_response>&& r) {
    if (!r) return failure{r.error()};
    if (r->messages.size() == 1) return std::move(r->messages.front());
    return fail(library_errc::malformed_response,
                {.reason = "the store carried it out and returned no receipt", .outcome = outcome::applied});
}

result<std::vector<queue_message>> the_messages(result<service_response>&& r) {
    if (!r) return failure{r.error()};
    return std::move(r->messages);
}

result<message_receipt> the_receipt(result<queue_message>&& m) {
    if (!m) return failure{m.error()};
    return message_receipt{*m};
}

}  // namespace

queue::queue(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    if (auto const r = check_resource_name(name_); !r) throw r.error().in({}, name_);
}

result<void> queue::try_create(call_options const& o) const {
    request const what = queue_request{create_queue{name_}};
    auto const created = drive(*store_, what, creation_if_not_exists(what), o);
    if (!created) return failure{created.error()};
    if (auto const* const doubt = created->doubt()) return failure{*doubt};
    if (*created) return {};
    return failure{was_there(what)};
}

result<own_doing> queue::try_create_if_not_exists(call_options const& o) const {
    request const what = queue_request{create_queue{name_}};
    return drive(*store_, what, creation_if_not_exists(what), o);
}

result<void> queue::try_delete_queue(call_options const& o) const {
    request const what = queue_request{tablemap::delete_queue{name_}};
    return drive(*store_, what, deletion(what), o);
}

result<own_doing> queue::try_delete_if_exists(call_options const& o) const {
    request const what = queue_request{tablemap::delete_queue{name_}};
    return drive(*store_, what, deletion_if_exists(what), o);
}

result<bool> queue::try_exists(call_options const& o) const {
    auto const counted = try_approximate_count(o);
    if (counted) return true;
    if (counted.error().code() == service_errc::queue_not_found) return false;
    return failure{counted.error()};
}

result<queue_message> queue::try_put(std::string_view text, message_times times, call_options const& o) const {
    request const what = queue_request{put_message{name_, text, times.hidden_for, times.time_to_live}};
    return the_message(drive(*store_, what, question_about(what), o));
}

result<std::vector<queue_message>> queue::try_get(std::size_t most, std::chrono::seconds hidden_for,
                                                  call_options const& o) const {
    request const what = queue_request{get_messages{name_, most, hidden_for}};
    return the_messages(drive(*store_, what, question_about(what), o));
}

result<std::vector<queue_message>> queue::try_peek(std::size_t most, call_options const& o) const {
    request const what = queue_request{peek_messages{name_, most}};
    return the_messages(drive(*store_, what, question_about(what), o));
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          call_options const& o) const {
    request const what = queue_request{update_message{name_, m.id, m.receipt, hidden_for, {}}};
    return the_receipt(the_message(drive(*store_, what, question_about(what), o)));
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          std::string_view text, call_options const& o) const {
    request const what = queue_request{update_message{name_, m.id, m.receipt, hidden_for, text}};
    return the_receipt(the_message(drive(*store_, what, question_about(what), o)));
}

result<void> queue::try_erase(message_receipt const& m, call_options const& o) const {
    request const what = queue_request{delete_message{name_, m.id, m.receipt}};
    return drive(*store_, what, change(what), o);
}

result<void> queue::try_clear(call_options const& o) const {
    request const what = queue_request{clear_messages{name_}};
    return drive(*store_, what, change(what), o);
}

result<std::size_t> queue::try_approximate_count(call_options const& o) const {
    request const what = queue_request{count_messages{name_}};
    auto const r = drive(*store_, what, question_about(what), o);
    if (!r) return failure{r.error()};
    return r->message_count;
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
