// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/driven_call.hpp"

#include "tablemap/store/observer.hpp"

#include <atomic>
#include <string>

namespace tablemap::detail {
namespace {

std::uint64_t next_number() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

/// What is known of an operation that is being observed.
struct driven_call::told {
    std::shared_ptr<observer> to;
    operation_event event{};
    time_point began{};
    std::string table{};  ///< of the first request
    std::string server_request_id{};
    bool is_flow = false;
    bool wrote = false;  ///< something that changes the store was sent
};

void driven_call::told_deleter::operator()(told* t) const noexcept { delete t; }

call_options const& driven_call::complete(capabilities const& can, call_options const& o, bool wants_id) {
    if (!own_) own_ = o;
    if (wants_id) own_->request_id = random_guid(environment{*own_}.clock()).text();
    if (can.observer) own_->origin.operation = next_number();
    return *own_;
}

void driven_call::begin(capabilities const& can, id_scope ids) {
    told_.reset(new told{.to = can.observer, .began = env_.now(), .is_flow = ids == id_scope::request});
    auto& e = told_->event;
    e.number = number();
    e.store = can.name;
    e.server = can.server_address;
    e.port = can.server_port;
    e.client_request_id = own_->request_id;
}

void driven_call::note_sending(std::span<request const> requests, int attempt) noexcept {
    auto& e = told_->event;
    own_->origin.attempt = attempt;
    if (e.action.empty() && !requests.empty()) {
        e.action = action_of(requests.front());
        told_->table = table_of(requests.front());
    }
    if (env_.why_stop()) return;  // nothing is sent then
    e.requests += requests.size();
    if (attempt > 1) e.retries += requests.size();
    for (auto const& r : requests) told_->wrote = told_->wrote || is_write(r);
}

void driven_call::note_answers(std::span<response const> answers) noexcept {
    told_->event.expected = {};
    for (auto const& a : answers) {
        if (a.failure && !told_->is_flow) told_->event.expected = a.failure->code();
        if (a.trip) told_->server_request_id = a.trip->request_id;
    }
}

void driven_call::name(operation_label const& label) noexcept {
    told_->event.action = label.action;
    told_->event.table = label.table;
}

void driven_call::tell(error const* why) noexcept {
    auto const last = std::move(told_);
    auto& e = last->event;
    if (!why && !e.interrupted && e.requests == 0) return;
    if (e.table.empty()) e.table = last->table;
    e.server_request_id = last->server_request_id;
    e.took = env_.now() - last->began;
    if (why) {
        e.error = why->code();
        e.message = why->what();
        e.outcome = why->outcome();
    } else if (e.interrupted) {
        e.outcome = last->wrote ? outcome::in_doubt : outcome::not_applied;
    } else {
        e.outcome = e.expected ? outcome::not_applied : outcome::applied;
    }
    if (why || e.interrupted) e.expected = {};
    last->to->operation_done(e);
}

void driven_call::interrupted() noexcept {
    told_->event.interrupted = true;
    tell(nullptr);
}

call_options const& lane_options::complete(capabilities const& can, driven_call const& call, int attempt) {
    auto const& o = call.env().options();
    if (!own_) own_ = o;
    own_->origin = {call.number(), attempt};
    if (can.remote && attempt == 1 && o.request_id.empty()) own_->request_id = random_guid(call.env().clock()).text();
    return *own_;
}

}  // namespace tablemap::detail
