// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/patterns/row_pair.hpp"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `one_to_one` for callers that do not block: a completion token comes last, `call_options` before
/// it or not. Conditions, values and errors are those of `one_to_one`. On g++ 12 values that are inserted need a name.
///
/// \par Thread safety
/// As `one_to_one`.
/// \par Lifetime
/// It may be destroyed while operations are under way. Halves that are replaced are refreshed when the operation ends
/// and must live until then.
template <class First, class Second> class async_one_to_one {
public:
    using value_type = halves<First, Second>;

    /// \throws error as the constructor of `one_to_one`
    async_one_to_one(store_ptr s, std::string table, table_options options = {})
        : operations_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    template <class... Last> auto find(key_of<First> const& key, Last&&... last) const {
        return run(operations_.find(key), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<First>, Arguments...>
    auto find(Arguments&&... values) const {
        return detail::with_key<key_of<First>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    template <class A, class B, class... Last>
    requires(std::same_as<std::remove_cvref_t<A>, First>&& std::same_as<std::remove_cvref_t<B>, Second>) auto insert(
        A&& first, B&& second, Last&&... last) const {
        detail::refuse_unsafe_temporary<A>();
        detail::refuse_unsafe_temporary<B>();
        return run(operations_.insert(first, second, options_in(last...)), std::forward<Last>(last)...);
    }
    template <class... Last> auto replace(value_type& h, Last&&... last) const {
        return run(operations_.replace(h, options_in(last...)), std::forward<Last>(last)...);
    }
    template <class... Last> auto erase(value_type const& h, Last&&... last) const {
        return run(operations_.erase(h, options_in(last...)), std::forward<Last>(last)...);
    }

private:
    // A call ends with a completion token, or with options and a completion token.
    template <class Token> static call_options const& options_in(Token&&) { return detail::default_call_options(); }
    template <class Token> static call_options const& options_in(call_options const& o, Token&&) { return o; }

    template <class Op, class Token> static auto run(Op op, Token&& token) {
        return run(std::move(op), detail::default_call_options(), std::forward<Token>(token));
    }
    template <class Op, class Token> static auto run(Op op, call_options const& o, Token&& token) {
        auto where = op.store();
        return detail::start(std::move(where), std::move(op), o, std::forward<Token>(token));
    }

    detail::row_pair_operations<First, Second> operations_;
};

}  // namespace tablemap
