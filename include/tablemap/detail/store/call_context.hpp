// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/store/thrown_note.hpp"
#include "tablemap/store/store.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// The name of an operation for observers. Borrowed from it, by its function `label`; one without is named by its first
/// request.
struct operation_label {
    std::string_view action{};
    std::string_view table{};
};

/// The requests that share a client request id if the call has none.
enum class id_scope : std::uint8_t { operation, request };

/// True if a request left this process, judged by its response. A remote store refuses some, and those have no round
/// trip.
inline bool was_sent(bool remote, response const& answer) noexcept {
    return !remote || answer.ok() || answer.trip || answer.outcome() == outcome::in_doubt;
}

/// A driver's note about the requests that it sends, until they are answered.
struct sent_note {
    std::span<request const> requests{};  ///< borrowed
    int attempt = 1;
    bool writes = false;     ///< at least one of them is a write
    bool held_back = false;  ///< not sent, because the call had to end
};

/// One run of an operation by a driver: its environment, the id of its requests, and its events for an observer.
/// Without an observer a local store pays a few tests.
class call_context {
public:
    /// The options are borrowed, or kept. The store must live until the end.
    call_context(store const& s, call_options const& o, id_scope ids = id_scope::operation);
    call_context(store const& s, call_options&& o, id_scope ids = id_scope::operation);
    /// An operation whose end was not reported has thrown.
    ~call_context();
    call_context(call_context const&) = delete;
    call_context& operator=(call_context const&) = delete;

    environment const& env() const noexcept { return env_; }
    bool is_observed() const noexcept { return static_cast<bool>(trace_); }
    std::uint64_t number() const noexcept { return own_ ? own_->origin.operation : 0; }

    /// Sets the name of the operation; it must outlive this.
    template <class Op> void named(Op const& op) noexcept {
        if constexpr (requires { op.label(); })
            if (trace_) [[unlikely]]
                name(op.label());
    }

    /// Called before requests are sent. `attempt` is of each. The note is for `answered`.
    sent_note sending(std::span<request const> requests, int attempt) noexcept;
    /// Takes the responses to those requests. A response that holds other rows than were requested becomes a failure.
    void answered(std::span<response> answers, sent_note const& sent);

    /// Throws the exception of the program's clock or observer, if there was one.
    void rethrow() { thrown_.rethrow(); }

    /// Reports that the operation has thrown.
    void ended_by_throwing() noexcept {
        if (trace_) [[unlikely]]
            interrupted();
    }

    /// Reports the end of the operation. Only the first end counts. Throws as `rethrow`.
    template <class Result> void ended(Result const& r) {
        if (trace_) [[unlikely]]
            notify_end(r);
        rethrow();
    }

private:
    struct trace;

    template <class Result> void notify_end(Result const& r) noexcept {
        if (!r) return notify_known(&r.error(), r.error().outcome());
        if constexpr (requires { r->totals.in_doubt; })  // a report of many rows
            notify_known(r->ended_by ? &*r->ended_by : nullptr, outcome_of(r->totals, r->complete()));
        else if constexpr (requires { r->doubt(); })  // the goal is reached, perhaps by another
            r->doubt() ? notify_known(nullptr, outcome::in_doubt) : notify(nullptr, nullptr);
        else
            notify(nullptr, nullptr);
    }

    template <class Totals> static outcome outcome_of(Totals const& rows, bool complete) noexcept {
        if (rows.in_doubt > 0) return outcome::in_doubt;
        return complete || rows.stored > rows.stored_before ? outcome::applied : outcome::not_applied;
    }

    /// The caller's options are used, unless requests need values that the caller did not give, or its clock may throw.
    call_options const& adapt(store const& s, call_options const& o, id_scope ids);
    call_options const& complete(call_options const& o, bool wants_id, bool is_observed);
    void begin(store const& s, id_scope ids);
    sent_note note_sending(std::span<request const> requests, int attempt) noexcept;
    void note_responses(std::span<response const> answers, sent_note const& sent) noexcept;
    void name(operation_label const& label) noexcept;
    // Not an optional outcome, which every program would compile. Both may be null.
    void notify(error const* why, outcome const* known) noexcept;
    void notify_known(error const* why, outcome known) noexcept { notify(why, &known); }
    void interrupted() noexcept;

    thrown_note thrown_;
    guarded_clock clock_{thrown_};
    std::optional<call_options> own_;
    environment env_;
    std::shared_ptr<trace> trace_;  ///< of one owner: a unique_ptr takes longer to compile
};

/// The options of a request that has an id of its own, for all its tries.
class slot_options {
public:
    call_options const& next(capabilities const& can, call_context const& call, int attempt) {
        auto const& o = call.env().options();
        if (!call.is_observed() && (!can.remote || !o.request_id.empty())) [[likely]]
            return o;
        return complete(can, call, attempt);
    }

private:
    call_options const& complete(capabilities const& can, call_context const& call, int attempt);

    std::optional<call_options> own_;
};

}  // namespace tablemap::detail
