// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/call_context.hpp"

#include "tablemap/detail/store/asked_row.hpp"
#include "tablemap/store/observer.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace tablemap::inline v0_1::detail {
namespace {

std::uint64_t next_number() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// The address that a store of an account tells is that of its tables.
bool is_of_another_service(request const& r) noexcept {
    return std::holds_alternative<queue_request>(r) || std::holds_alternative<blob_request>(r);
}

}  // namespace

/// The record of an operation that is being observed.
struct call_context::trace {
    std::shared_ptr<observer> to;
    operation_event event{};
    time_point began{};
    std::string table{};  ///< the table of the first request
    std::string client_request_id{};
    std::string server_request_id{};
    bool remote = false;
    bool is_bulk = false;
    bool in_doubt = false;        ///< the outcome of a write was in doubt
    bool applied = false;         ///< a write was applied
    std::size_t open = 0;         ///< sent and not answered yet
    std::size_t open_writes = 0;  ///< those of them that were sent with a write

    outcome of_writes() const noexcept {
        if (in_doubt || open_writes > 0) return outcome::in_doubt;
        return applied ? outcome::applied : outcome::not_applied;
    }
};

call_context::call_context(store const& s, call_options const& o, id_scope ids) : env_(adapt(s, o, ids)) {
    if (s.context().observer) [[unlikely]]
        begin(s, ids);
}

call_context::call_context(store const& s, call_options&& o, id_scope ids)
    : own_(std::move(o)), env_(adapt(s, *own_, ids)) {
    if (s.context().observer) [[unlikely]]
        begin(s, ids);
}

call_context::~call_context() { ended_by_throwing(); }

call_options const& call_context::adapt(store const& s, call_options const& o, id_scope ids) {
    bool const wants_id = s.capabilities().remote && ids == id_scope::operation && o.request_id.empty();
    bool const is_observed = s.context().observer != nullptr;
    if (!is_observed && !wants_id && !o.clock) [[likely]]
        return o;
    return complete(o, wants_id, is_observed);
}

call_options const& call_context::complete(call_options const& o, bool wants_id, bool is_observed) {
    if (!own_) own_ = o;
    if (own_->clock) {
        clock_.watch(*own_->clock);
        own_->clock = &clock_;
    }
    own_->origin.thrown = &thrown_;
    if (wants_id) own_->request_id = random_guid(environment{*own_}.clock()).text();
    if (is_observed) own_->origin.operation = next_number();
    return *own_;
}

void call_context::begin(store const& s, id_scope ids) {
    auto const& can = s.capabilities();
    auto const& with = s.context();
    trace_ = std::make_shared<trace>(
        trace{.to = with.observer, .began = env_.now(), .remote = can.remote, .is_bulk = ids == id_scope::request});
    auto& e = trace_->event;
    e.number = number();
    e.store = can.name;
    e.server = with.server_address;
    e.port = with.server_port;
    e.client_request_id = own_->request_id;
}

sent_note call_context::sending(std::span<request const> requests, int attempt) noexcept {
    if (trace_) [[unlikely]]
        return note_sending(requests, attempt);
    return {.requests = requests};
}

void call_context::answered(std::span<response> answers, sent_note const& sent) {
    refuse_other_rows(sent.requests, answers);
    if (trace_) [[unlikely]]
        note_responses(answers, sent);
}

sent_note call_context::note_sending(std::span<request const> requests, int attempt) noexcept {
    auto& e = trace_->event;
    if (trace_->open == 0) e.expected = {};
    if (e.action.empty() && !requests.empty()) {
        e.action = action_of(requests.front());
        trace_->table = table_of(requests.front());
    }
    if (!requests.empty() && is_of_another_service(requests.front())) {
        e.server = {};
        e.port = 0;
    }
    sent_note sent{
        .requests = requests, .attempt = attempt, .writes = std::any_of(requests.begin(), requests.end(), is_write)};
    sent.held_back = static_cast<bool>(env_.why_stop());
    if (sent.held_back) return sent;
    trace_->open += requests.size();
    if (sent.writes) trace_->open_writes += requests.size();
    return sent;
}

void call_context::note_responses(std::span<response const> answers, sent_note const& sent) noexcept {
    auto& t = *trace_;
    if (!sent.held_back) {
        t.open -= answers.size();
        if (sent.writes) t.open_writes -= answers.size();
    }
    for (auto const& a : answers) {
        if (a.failure && !t.is_bulk) t.event.expected = a.failure->code();
        if (sent.held_back || !was_sent(t.remote, a)) continue;
        ++t.event.requests;
        if (sent.attempt > 1) ++t.event.retries;
        if (sent.writes) {
            t.applied = t.applied || a.outcome() == outcome::applied;
            t.in_doubt = t.in_doubt || a.outcome() == outcome::in_doubt;
        }
        if (!a.trip) continue;
        t.server_request_id = a.trip->request_id;
        if (!t.is_bulk && !a.trip->client_request_id.empty()) t.client_request_id = a.trip->client_request_id;
    }
}

void call_context::name(operation_label const& label) noexcept {
    trace_->event.action = label.action;
    trace_->event.table = label.table;
}

void call_context::notify(error const* why, outcome const* known) noexcept {
    auto const last = std::move(trace_);
    auto& e = last->event;
    e.requests += last->open;
    if (!why && !e.interrupted && e.requests == 0) return;
    if (e.table.empty()) e.table = last->table;
    if (!last->client_request_id.empty()) e.client_request_id = last->client_request_id;
    e.server_request_id = last->server_request_id;
    e.took = env_.now() - last->began;
    if (why) {
        e.error = why->code();
        e.message = why->what();
    }
    e.outcome = known ? *known : e.expected ? outcome::not_applied : outcome::applied;
    if (why || e.interrupted) e.expected = {};
    try {
        last->to->operation_done(e);
    } catch (...) {
        thrown_.keep(std::current_exception());
    }
}

void call_context::interrupted() noexcept {
    trace_->event.interrupted = true;
    notify_known(nullptr, trace_->of_writes());
}

call_options const& slot_options::complete(capabilities const& can, call_context const& call, int attempt) {
    auto const& o = call.env().options();
    if (!own_) own_ = o;
    own_->origin = {call.number(), attempt, o.origin.thrown};
    if (can.remote && attempt == 1 && o.request_id.empty()) own_->request_id = random_guid(call.env().clock()).text();
    return *own_;
}

}  // namespace tablemap::detail
