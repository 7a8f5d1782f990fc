// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {
namespace detail {

/// The result of a handler for the JSON of an effect.
struct handled {
    std::optional<error> failure{};  ///< empty: the effect was applied
    bool unreadable = false;         ///< the JSON is none of the effect's type; the handler was not called
};

class handler_run;

/// The end of a run of an asynchronous handler; the first one counts. May be called from any thread.
class handler_end {
public:
    explicit handler_end(handler_run& run) noexcept : run_(&run) {}
    handler_end(handler_end const&) = delete;
    handler_end& operator=(handler_end const&) = delete;
    ~handler_end();  ///< a handler that ends without a result has failed

    void end(handled outcome) noexcept;
    void end(std::exception_ptr const& thrown) noexcept;

private:
    std::atomic<handler_run*> run_;  ///< null: it has ended
};

}  // namespace detail

/// Takes the result of an asynchronous handler; see `on`. It is a completion token for the operations of `async_table`
/// and the like. A handler that destroys all copies without a call has failed.
///
/// \par Thread safety
/// Full. The first call counts.
class effect_end {
public:
    explicit effect_end(std::shared_ptr<detail::handler_end> end) noexcept : end_(std::move(end)) {}

    /// The effect was applied or, with an exception, was not.
    void operator()(std::exception_ptr const& thrown = nullptr) const noexcept { end_->end(thrown); }

    /// The same, for operations with a value.
    template <class V> void operator()(std::exception_ptr const& thrown, V const&) const noexcept { end_->end(thrown); }

private:
    std::shared_ptr<detail::handler_end> end_;
};

}  // namespace tablemap
