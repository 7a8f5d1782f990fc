// SPDX-License-Identifier: Apache-2.0
#include "property/filters_random.hpp"

#include "tablemap/filter/odata.hpp"
#include "tablemap/filter/parse.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using filter::expression;

std::string odata(expression const& e) {
    std::string out;
    value_or_throw(filter::append_odata(out, e));
    return out;
}

/// An identifier, often one that means something elsewhere in a filter.
std::string random_name(random_source& random) {
    static char const* const words[] = {"and", "or", "not",  "eq",       "ge", "true",         "false", "NaN",
                                        "INF", "X",  "guid", "datetime", "L",  "PartitionKey", "A_1",   "binary"};
    if (random.coin()) return words[random.below(std::size(words))];
    std::string name(1, "_aZ"[random.below(3)]);
    for (auto n = random.below(6); n > 0; --n) {
        if (auto const c = random.code_point(); c >= 0x80)
            append_utf8(name, c);
        else
            name += "_9bY"[random.below(4)];
    }
    return name;
}

expression random_filter(random_source& random, unsigned levels) {
    return random_expression(random, levels, [&] {
        return filter::comparison{random_name(random), random_operator(random), random_value(random)};
    });
}

/// The same filter with the chains of one operator leaning to the left.
expression leaning_left(expression const& e);

template <class Node> void append_operands(std::vector<expression>& to, expression const& e) {
    e.visit([&](auto const& n) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(n)>, Node>) {
            append_operands<Node>(to, n.left);
            append_operands<Node>(to, n.right);
        } else
            to.push_back(leaning_left(e));
    });
}

expression leaning_left(expression const& e) {
    return e.visit([&](auto const& n) -> expression {
        using node = std::remove_cvref_t<decltype(n)>;
        if constexpr (std::is_same_v<node, filter::comparison>)
            return n;
        else if constexpr (std::is_same_v<node, filter::negation>)
            return !leaning_left(n.operand);
        else {
            std::vector<expression> operands;
            append_operands<node>(operands, e);
            auto chain = operands.front();
            for (std::size_t i = 1; i < operands.size(); ++i) chain = expression{node{chain, operands[i]}};
            return chain;
        }
    });
}

TEST(filters, that_are_written_are_read_back_as_they_were) {
    random_source random;
    for (int i = 0; i < 5000; ++i) {
        auto const e = random_filter(random, 6);
        auto const text = odata(e);
        auto const back = filter::parse(text);
        ASSERT_TRUE(back) << back.error().what() << "\n" << text;
        ASSERT_EQ(*back, leaning_left(e)) << text;
        ASSERT_EQ(odata(*back), text);
    }
}

TEST(filters, with_values_apart_are_those_with_the_values_in_their_text) {
    random_source random;
    for (int i = 0; i < 3000; ++i) {
        property_value const values[] = {random_value(random), random_value(random)};
        auto const a = filter::comparison{"A", filter::comparison_operator::eq, values[0]};
        auto const b = filter::comparison{"B", filter::comparison_operator::lt, values[1]};
        auto const apart = filter::parse("not A eq {} or {} gt B", values);
        ASSERT_EQ(apart, !expression{a} || expression{b});
        ASSERT_EQ(apart, filter::parse(odata(!expression{a} || expression{b})));
    }
}

/// A text that was damaged in a few places.
std::string damaged(random_source& random, std::string text) {
    static constexpr std::string_view pieces[] = {"'", "''", "(",  ")",    " ",  "not ", " and ", "{}",
                                                  "L", "-",  "\0", "\x80", "X'", "eq",   "1e",    "."};
    for (auto n = random.below(4); n > 0 && !text.empty(); --n) {
        auto const at = random.below(text.size());
        if (random.coin())
            text.erase(at, random.below(4) + 1);
        else
            text.insert(at, pieces[random.below(std::size(pieces))]);
    }
    return text;
}

TEST(filters, that_are_damaged_are_refused_or_mean_what_they_now_say) {
    random_source random;
    for (int i = 0; i < 20'000; ++i) {
        auto const text = damaged(random, odata(random_filter(random, 3)));
        auto const e = filter::parse(text);
        if (!e) {
            ASSERT_EQ(e.error().code(), library_errc::invalid_filter) << text;
            continue;
        }
        std::string again;
        if (!filter::append_odata(again, *e)) continue;  // of an infinity
        ASSERT_EQ(odata(value_or_throw(filter::parse(again))), again) << text;
    }
}

}  // namespace
}  // namespace tablemap::test
