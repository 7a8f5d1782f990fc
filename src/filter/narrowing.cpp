// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/narrowing.hpp"

#include "tablemap/detail/base/utf.hpp"

#include <utility>

namespace tablemap::inline v0_1::filter {
namespace {

using tablemap::detail::compare_utf16;

/// Every key is at or above the empty one.
constexpr key_bounds none{.from = "", .to = ""};

/// True if the bounds that begin with `a` leave out more at their start than those of `b`.
bool begins_later(key_bounds const& a, key_bounds const& b) {
    if (!a.from || !b.from) return a.from.has_value();
    auto const order = compare_utf16(*a.from, *b.from);
    return order > 0 || (order == 0 && !a.from_inclusive);
}

bool ends_earlier(key_bounds const& a, key_bounds const& b) {
    if (!a.to || !b.to) return a.to.has_value();
    auto const order = compare_utf16(*a.to, *b.to);
    return order < 0 || (order == 0 && !a.to_inclusive);
}

key_bounds joined(key_bounds const& begin, key_bounds const& end) {
    return {begin.from, end.to, begin.from_inclusive, end.to_inclusive};
}

bool is_empty(key_bounds const& b) {
    if (!b.from || !b.to) return false;
    auto const order = compare_utf16(*b.from, *b.to);
    return order > 0 || (order == 0 && !(b.from_inclusive && b.to_inclusive));
}

key_bounds both(key_bounds const& a, key_bounds const& b) {
    return joined(begins_later(a, b) ? a : b, ends_earlier(a, b) ? a : b);
}

key_bounds either(key_bounds const& a, key_bounds const& b) {
    if (is_empty(a)) return b;
    if (is_empty(b)) return a;
    return joined(begins_later(a, b) ? b : a, ends_earlier(a, b) ? b : a);
}

key_bounds bounds_of(comparison_operator op, std::string_view text) {
    switch (op) {
    case comparison_operator::eq: return key_bounds::exactly(text);
    case comparison_operator::ne: break;
    case comparison_operator::lt: return {.to = text};
    case comparison_operator::le: return {.to = text, .to_inclusive = true};
    case comparison_operator::gt: return {.from = text, .from_inclusive = false};
    case comparison_operator::ge: return {.from = text};
    }
    return {};
}

comparison_operator opposite(comparison_operator op) {
    switch (op) {
    case comparison_operator::eq: return comparison_operator::ne;
    case comparison_operator::ne: return comparison_operator::eq;
    case comparison_operator::lt: return comparison_operator::ge;
    case comparison_operator::le: return comparison_operator::gt;
    case comparison_operator::gt: return comparison_operator::le;
    case comparison_operator::ge: return comparison_operator::lt;
    }
    return op;
}

struct visitor {
    std::string_view key;
    bool negated = false;

    key_bounds operator()(comparison const& c) const {
        if (c.property != key) return {};
        auto const* text = std::get_if<std::string>(&c.value);
        // A key is text, so a comparison with another type matches no entity, and its negation matches every entity.
        if (!text) return negated ? key_bounds{} : none;
        // Every entity has its keys, so the opposite operator matches exactly the entities that the comparison leaves
        // out.
        return bounds_of(negated ? opposite(c.op) : c.op, *text);
    }
    key_bounds operator()(conjunction const& c) const { return combined(c, !negated); }
    key_bounds operator()(disjunction const& d) const { return combined(d, negated); }
    key_bounds operator()(negation const& n) const { return n.operand.visit(visitor{key, !negated}); }

private:
    template <class Node> key_bounds combined(Node const& n, bool needs_both) const {
        auto const left = n.left.visit(*this), right = n.right.visit(*this);
        return needs_both ? both(left, right) : either(left, right);
    }
};

}  // namespace

key_bounds narrowing(expression const& e, std::string_view key) { return e.visit(visitor{key}); }

}  // namespace tablemap::filter
