// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/patterns/move_core.hpp"
#include "tablemap/detail/patterns/outbox_core.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/patterns/effect_end.hpp"
#include "tablemap/patterns/relay_options.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The part of a relay that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// Applies effects of one type, by one of three functions.
struct effect_handler {
    std::string_view type{};  ///< of static storage
    std::function<handled(std::string_view json, effect_context const& context)> apply{};
    /// Begins to apply an effect; `end` is called when that is done.
    std::function<handled(std::string_view json, effect_context const& context, effect_end end)> begin{};
    std::function<std::unique_ptr<move_steps>(move_order const& order)> move{};
};

/// Immutable once the relay is made.
struct relay_core {
    outbox_place place;
    relay_options options;
    std::vector<effect_handler> handlers;
};

using relay_ptr = std::shared_ptr<relay_core const>;

/// Errors: `library_errc::value_out_of_range` for an option that cannot be used.
result<void> check_options(relay_options const& o);

/// The error of an exception that a handler threw; to be called in a catch block. Its reason is the text of a
/// `tablemap::error`; the text of other exceptions, which may hold the user's data, becomes its server text.
error failure_of_handler();

/// The same for an error that a handler returned.
error failure_of_handler(error const& e);

/// Calls a handler. Its exceptions become failures.
template <class Call> handled call_handler(Call call) {
    try {
        return {.failure = call()};
    } catch (...) {
        return {.failure = failure_of_handler()};
    }
}

/// Works on these partitions, one after the other. An error in their place is the result.
task<result<relay_report>> relay_partitions(relay_ptr relay, result<std::vector<std::string>> partitions);

/// Works on every partition with pending effects, which a scan of the table finds.
task<result<relay_report>> relay_sweep(relay_ptr relay);

/// Works until the call's deadline or stop.
task<result<relay_report>> relay_effects_until_stopped(relay_ptr relay);

/// Makes the parked effects of these partitions pending again. Returns their number. An error in place of the
/// partitions is the result.
task<result<std::size_t>> put_back_parked(relay_ptr relay, result<std::vector<std::string>> partitions);

/// Makes the parked effects of the partitions pending again that the poison queue names; without a queue, those of all
/// partitions, which a scan of the table finds.
task<result<put_back_report>> put_back_all(relay_ptr relay);

/// A call of a relay. Each request has an id of its own: a call may last for days.
template <class V> class relay_call : public plain_call<V> {
public:
    static constexpr auto ids = id_scope::request;

    relay_call(relay_ptr relay, std::string_view action, task<result<V>> first)
        : plain_call<V>(std::move(first)), relay_(std::move(relay)), action_(action) {}

    store_ptr const& store() const noexcept { return relay_->place.table->store; }
    operation_label label() const noexcept { return {action_, relay_->place.table->name}; }

    result<V> take() {
        auto r = plain_call<V>::take();
        if (!r) r = failure{r.error().in(action_, relay_->place.table->name)};
        return r;
    }

private:
    relay_ptr relay_;
    std::string_view action_;
};

}  // namespace tablemap::detail
