// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/expression.hpp"

#include <memory>
#include <utility>

namespace tablemap::inline v0_1::filter {

expression::expression(comparison c) : node_(std::make_shared<node const>(node{std::move(c)})) {}
expression::expression(conjunction c) : node_(std::make_shared<node const>(node{std::move(c)})) {}
expression::expression(disjunction d) : node_(std::make_shared<node const>(node{std::move(d)})) {}
expression::expression(negation n) : node_(std::make_shared<node const>(node{std::move(n)})) {}

bool operator==(expression const& a, expression const& b) {
    return a.node_ == b.node_ || a.node_->alternatives == b.node_->alternatives;
}

expression operator&&(expression a, expression b) { return conjunction{std::move(a), std::move(b)}; }
expression operator||(expression a, expression b) { return disjunction{std::move(a), std::move(b)}; }
expression operator!(expression a) { return negation{std::move(a)}; }

}  // namespace tablemap::filter
