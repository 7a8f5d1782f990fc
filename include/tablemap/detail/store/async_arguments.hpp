// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/argument_member.hpp"
#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/store/options.hpp"

#include <type_traits>
#include <utility>

/// Checks of the arguments that asynchronous operations get in `co_await` expressions.
namespace tablemap::inline v0_1 {

namespace detail {

/// A default argument that is no temporary, for the same reason.
inline call_options const& default_call_options() {
    static call_options const options{};
    return options;
}

template <class Value> constexpr void refuse_unsafe_temporary() {
    static_assert(aggregate_temporaries_are_safe || std::is_lvalue_reference_v<Value>,
                  "tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression; give "
                  "the value a name and pass that");
}

/// A function object with captures is an aggregate to g++ 12. `Function` is deduced from a forwarding reference.
template <class Function> constexpr void refuse_unsafe_function() {
    static_assert(
        aggregate_temporaries_are_safe || std::is_lvalue_reference_v<Function> ||
            std::is_trivially_destructible_v<Function>,
        "tablemap[W9]: g++ 12 destroys a function object with captures twice that is a temporary in a co_await "
        "expression; give the function a name and pass that, or std::ref of it, or capture by reference");
}

/// A function that changes a value of `T`, as it is given to a call.
template <class Change, class T>
concept change_of =
    std::is_invocable_v<std::add_lvalue_reference_t<std::decay_t<Change>>, std::add_lvalue_reference_t<T>>;

/// The copy of an argument that an operation keeps.
template <class Argument> std::decay_t<Argument> kept(Argument&& a) { return std::forward<Argument>(a); }

/// `{}` for the default options of an operation. With g++ 12 other options need a name, as the functions in them do.
struct default_options {};
template <class Options>
using options_in_braces = std::conditional_t<aggregate_temporaries_are_safe, Options, default_options>;

template <class Options> Options options_from(options_in_braces<Options>&& o) {
    if constexpr (std::is_same_v<Options, options_in_braces<Options>>)
        return std::move(o);
    else
        return {};
}

template <class Use> constexpr void refuse_without_token() {
    static_assert(is_right_use<Use>,
                  "tablemap[W12]: an asynchronous operation takes a completion token last, after any call_options: "
                  "asio::use_awaitable, asio::use_future, or a function of std::exception_ptr and the result");
}

/// The access of patterns to the insides of asynchronous tables.
struct async_table_access {
    template <class Table> static auto blocking(Table const& t) { return t.blocking(); }
};

}  // namespace detail
}  // namespace tablemap
