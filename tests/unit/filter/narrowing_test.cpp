// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/narrowing.hpp"

#include "support/random.hpp"
#include "tablemap/detail/base/utf.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

using namespace tablemap;
using filter::expression;
using op = filter::comparison_operator;

expression row(op o, property_value v) { return filter::comparison{"RowKey", o, std::move(v)}; }
expression other() { return filter::comparison{"Age", op::eq, 5}; }

/// Such as `[a, b)`; an open end is empty.
std::string range(expression const& e, std::string_view key = "RowKey") {
    auto const b = filter::narrowing(e, key);
    std::string text{b.from_inclusive ? "[" : "("};
    if (b.from) text += "'" + std::string{*b.from} + "'";
    text += ", ";
    if (b.to) text += "'" + std::string{*b.to} + "'";
    return text + (b.to_inclusive ? "]" : ")");
}

constexpr auto everything = "[, )";
constexpr auto nothing = "['', '')";

TEST(narrowing, takes_the_bound_of_each_operator) {
    EXPECT_EQ(range(row(op::eq, "m")), "['m', 'm']");
    EXPECT_EQ(range(row(op::ge, "m")), "['m', )");
    EXPECT_EQ(range(row(op::gt, "m")), "('m', )");
    EXPECT_EQ(range(row(op::le, "m")), "[, 'm']");
    EXPECT_EQ(range(row(op::lt, "m")), "[, 'm')");
    EXPECT_EQ(range(row(op::ne, "m")), everything);
}

TEST(narrowing, looks_at_the_one_key_only) {
    EXPECT_EQ(range(row(op::eq, "m"), "PartitionKey"), everything);
    EXPECT_EQ(range(other()), everything);
    EXPECT_EQ(range(row(op::eq, "m") && other()), "['m', 'm']");
    EXPECT_EQ(range(row(op::eq, "m") || other()), everything);
}

TEST(narrowing, of_a_conjunction_keeps_the_tighter_bounds) {
    EXPECT_EQ(range(row(op::ge, "b") && row(op::lt, "d")), "['b', 'd')");
    EXPECT_EQ(range(row(op::lt, "d") && other() && row(op::ge, "a") && row(op::gt, "b")), "('b', 'd')");
    EXPECT_EQ(range(row(op::ge, "b") && row(op::gt, "b")), "('b', )");
    EXPECT_EQ(range(row(op::le, "b") && row(op::lt, "b")), "[, 'b')");
    EXPECT_TRUE(filter::narrowing(row(op::ge, "b") && row(op::le, "b"), "RowKey").is_exact());
}

TEST(narrowing, of_a_disjunction_holds_both_sides) {
    EXPECT_EQ(range(row(op::eq, "d") || row(op::eq, "b")), "['b', 'd']");
    EXPECT_EQ(range((row(op::gt, "b") && row(op::lt, "c")) || row(op::eq, "b")), "['b', 'c')");
    EXPECT_EQ(range(row(op::lt, "b") || row(op::ge, "c")), everything);
    EXPECT_EQ(range(row(op::eq, "b") || (row(op::gt, "x") && row(op::lt, "a"))), "['b', 'b']");
}

TEST(narrowing, of_a_negation_is_that_of_the_opposite) {
    EXPECT_EQ(range(!row(op::lt, "b")), "['b', )");
    EXPECT_EQ(range(!row(op::ge, "b")), "[, 'b')");
    EXPECT_EQ(range(!row(op::ne, "b")), "['b', 'b']");
    EXPECT_EQ(range(!(row(op::lt, "b") || row(op::gt, "d"))), "['b', 'd']");
    EXPECT_EQ(range(!(row(op::lt, "b") && other())), everything);
    EXPECT_EQ(range(!!row(op::le, "b")), "[, 'b']");
}

TEST(narrowing, by_another_type_leaves_nothing_and_its_negation_everything) {
    EXPECT_EQ(range(row(op::ne, 5)), nothing);
    EXPECT_EQ(range(!row(op::ne, 5)), everything);
    EXPECT_EQ(range(row(op::eq, 5) || row(op::eq, "b")), "['b', 'b']");
}

TEST(narrowing, is_by_utf16_code_units) {
    EXPECT_EQ(range(row(op::ge, "\xEF\xBF\xBF") && row(op::ge, "\xF0\x9F\x98\x80")), "['\xEF\xBF\xBF', )");
}

// ---- with random expressions ----------------------------------------------------------------------------------------

expression random_expression(test::random_source& random, unsigned depth) {
    static constexpr char const* keys[] = {"", "a", "b", "b!", "c", "\xEE\x80\x80", "\xF0\x9F\x98\x80"};
    auto const part = [&] { return random_expression(random, depth - 1); };
    switch (depth == 0 ? 0 : random.below(4)) {
    case 1: return part() && part();
    case 2: return part() || part();
    case 3: return !part();
    default: break;
    }
    if (random.below(8) == 0) return random.coin() ? other() : row(op::eq, 5);
    return row(static_cast<op>(random.below(6)), keys[random.below(std::size(keys))]);
}

bool lies_within(std::string_view key, key_bounds const& b) {
    if (b.from) {
        auto const order = detail::compare_utf16(key, *b.from);
        if (order < 0 || (order == 0 && !b.from_inclusive)) return false;
    }
    if (!b.to) return true;
    auto const order = detail::compare_utf16(key, *b.to);
    return order < 0 || (order == 0 && b.to_inclusive);
}

TEST(narrowing, never_leaves_out_an_entity_that_matches) {
    test::random_source random;
    for (int i = 0; i < 3000; ++i) {
        auto const e = random_expression(random, 4);
        auto const bounds = filter::narrowing(e, "RowKey");
        for (auto const* key : {"", "!", "a", "b", "b!", "bb", "c", "d", "\xEE\x80\x80", "\xF0\x9F\x98\x80"}) {
            detail::stored_entity entity{"p", key};
            if (random.coin()) entity.set("Age", 5);
            ASSERT_TRUE(lies_within(key, bounds) || !filter::matches(e, entity)) << key << " of " << range(e);
        }
    }
}

}  // namespace
