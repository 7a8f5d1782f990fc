// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/expression.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using filter::comparison;
using filter::expression;
using filter::matches;
using op = filter::comparison_operator;

constexpr op all_operators[] = {op::eq, op::ne, op::lt, op::le, op::gt, op::ge};

detail::stored_entity holding(property_value v) {
    detail::stored_entity e{"partition", "row"};
    e.set_value("x", std::move(v));
    return e;
}

expression asks(op o, property_value v, std::string name = "x") { return comparison{std::move(name), o, std::move(v)}; }

/// The operators, of the six, under which `stored` matches against `wanted`.
std::vector<op> matching(property_value const& stored, property_value const& wanted) {
    std::vector<op> found;
    for (auto const o : all_operators)
        if (matches(asks(o, wanted), holding(stored))) found.push_back(o);
    return found;
}

std::vector<op> const if_less{op::ne, op::lt, op::le};
std::vector<op> const if_equal{op::eq, op::le, op::ge};
std::vector<op> const if_greater{op::ne, op::gt, op::ge};

bytes blob(std::initializer_list<int> values) {
    bytes b;
    for (int const v : values) b.push_back(static_cast<std::byte>(v));
    return b;
}

/// Two values of every type, the smaller one first.
std::vector<std::pair<property_value, property_value>> pairs_in_order() {
    return {
        {std::string{"a"}, std::string{"b"}},
        {std::string{}, std::string{"a"}},
        {std::string{"Z"}, std::string{"a"}},
        {std::string{"10"}, std::string{"9"}},
        {false, true},
        {std::int32_t{-1}, std::int32_t{1}},
        {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
        {std::int64_t{9'007'199'254'740'992}, std::int64_t{9'007'199'254'740'993}},
        {-std::numeric_limits<double>::infinity(), -1.5},
        {0.1, 0.2},
        {ticks::min(), ticks::max()},
        {guid::from_random(0, 0), guid::from_random(1, 0)},
        {guid::from_random(0x7F00000000000000, 0), guid::from_random(0x8000000000000000, 0)},
        {blob({1, 2}), blob({1, 2, 0})},
        {blob({0x7F}), blob({0x80})},
    };
}

TEST(comparison, takes_numbers_of_every_type_by_their_value) {
    constexpr std::int64_t edge = 1LL << 53;
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(matching(5, std::int64_t{5}), if_equal);
    EXPECT_EQ(matching(std::int64_t{5}, 6), if_less);
    EXPECT_EQ(matching(5.0, 5), if_equal);
    EXPECT_EQ(matching(-5, -5.5), if_greater);
    EXPECT_EQ(matching(std::int64_t{edge + 1}, static_cast<double>(edge)), if_greater);
    EXPECT_EQ(matching(static_cast<double>(edge), std::int64_t{edge + 1}), if_less);
    EXPECT_EQ(matching(largest, 9223372036854775808.0), if_less);
    EXPECT_EQ(matching(-9223372036854775808.0, std::numeric_limits<std::int64_t>::min()), if_equal);
    EXPECT_EQ(matching(largest, std::numeric_limits<double>::infinity()), if_less);
    EXPECT_EQ(matching(-std::numeric_limits<double>::infinity(), 0), if_less);
    EXPECT_EQ(matching(0, std::numeric_limits<double>::quiet_NaN()), std::vector<op>{op::ne});
}

TEST(comparison, holds_for_every_type_as_its_values_are_ordered) {
    for (auto const& [less, more] : pairs_in_order()) {
        auto const name = edm_name(type_of(less));
        EXPECT_EQ(matching(less, more), if_less) << name;
        EXPECT_EQ(matching(more, less), if_greater) << name;
        EXPECT_EQ(matching(less, less), if_equal) << name;
        EXPECT_EQ(matching(more, more), if_equal) << name;
    }
}

TEST(comparison, with_a_missing_property_never_matches) {
    for (auto const& [value, other] : pairs_in_order())
        for (auto const o : all_operators) EXPECT_FALSE(matches(asks(o, value, "y"), holding(value)));
}

TEST(comparison, with_a_property_of_another_case_is_with_a_missing_one) {
    EXPECT_FALSE(matches(asks(op::eq, 1, "X"), holding(1)));
}

bool is_number(edm_type t) { return t == edm_type::int32 || t == edm_type::int64 || t == edm_type::real; }

TEST(comparison, with_a_value_of_another_type_never_matches_unless_both_are_numbers) {
    auto const values = pairs_in_order();
    for (auto const& stored : values)
        for (auto const& wanted : values) {
            auto const a = type_of(stored.first), b = type_of(wanted.first);
            if (a == b || (is_number(a) && is_number(b))) continue;
            EXPECT_TRUE(matching(stored.first, wanted.first).empty()) << edm_name(a) << " against " << edm_name(b);
        }
}

TEST(comparison, with_nan_matches_nothing_but_ne) {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<op> const only_ne{op::ne};
    EXPECT_EQ(matching(nan, 1.0), only_ne);
    EXPECT_EQ(matching(1.0, nan), only_ne);
    EXPECT_EQ(matching(nan, nan), only_ne);
}

TEST(comparison, takes_both_zeros_for_equal) { EXPECT_EQ(matching(-0.0, 0.0), if_equal); }

TEST(comparison, of_text_is_by_utf16_code_units) {
    std::string const supplementary = test::utf8(U"\U0001F600");
    std::string const private_use = test::utf8(U"\uE000");
    ASSERT_GT(supplementary, private_use);
    EXPECT_EQ(matching(supplementary, private_use), if_less);
    EXPECT_EQ(matching(private_use, supplementary), if_greater);
}

TEST(comparison, knows_the_system_properties) {
    auto e = holding(1);
    e.timestamp = ticks::max();
    EXPECT_TRUE(matches(asks(op::eq, std::string{"partition"}, "PartitionKey"), e));
    EXPECT_TRUE(matches(asks(op::gt, std::string{"ro"}, "RowKey"), e));
    EXPECT_TRUE(matches(asks(op::gt, ticks::min(), "Timestamp"), e));
    EXPECT_FALSE(matches(asks(op::ne, std::int32_t{1}, "PartitionKey"), e));
    EXPECT_FALSE(matches(asks(op::ne, std::string{"x"}, "Timestamp"), e));
}

TEST(comparison, prefers_the_system_property_to_one_of_the_same_name) {
    detail::stored_entity e{"partition", "row"};
    e.set("RowKey", "other");
    EXPECT_TRUE(matches(asks(op::eq, std::string{"row"}, "RowKey"), e));
    EXPECT_FALSE(matches(asks(op::eq, std::string{"other"}, "RowKey"), e));
}

// ---- combinations ---------------------------------------------------------------------------------------------------

expression const yes = asks(op::eq, 1);
expression const no = asks(op::ne, 1);

TEST(conjunction, matches_if_both_do) {
    EXPECT_TRUE(matches(yes && yes, holding(1)));
    EXPECT_FALSE(matches(yes && no, holding(1)));
    EXPECT_FALSE(matches(no && yes, holding(1)));
    EXPECT_FALSE(matches(no && no, holding(1)));
}

TEST(disjunction, matches_if_one_does) {
    EXPECT_TRUE(matches(yes || yes, holding(1)));
    EXPECT_TRUE(matches(yes || no, holding(1)));
    EXPECT_TRUE(matches(no || yes, holding(1)));
    EXPECT_FALSE(matches(no || no, holding(1)));
}

TEST(negation, turns_the_answer_round) {
    EXPECT_FALSE(matches(!yes, holding(1)));
    EXPECT_TRUE(matches(!no, holding(1)));
    EXPECT_TRUE(matches(!!yes, holding(1)));
}

TEST(negation, of_a_comparison_with_a_missing_property_matches) {
    EXPECT_TRUE(matches(!asks(op::eq, 1, "missing"), holding(1)));
    EXPECT_TRUE(matches(!asks(op::ne, 1, "missing"), holding(1)));
}

TEST(expression, nests_to_any_shape) {
    EXPECT_TRUE(matches(!(yes && no) && (no || !no), holding(1)));
    EXPECT_TRUE(matches((yes || no) && !(no && yes), holding(1)));
}

TEST(expression, is_compared_by_value) {
    EXPECT_EQ(yes && !no, asks(op::eq, 1) && !asks(op::ne, 1));
    EXPECT_FALSE(yes == no);
    EXPECT_FALSE((yes && no) == (no && yes));
    EXPECT_FALSE((yes && no) == (yes || no));
    EXPECT_FALSE(asks(op::eq, 1) == asks(op::eq, std::int64_t{1}));
}

TEST(expression, is_visited_at_its_root) {
    struct {
        char operator()(filter::comparison const&) const { return 'c'; }
        char operator()(filter::conjunction const&) const { return '&'; }
        char operator()(filter::disjunction const&) const { return '|'; }
        char operator()(filter::negation const&) const { return '!'; }
    } const kind;
    EXPECT_EQ(yes.visit(kind), 'c');
    EXPECT_EQ((yes && no).visit(kind), '&');
    EXPECT_EQ((yes || no).visit(kind), '|');
    EXPECT_EQ((!yes).visit(kind), '!');
}

}  // namespace
