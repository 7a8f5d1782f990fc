// SPDX-License-Identifier: Apache-2.0
#include "patterns/handler_run.hpp"

#include <memory>
#include <utility>

namespace tablemap::inline v0_1::detail {

void handler_run::begin(receiver& to) noexcept {
    to_ = &to;
    std::shared_ptr<handler_end> end;
    try {
        end = std::make_shared<handler_end>(*this);
    } catch (...) {
        return ended({.failure = failure_of_handler()});
    }
    auto begun = handler_.begin(json_, context_, effect_end{end});
    if (begun.failure) end->end(std::move(begun));
}

void handler_run::ended(handled outcome) noexcept {
    outcome_ = std::move(outcome);
    to_->complete({});
}

handler_end::~handler_end() {
    if (run_.load() == nullptr) return;
    end(handled{.failure = error{library_errc::effect_failed, {.reason = "the handler ended without a result"}}});
}

void handler_end::end(handled outcome) noexcept {
    if (auto* const run = run_.exchange(nullptr)) run->ended(std::move(outcome));
}

void handler_end::end(std::exception_ptr const& thrown) noexcept {
    if (!thrown) return end(handled{});
    end(call_handler([&]() -> std::optional<error> { std::rethrow_exception(thrown); }));
}

}  // namespace tablemap::detail
