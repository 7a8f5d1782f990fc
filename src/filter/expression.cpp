// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/expression.hpp"

#include <memory>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::filter {

bool operator==(comparison const&, comparison const&) = default;
bool operator==(conjunction const&, conjunction const&) = default;
bool operator==(disjunction const&, disjunction const&) = default;
bool operator==(negation const&, negation const&) = default;

struct expression::node {
    std::variant<comparison, conjunction, disjunction, negation> alternatives;
};

expression::expression(comparison c) : node_(std::make_shared<node const>(node{std::move(c)})) {}
expression::expression(conjunction c) : node_(std::make_shared<node const>(node{std::move(c)})) {}
expression::expression(disjunction d) : node_(std::make_shared<node const>(node{std::move(d)})) {}
expression::expression(negation n) : node_(std::make_shared<node const>(node{std::move(n)})) {}

comparison const* expression::as_comparison() const noexcept { return std::get_if<comparison>(&node_->alternatives); }
conjunction const* expression::as_conjunction() const noexcept {
    return std::get_if<conjunction>(&node_->alternatives);
}
disjunction const* expression::as_disjunction() const noexcept {
    return std::get_if<disjunction>(&node_->alternatives);
}
negation const* expression::as_negation() const noexcept { return std::get_if<negation>(&node_->alternatives); }

bool operator==(expression const& a, expression const& b) {
    return a.node_ == b.node_ || a.node_->alternatives == b.node_->alternatives;
}

expression operator&&(expression a, expression b) { return conjunction{std::move(a), std::move(b)}; }
expression operator||(expression a, expression b) { return disjunction{std::move(a), std::move(b)}; }
expression operator!(expression a) { return negation{std::move(a)}; }

}  // namespace tablemap::filter
