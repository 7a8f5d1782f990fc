// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/query/condition.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Comparisons of properties with values: the operators, and those of them that do not compile.
namespace tablemap::inline v0_1 {
namespace detail::filtering {

using filter::comparison_operator;

/// A condition `property op value`.
///
/// \return the condition, or an error: that of the value, at the property; `library_errc::invalid_property_name`;
/// `library_errc::unsupported` for NaN and the infinities
untyped_condition compare_property(std::string_view property, comparison_operator op,
                                   result<property_value> const& value);

/// The range of texts that begin with `prefix`.
///
/// \return the condition, or error `library_errc::invalid_text` for a prefix that is not UTF-8
untyped_condition property_begins_with(std::string_view property, std::string_view prefix);

// ---- values ---------------------------------------------------------------------------------------------------------

template <class V>
inline constexpr bool is_number = std::same_as<V, double> ||
                                  (std::integral<V> && !std::same_as<V, bool> && !character<V>);

/// A literal of a narrower member: its value is checked when the condition is made.
template <class V, class A>
inline constexpr bool is_checked_literal = std::integral<V>&& is_number<V>&& std::same_as<A, int>;

/// Every integer of 32 bits is a double.
template <class V, class A>
inline constexpr bool is_small_for_double = std::same_as<V, double>&& std::integral<A>&& is_number<A> && sizeof(A) <= 4;

template <class A> inline constexpr bool is_text = std::convertible_to<A const&, std::string_view>;

/// True if a value can be compared with a member of type V. Explicit constructors do not count: 5 is no time.
template <class V, class A> constexpr bool is_comparable_with() {
    if constexpr (std::same_as<V, std::string>)
        return is_text<A>;
    else if constexpr (std::same_as<V, bool>)
        return std::same_as<A, bool>;
    else
        return is_checked_literal<V, A> || is_small_for_double<V, A> ||
               (exactly_convertible<V, A const&> && std::convertible_to<A const&, V>);
}

template <class V, class A> late_result<V, property_value> stored_value(A const& a) {
    if constexpr (std::same_as<V, std::string>) {
        return check_text_value(a);
    } else {
        if constexpr (is_checked_literal<V, A> && !std::same_as<V, int>)
            if (!std::in_range<V>(a)) {
                value_fault fault;
                refuse_number(fault);
                return refused_value(fault);
            }
        return to_property_value<V>(static_cast<V>(a));
    }
}

/// `F` identifies the property: the compiler prints it.
template <class F, class V, class A> constexpr bool check_value() {
    constexpr bool property = operand<A>;
    constexpr bool absent = std::same_as<A, std::nullopt_t> || is_optional<A>;
    constexpr bool fits = is_comparable_with<V, A>();
    static_assert(!property, "tablemap[Q2]: the service compares a property with a value, not with another property; "
                             "compare the two in C++, or store what comes out as a computed(...) property");
    static_assert(!absent, "tablemap[Q2]: the service cannot ask whether a property is there; compare with a value, "
                           "such as *x, or store a bool that tells");
    static_assert(property || absent || fits,
                  "tablemap[Q2]: this value does not convert to the property's type without loss; compare with a value "
                  "of the member's own type");
    return !property && !absent && fits;
}

// ---- order ----------------------------------------------------------------------------------------------------------

enum class order_fault { none, flag, identifier, enum_name, text_of_converter };

/// The reason why the order of values is not that of their stored form.
template <class V> constexpr order_fault find_order_fault() {
    using stored = stored_form<V>;
    if constexpr (std::same_as<stored, bool>)
        return order_fault::flag;
    else if constexpr (std::same_as<stored, guid>)
        return order_fault::identifier;
    else if constexpr (plain_enum<V>)
        return std::same_as<stored, std::string> ? order_fault::enum_name : order_fault::none;
    else if constexpr (has_converter<V>)
        return converter_keeps_order<V>() ? order_fault::none : order_fault::text_of_converter;
    else
        return order_fault::none;
}

template <class F, order_fault fault> constexpr bool check_order() {
    static_assert(fault != order_fault::flag, "tablemap[Q2]: false and true have no order; compare with == or !=");
    static_assert(fault != order_fault::identifier,
                  "tablemap[Q2]: stores do not agree on the order of guids; compare with == or !=");
    static_assert(fault != order_fault::enum_name,
                  "tablemap[Q2]: this enum is stored by name, so the service would compare names, not values; compare "
                  "with == or !=, or declare it by_number");
    static_assert(fault != order_fault::text_of_converter,
                  "tablemap[Q2]: this type's converter does not keep the order of values; compare with == or !=, or "
                  "if what it stores sorts as its values do, add static constexpr bool keeps_order = true to it");
    return fault == order_fault::none;
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

template <class F, class V> constexpr bool check_comparable_type() {
    constexpr bool binary = std::same_as<stored_form<V>, bytes>;
    static_assert(!binary,
                  "tablemap[Q2]: stores do not compare binary properties alike, so none is filtered by; store a "
                  "hash or an id beside it, and compare that");
    return !binary;
}

constexpr bool is_equality(comparison_operator op) {
    return op == comparison_operator::eq || op == comparison_operator::ne;
}

/// A blind index can only show that values are equal.
template <class F, bool Equal> constexpr bool check_blind() {
    static_assert(Equal, "tablemap[E4]: a blind index finds equal values and tells nothing else; ask blind<&T::m> == "
                         "value, and choose among the rows in C++ for anything more");
    return Equal;
}

template <class F, comparison_operator Op, class A> constexpr bool check_comparison() {
    if constexpr (F::check() && is_blind<F>) {
        return check_blind<F, Op == comparison_operator::eq>() && check_value<F, typename F::template value<A>, A>();
    } else if constexpr (F::check()) {
        using value = typename F::template value<A>;
        if constexpr (std::is_void_v<value>)
            return F::template refuse_value<A>();
        else if constexpr (check_comparable_type<F, value>() && check_value<F, value, A>())
            return is_equality(Op) || check_order < F,
                   is_equality(Op) ? order_fault::none : find_order_fault<value>() > ();
    }
    return false;
}

template <comparison_operator Op, class F, class A> condition<typename F::owner> compare(F const& f, A const& a) {
    if constexpr (check_comparison<F, Op, A>())
        return condition<typename F::owner>{f.compare(Op, stored_value<typename F::template value<A>>(a))};
    else
        return condition<typename F::owner>{fail(library_errc::unsupported)};  // not reached: it does not compile
}

template <class A>
concept plain_value = !operand<A>;

template <operand F, class A> condition<typename F::owner> operator==(F const& f, A const& a) {
    return compare<comparison_operator::eq>(f, a);
}
template <operand F, class A> condition<typename F::owner> operator!=(F const& f, A const& a) {
    return compare<comparison_operator::ne>(f, a);
}
template <operand F, class A> condition<typename F::owner> operator<(F const& f, A const& a) {
    return compare<comparison_operator::lt>(f, a);
}
template <operand F, class A> condition<typename F::owner> operator<=(F const& f, A const& a) {
    return compare<comparison_operator::le>(f, a);
}
template <operand F, class A> condition<typename F::owner> operator>(F const& f, A const& a) {
    return compare<comparison_operator::gt>(f, a);
}
template <operand F, class A> condition<typename F::owner> operator>=(F const& f, A const& a) {
    return compare<comparison_operator::ge>(f, a);
}

template <plain_value A, operand F> condition<typename F::owner> operator==(A const& a, F const& f) { return f == a; }
template <plain_value A, operand F> condition<typename F::owner> operator!=(A const& a, F const& f) { return f != a; }
template <plain_value A, operand F> condition<typename F::owner> operator<(A const& a, F const& f) { return f > a; }
template <plain_value A, operand F> condition<typename F::owner> operator<=(A const& a, F const& f) { return f >= a; }
template <plain_value A, operand F> condition<typename F::owner> operator>(A const& a, F const& f) { return f < a; }
template <plain_value A, operand F> condition<typename F::owner> operator>=(A const& a, F const& f) { return f <= a; }

// ---- text -----------------------------------------------------------------------------------------------------------

template <class F> constexpr bool check_text() {
    if constexpr (F::check() && is_blind<F>) {
        return check_blind<F, false>();
    } else if constexpr (F::check()) {
        constexpr bool text = std::same_as<typename F::template value<std::string>, std::string>;
        static_assert(text, "tablemap[Q2]: only text begins with text; compare this property with ==, < and the like");
        return text;
    }
    return false;
}

/// The rows whose property is text that begins with `prefix`: `starts_with(field<&employee::last_name>, "Ha")`. For the
/// service it is a range, so letter case matters.
template <operand F> condition<typename F::owner> starts_with(F const& text, std::string_view prefix) {
    if constexpr (check_text<F>())
        return condition<typename F::owner>{text.begins_with(prefix)};
    else
        return condition<typename F::owner>{fail(library_errc::unsupported)};  // not reached: it does not compile
}

/// Does not compile: the service has no search within text.
template <operand F> condition<typename F::owner> contains(F const&, std::string_view) {
    static_assert(is_right_use<F>,
                  "tablemap[Q2]: the service has no search within text; read the rows and search in C++, or store what "
                  "is looked for in a property of its own");
    return condition<typename F::owner>{fail(library_errc::unsupported)};
}

/// Does not compile: the service cannot look at the end of text.
template <operand F> condition<typename F::owner> ends_with(F const&, std::string_view) {
    static_assert(
        is_right_use<F>,
        "tablemap[Q2]: the service cannot look at the end of text; read the rows and look in C++, or store the "
        "text reversed as a computed(...) property and use starts_with");
    return condition<typename F::owner>{fail(library_errc::unsupported)};
}

}  // namespace detail::filtering

using detail::filtering::contains;
using detail::filtering::ends_with;
using detail::filtering::starts_with;

}  // namespace tablemap
