// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"
#include "tablemap/detail/patterns/relay_core.hpp"

#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A run of an asynchronous handler, which a task waits for.
class handler_run final : public outside_work {
public:
    /// All is borrowed.
    handler_run(effect_handler const& handler, std::string_view json, effect_context const& context) noexcept
        : handler_(handler), json_(json), context_(context) {}

    void begin(receiver& to) noexcept override;

    handled const& outcome() const noexcept { return outcome_; }

private:
    friend handler_end;

    /// `*this` may be gone then.
    void ended(handled outcome) noexcept;

    effect_handler const& handler_;
    std::string_view json_;
    effect_context const& context_;
    receiver* to_ = nullptr;
    handled outcome_{};
};

}  // namespace tablemap::detail
