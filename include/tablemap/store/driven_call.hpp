// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/operation.hpp"
#include "tablemap/store/store.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tablemap::detail {

/// What observers call an operation. Borrowed from it, by its function `label`; one without is named by its first request.
struct operation_label {
    std::string_view action{};
    std::string_view table{};
};

/// Which requests carry the same client request id, where the call names none.
enum class id_scope : std::uint8_t { operation, request };

/// One run of an operation by a driver: its environment, the id of its requests, and what an observer is to be told of it.
/// Where nobody observes a local store it costs a few tests.
class driven_call {
public:
    /// The options are borrowed, or kept. The capabilities' store must live until the end.
    driven_call(capabilities const& can, call_options const& o, id_scope ids = id_scope::operation)
        : env_(adapt(can, o, ids)) {
        if (can.observer) [[unlikely]]
            begin(can, ids);
    }
    driven_call(capabilities const& can, call_options&& o, id_scope ids = id_scope::operation)
        : own_(std::move(o)), env_(adapt(can, *own_, ids)) {
        if (can.observer) [[unlikely]]
            begin(can, ids);
    }
    /// An operation that was not told to have ended has thrown.
    ~driven_call() {
        if (told_) [[unlikely]]
            interrupted();
    }
    driven_call(driven_call const&) = delete;
    driven_call& operator=(driven_call const&) = delete;

    environment const& env() const noexcept { return env_; }
    bool is_observed() const noexcept { return told_ != nullptr; }
    std::uint64_t number() const noexcept { return own_ ? own_->origin.operation : 0; }

    /// What an operation is called; it must outlive this.
    template <class Op> void named(Op const& op) noexcept {
        if constexpr (requires { op.label(); })
            if (told_) [[unlikely]]
                name(op.label());
    }

    /// Before requests are sent: those of a step, or one of a flow. `attempt` is of each.
    void sending(std::span<request const> requests, int attempt) noexcept {
        if (told_) [[unlikely]]
            note_sending(requests, attempt);
    }
    /// After they were answered.
    void answered(std::span<response const> answers) noexcept {
        if (told_) [[unlikely]]
            note_answers(answers);
    }

    /// The operation ended. Only the first end counts.
    template <class Result> void ended(Result const& r) noexcept {
        if (told_) [[unlikely]]
            tell(r ? nullptr : &r.error());
    }
    template <class Result> void ended(std::exception_ptr const& thrown, Result const& r) noexcept {
        if (!told_) [[likely]]
            return;
        thrown ? interrupted() : ended(r);
    }

private:
    struct told;
    struct told_deleter {
        void operator()(told* t) const noexcept;
    };

    /// Options of the caller will do, unless requests are to carry what the caller did not give.
    call_options const& adapt(capabilities const& can, call_options const& o, id_scope ids) {
        bool const wants_id = can.remote && ids == id_scope::operation && o.request_id.empty();
        if (!can.observer && !wants_id) [[likely]]
            return o;
        return complete(can, o, wants_id);
    }
    call_options const& complete(capabilities const& can, call_options const& o, bool wants_id);
    void begin(capabilities const& can, id_scope ids);
    void note_sending(std::span<request const> requests, int attempt) noexcept;
    void note_answers(std::span<response const> answers) noexcept;
    void name(operation_label const& label) noexcept;
    void tell(error const* why) noexcept;
    void interrupted() noexcept;

    std::optional<call_options> own_{};
    environment env_;
    std::unique_ptr<told, told_deleter> told_{};
};

/// The options of the requests on one lane of a flow, one after the other: each has an id of its own, for all its tries.
class lane_options {
public:
    call_options const& next(capabilities const& can, driven_call const& call, int attempt) {
        auto const& o = call.env().options();
        if (!call.is_observed() && (!can.remote || !o.request_id.empty())) [[likely]]
            return o;
        return complete(can, call, attempt);
    }

private:
    call_options const& complete(capabilities const& can, driven_call const& call, int attempt);

    std::optional<call_options> own_{};
};

}  // namespace tablemap::detail
