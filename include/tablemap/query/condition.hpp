// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/filter/expression.hpp"

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// Typed filters: conditions over the properties of one T, composed of comparisons with `&&`, `||` and `!`.
namespace tablemap::inline v0_1 {
namespace detail::filtering {

/// The operands of `&&`, `||` and `!`. The operators are in this namespace so that they are looked up for these only.
struct term_base {};

/// An operand of comparisons: a property of T by its name. Each has
///
/// - `owner`, its T, and `value<A>`, the type that is compared when an A is given;
/// - `check()`, which refuses at compile time a property that cannot be filtered by;
/// - `is_flag()`, true if it is a condition by itself;
/// - `compare(op, value)` and `begins_with(text)`.
struct operand_base : term_base {};

template <class X>
concept term = std::derived_from<X, term_base>;
template <class X>
concept operand = std::derived_from<X, operand_base>;

/// An operand whose property is only a hash in the store.
template <class X> inline constexpr bool is_blind = requires { X::blind; };

using untyped_condition = result<filter::expression>;

/// The value that a bool member by itself is compared with.
result<property_value> flag_value(bool v);

untyped_condition both(untyped_condition const& a, untyped_condition const& b);
untyped_condition either(untyped_condition const& a, untyped_condition const& b);
untyped_condition neither(untyped_condition const& a);

}  // namespace detail::filtering

/// A filter over the rows of T, which `where` and `scan` take. Copies are cheap.
///
/// A row that lacks a property matches no comparison with it, not even `!=`. The store decides whether it matches
/// `!(…)` around one.
///
/// \par Thread safety
/// Immutable.
template <class T> class condition : public detail::filtering::term_base {
public:
    using owner = T;

    explicit condition(detail::late_result<T, filter::expression> e) : value_(std::move(e)) {}

    /// The error of a condition that cannot be evaluated: one of its values cannot be stored, or one of its names is
    /// invalid; null if there is none. Running the condition reports it.
    error const* fault() const& noexcept { return value_ ? nullptr : &value_.error(); }
    error const* fault() const&& = delete;

    /// The filter as stores take it.
    ///
    /// \pre `fault()` is null
    filter::expression const& expression() const& noexcept { return *value_; }
    filter::expression expression() const&& { return *value_; }

    detail::late_result<T, filter::expression> const& try_expression() const& noexcept { return value_; }
    detail::late_result<T, filter::expression> try_expression() const&& { return value_; }

private:
    detail::late_result<T, filter::expression> value_;
};

namespace detail {

/// Makes a condition from a condition or from a bool member alone.
template <filtering::term C> condition<typename C::owner> as_condition(C const& c) {
    if constexpr (!filtering::operand<C>) {
        return c;
    } else {
        if constexpr (C::check()) {
            constexpr bool flag = C::is_flag();
            static_assert(flag, "tablemap[Q2]: only a bool member is a condition by itself; compare this one: "
                                "field<&T::m> == value");
            if constexpr (flag)
                return condition<typename C::owner>{
                    c.compare(filter::comparison_operator::eq, filtering::flag_value(true))};
        }
        return condition<typename C::owner>{fail(library_errc::unsupported)};  // not reached: it does not compile
    }
}

template <class T, class Owner> inline constexpr bool is_type_of_table = std::same_as<T, Owner>;
template <class... Ts, class Owner>
inline constexpr bool is_type_of_table<std::variant<Ts...>, Owner> = std::same_as<std::variant<Ts...>, Owner> ||
                                                                     (std::same_as<Ts, Owner> || ...);

/// Refuses, with the rule and the remedy, an argument that is no condition over the rows of T. A table of variants
/// takes conditions over each of its types: a row of another of them matches if it has such a property too.
template <class T, class C> constexpr bool check_condition() {
    constexpr bool text = std::convertible_to<C const&, std::string_view>;
    static_assert(!text,
                  "tablemap[Q3]: text is no condition by itself; give raw_filter a string literal, and values for "
                  "its {}: where(raw_filter(\"Age ge {}\", 30))");
    static_assert(filtering::term<C> || text,
                  "tablemap[Q2]: this is no condition; compare members: field<&T::m> == value, joined by &&, || and !");
    if constexpr (filtering::term<C>) {
        constexpr bool own = is_type_of_table<T, typename C::owner>;
        static_assert(own, "tablemap[Q2]: this condition is over another struct than the table holds; name members of "
                           "the table's own type");
        return own;
    }
    return false;
}

namespace filtering {

template <class A, class B> constexpr bool check_same_owner() {
    constexpr bool same = std::same_as<typename A::owner, typename B::owner>;
    static_assert(same, "tablemap[Q2]: these conditions are over two structs, and no row is both; join conditions over "
                        "one struct");
    return same;
}

template <term A, term B> condition<typename A::owner> operator&&(A const& a, B const& b) {
    static_cast<void>(check_same_owner<A, B>());
    return condition<typename A::owner>{both(as_condition(a).try_expression(), as_condition(b).try_expression())};
}

template <term A, term B> condition<typename A::owner> operator||(A const& a, B const& b) {
    static_cast<void>(check_same_owner<A, B>());
    return condition<typename A::owner>{either(as_condition(a).try_expression(), as_condition(b).try_expression())};
}

/// The target of an operand's `=`, which is a mistake for `==`.
template <class T, class Value> condition<T> refuse_assignment() {
    static_assert(is_right_use<Value>,
                  "tablemap[Q2]: = assigns, and a condition assigns nothing; compare with ==: field<&T::m> == value");
    return condition<T>{fail(library_errc::unsupported)};
}

/// Refuses an operand of && or || that is no condition, most often a bool of the program.
template <class Other> constexpr void refuse_join() {
    static_assert(is_right_use<Other>,
                  "tablemap[Q2]: && and || join conditions on what is stored, and the other side is none; test a bool "
                  "of the program before: if (adults) q = q.where(field<&T::age> >= 18)");
}

template <term A, class B> condition<typename A::owner> operator&&(A const& a, B const&) {
    refuse_join<B>();
    return as_condition(a);
}
template <class A, term B> condition<typename B::owner> operator&&(A const&, B const& b) {
    refuse_join<A>();
    return as_condition(b);
}
template <term A, class B> condition<typename A::owner> operator||(A const& a, B const&) {
    refuse_join<B>();
    return as_condition(a);
}
template <class A, term B> condition<typename B::owner> operator||(A const&, B const& b) {
    refuse_join<A>();
    return as_condition(b);
}

/// The negation of a bool member alone: it is stored as false.
template <term A> condition<typename A::owner> operator!(A const& a) {
    if constexpr (operand<A>) {
        static_cast<void>(as_condition(a));
        return condition<typename A::owner>{a.compare(filter::comparison_operator::eq, flag_value(false))};
    } else {
        return condition<typename A::owner>{neither(a.try_expression())};
    }
}

}  // namespace filtering
}  // namespace detail
}  // namespace tablemap
