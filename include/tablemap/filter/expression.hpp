// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

/// A filter over properties as a tree of values: the form that typed filters are converted to and that stores are
/// given.
namespace tablemap::inline v0_1::filter {

enum class comparison_operator : std::uint8_t { eq, ne, lt, le, gt, ge };

struct comparison;
struct conjunction;
struct disjunction;
struct negation;

/// One node with the nodes below it. A value: copies share their nodes, which never change.
///
/// \par Thread safety
/// Immutable.
class expression {
public:
    expression(comparison c);
    expression(conjunction c);
    expression(disjunction d);
    expression(negation n);

    template <class Visitor> auto visit(Visitor&& v) const;

    friend bool operator==(expression const& a, expression const& b);

private:
    // Each is null if the node at the root is of another kind.
    comparison const* as_comparison() const noexcept;
    conjunction const* as_conjunction() const noexcept;
    disjunction const* as_disjunction() const noexcept;
    negation const* as_negation() const noexcept;

    struct node;
    std::shared_ptr<node const> node_;
};

/// A comparison `property op value`. An entity that lacks the property, or holds another type there, does not match,
/// whichever the operator; the three types of numbers compare with each other by value.
///
/// \par Source
/// The table service's query behaviour.
struct comparison {
    std::string property;
    comparison_operator op;
    property_value value;
    bool blind = false;  ///< stores refuse it: compare the property's blind index with hashes of the value instead

    friend bool operator==(comparison const& a, comparison const& b);
};

struct conjunction {
    expression left, right;

    friend bool operator==(conjunction const& a, conjunction const& b);
};

struct disjunction {
    expression left, right;

    friend bool operator==(disjunction const& a, disjunction const& b);
};

struct negation {
    expression operand;

    friend bool operator==(negation const& a, negation const& b);
};

/// Calls `v` with the node at the root: a comparison, conjunction, disjunction or negation.
template <class Visitor> auto expression::visit(Visitor&& v) const {
    if (auto const* c = as_comparison()) return std::forward<Visitor>(v)(*c);
    if (auto const* c = as_conjunction()) return std::forward<Visitor>(v)(*c);
    if (auto const* d = as_disjunction()) return std::forward<Visitor>(v)(*d);
    return std::forward<Visitor>(v)(*as_negation());
}

expression operator&&(expression a, expression b);
expression operator||(expression a, expression b);
expression operator!(expression a);

/// True if the entity matches. Strings compare by UTF-16 code units, guids by their text, binaries byte by byte; a NaN
/// matches nothing but `ne`. PartitionKey, RowKey and Timestamp are properties here.
bool matches(expression const& e, detail::stored_entity const& entity);

}  // namespace tablemap::filter
