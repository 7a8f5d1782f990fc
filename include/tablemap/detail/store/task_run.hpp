// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/store/store.hpp"

#include <concepts>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A task that a driver may run, with all that it borrows. `first` is called once, when the object no longer moves;
/// `take` gives the value after the task has ended. It may have a `label()`, and `ids` if each request has an id of its
/// own.
template <class C>
concept driven_call = requires(C& c) {
    typename C::value_type;
    c.first().get().promise();
    { c.take() } -> std::same_as<result<typename C::value_type>>;
};

/// A task that borrows nothing.
template <class V> class plain_call {
public:
    using value_type = V;

    plain_call(task<result<V>> first) noexcept : first_(std::move(first)) {}

    task<result<V>> const& first() const noexcept { return first_; }
    result<V> take() { return first_.take(); }

private:
    task<result<V>> first_;
};

template <driven_call C> constexpr id_scope ids_of() noexcept {
    if constexpr (requires { C::ids; })
        return C::ids;
    else
        return id_scope::operation;
}

/// Carries out one request on this thread, and tries it again as the call's policy allows.
response ask_now(store& s, request const& r, call_context& call);

/// Runs the first task of a call, and those that it awaits, to their ends on this thread.
void run_first(store& s, std::coroutine_handle<> first, task_promise_base& p, call_context& call, id_scope ids);

/// The blocking driver.
template <class C>
requires driven_call<std::remove_cvref_t<C>>
auto run(store& s, C&& c, call_options const& options) -> result<typename std::remove_cvref_t<C>::value_type> {
    constexpr auto ids = ids_of<std::remove_cvref_t<C>>();
    call_context call{s, options, ids};
    call.named(c);
    auto const first = c.first().get();
    run_first(s, first, first.promise(), call, ids);
    auto r = c.take();
    call.ended(r);
    return r;
}

}  // namespace tablemap::detail
