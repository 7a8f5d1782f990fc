// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ask.hpp"
#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/service_call.hpp"
#include "tablemap/store/response.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/// Operations of one request that no `table` is part of. Each is described once, by a function that makes a
/// `single_call`; `carry_out` blocks, `carry_out_later` makes a call for any driver.
namespace tablemap::inline v0_1::detail {

/// The response to a single request, with the name of its queue or container in the error.
struct single_answer : response {
    bool lost_a_write = false;  ///< the response to an earlier try of a write was lost
};

/// `ask_now` that sets `lost_a_write` if the response to an earlier try of a write was lost; null: not of interest.
response ask_now(store& s, request const& r, call_context& call, bool* lost_a_write);

/// A request and the meaning of its response. Both are borrowed from the arguments of the operation.
template <class V> struct single_call {
    using value_type = V;

    request what;
    result<V> (*value_of)(single_answer& answer, request const& what);
    std::optional<error> fault{};  ///< why the request must not be sent

    operation_label label() const noexcept { return {action_of(what), table_of(what)}; }

    /// The result of the operation. Errors name the action, and the queue or container.
    result<V> finish(single_answer& answer) const {
        if (answer.failure) answer.failure = answer.failure->in(action_of(what), table_of(what));
        auto value = value_of(answer, what);
        if (!value) value = failure{value.error().in(action_of(what), table_of(what))};
        return value;
    }
};

template <class V> result<V> ask_described_now(store& s, single_call<V> const& c, call_context& call) {
    if (c.fault) return failure{*c.fault};
    single_answer answer;
    static_cast<response&>(answer) = ask_now(s, c.what, call, &answer.lost_a_write);
    return c.finish(answer);
}

/// Sends the request and waits for its response on this thread.
template <class V> result<V> carry_out(store& s, single_call<V> const& c, call_options const& o) {
    call_context call{s, o};
    call.named(c);
    auto value = ask_described_now(s, c, call);
    call.ended(value);
    return value;
}

template <class Describe, class... Arguments>
using described_value = typename std::invoke_result_t<Describe&, Arguments const&...>::value_type;

template <class Describe, class... Arguments>
task<result<described_value<Describe, Arguments...>>> ask_described(Describe describe,
                                                                    std::tuple<Arguments...> arguments) {
    auto const c = std::apply(describe, arguments);
    if (c.fault) co_return failure{*c.fault};
    single_answer answer;
    auto* const lost_a_write = &answer.lost_a_write;
    auto response_to_it = co_await ask(c.what, lost_a_write);
    static_cast<response&>(answer) = std::move(response_to_it);
    co_return c.finish(answer);
}

/// The same for any driver. The call keeps the arguments that `describe` makes the request of.
template <class Describe, class... Arguments>
auto carry_out_later(store_ptr const& s, Describe describe, std::tuple<Arguments...> arguments) {
    auto const c = std::apply(describe, arguments);
    std::string name{table_of(c.what)};
    return service_call<described_value<Describe, Arguments...>>{s, action_of(c.what), std::move(name),
                                                                 ask_described(describe, std::move(arguments))};
}

}  // namespace tablemap::detail
