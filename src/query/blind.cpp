// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/blind.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace tablemap::inline v0_1::detail {
namespace {

result<filter::expression> hashed(filter::comparison const& c, property_cipher const* cipher) {
    if (!cipher) return failure{no_keys(c.property)};
    auto const hashes = cipher->hashes_of(c.property, c.value);
    if (!hashes) return failure{hashes.error().at(c.property)};
    if (hashes->empty())
        return fail(library_errc::no_encryption_key,
                    {.reason = "the key provider lists no key to look for values with", .member = c.property});
    std::optional<filter::expression> any;
    for (auto const& hash : *hashes) {
        filter::comparison const one{blind_index_name(c.property), filter::comparison_operator::eq, hash};
        any = any ? *std::move(any) || one : one;
    }
    return *std::move(any);
}

}  // namespace

namespace filtering {

untyped_condition compare_blind(std::string_view property, result<property_value> const& v) {
    if (!v) return failure{v.error().at(property)};
    return filter::comparison{std::string{property}, comparison_operator::eq, *v, true};
}

}  // namespace filtering

result<filter::expression> resolve_blind(filter::expression const& e, property_cipher const* cipher) {
    return e.visit([&]<class Node>(Node const& n) -> result<filter::expression> {
        if constexpr (std::is_same_v<Node, filter::comparison>) {
            return n.blind ? hashed(n, cipher) : result<filter::expression>{e};
        } else if constexpr (std::is_same_v<Node, filter::negation>) {
            auto operand = resolve_blind(n.operand, cipher);
            if (!operand) return operand;
            return !*std::move(operand);
        } else {
            auto left = resolve_blind(n.left, cipher);
            if (!left) return left;
            auto right = resolve_blind(n.right, cipher);
            if (!right) return right;
            return filter::expression{Node{*std::move(left), *std::move(right)}};
        }
    });
}

std::vector<std::string> looked_up(filter::expression const& e) {
    using names = std::vector<std::string>;
    return e.visit([]<class Node>(Node const& n) {
        names both;
        if constexpr (std::is_same_v<Node, filter::comparison>) {
            if (n.blind) both.push_back(n.property);
        } else if constexpr (!std::is_same_v<Node, filter::negation>) {
            auto const left = looked_up(n.left), right = looked_up(n.right);
            if constexpr (std::is_same_v<Node, filter::conjunction>)
                std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
            else
                std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
        }
        return both;
    });
}

}  // namespace tablemap::detail
