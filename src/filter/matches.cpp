// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/filter/expression.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>

namespace tablemap::inline v0_1::filter {
namespace {

bool holds(comparison_operator op, std::partial_ordering order) noexcept {
    switch (op) {
    case comparison_operator::eq: return order == 0;
    case comparison_operator::ne: return order != 0;
    case comparison_operator::lt: return order < 0;
    case comparison_operator::le: return order <= 0;
    case comparison_operator::gt: return order > 0;
    case comparison_operator::ge: return order >= 0;
    }
    return false;
}

template <class T>
concept number = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t> || std::same_as<T, double>;

std::int64_t widened(std::int32_t n) noexcept { return n; }
template <class T> T const& widened(T const& v) noexcept { return v; }

// Not by conversion: the double nearest to 2^53 + 1 is 2^53.
std::partial_ordering order_of(std::int64_t a, double b) noexcept {
    constexpr double beyond = 9223372036854775808.0;  // 2^63
    if (std::isnan(b)) return std::partial_ordering::unordered;
    if (b >= beyond) return std::partial_ordering::less;
    if (b < -beyond) return std::partial_ordering::greater;
    auto const whole = std::trunc(b);
    if (auto const order = a <=> static_cast<std::int64_t>(whole); order != 0) return order;
    return whole <=> b;
}
std::partial_ordering order_of(double a, std::int64_t b) noexcept { return 0 <=> order_of(b, a); }
std::partial_ordering order_of(std::string const& a, std::string const& b) {
    return tablemap::detail::compare_utf16(a, b);
}
template <class T> std::partial_ordering order_of(T const& a, T const& b) { return a <=> b; }

/// Numbers compare by value whatever their types; values of other types never match.
template <class Stored, class Wanted> bool holds(comparison_operator op, Stored const& stored, Wanted const& wanted) {
    if constexpr (std::same_as<Stored, Wanted> || (number<Stored> && number<Wanted>))
        return holds(op, order_of(widened(stored), widened(wanted)));
    else
        return false;
}

bool compare(comparison const& c, detail::stored_entity const& e) {
    auto against = [&](auto const& stored) {
        return std::visit([&](auto const& wanted) { return holds(c.op, stored, wanted); }, c.value);
    };
    if (c.property == partition_key_name) return against(e.partition_key);
    if (c.property == row_key_name) return against(e.row_key);
    if (c.property == timestamp_name) return against(e.timestamp);
    auto const* stored = e.find(c.property);
    return stored && std::visit(against, *stored);
}

}  // namespace

bool matches(expression const& e, detail::stored_entity const& entity) {
    struct visitor {
        detail::stored_entity const& entity;
        bool operator()(comparison const& c) const { return compare(c, entity); }
        bool operator()(conjunction const& c) const { return matches(c.left, entity) && matches(c.right, entity); }
        bool operator()(disjunction const& d) const { return matches(d.left, entity) || matches(d.right, entity); }
        bool operator()(negation const& n) const { return !matches(n.operand, entity); }
    };
    return e.visit(visitor{entity});
}

}  // namespace tablemap::filter
