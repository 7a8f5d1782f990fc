// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/utf.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/filter/expression.hpp"

namespace tablemap::filter {
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

template <class T> bool holds(comparison_operator op, T const& stored, T const& wanted) {
    if constexpr (std::same_as<T, std::string>)
        return holds(op, tablemap::detail::compare_utf16(stored, wanted));
    else
        return holds(op, stored <=> wanted);
}

bool compare(comparison const& c, detail::stored_entity const& e) {
    auto against = [&](auto const& stored) {
        auto const* wanted = std::get_if<std::remove_cvref_t<decltype(stored)>>(&c.value);
        return wanted && holds(c.op, stored, *wanted);
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
