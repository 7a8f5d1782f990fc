// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/detail/store/async_task.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Starts a call with the last arguments of an asynchronous operation: a completion token, or `call_options` and a
/// token.
template <class Call, class Token> auto start_with(store_ptr s, Call what, call_options const& o, Token&& token) {
    return start(std::move(s), std::move(what), o, std::forward<Token>(token));
}
template <class Call, class Token> auto start_with(store_ptr s, Call what, Token&& token) {
    if constexpr (std::same_as<std::remove_cvref_t<Token>, call_options>)
        refuse_without_token<Call>();
    else
        return start_with(std::move(s), std::move(what), call_options{}, std::forward<Token>(token));
}
template <class Call> void start_with(store_ptr const&, Call const&) { refuse_without_token<Call>(); }

template <class... Arguments> struct first_argument_of { using type = void; };
template <class First, class... Rest> struct first_argument_of<First, Rest...> { using type = First; };

/// The type of the first of the last arguments, which selects the overload; void if there are none.
template <class... Arguments> using first_argument = typename first_argument_of<Arguments...>::type;

/// The text of an argument, for a task that keeps it.
template <class Text> std::string kept_text(Text&& t) {
    if constexpr (std::same_as<Text, std::string>)
        return std::move(t);
    else
        return std::string{std::string_view{t}};
}

template <class Argument>
concept is_text = std::convertible_to<Argument, std::string_view>;

}  // namespace tablemap::detail
