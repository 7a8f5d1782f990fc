// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/raw.hpp"

#include "tablemap/filter/parse.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace tablemap;
using filter::expression;
using op = filter::comparison_operator;

expression is(std::string name, property_value v, op o = op::eq) {
    return filter::comparison{std::move(name), o, std::move(v)};
}

static_assert(!std::is_default_constructible_v<raw_filter>);

TEST(raw_filter, of_text_alone_is_that_filter) {
    EXPECT_EQ(raw_filter("Age ge 30 and not Retired").to_expression(), is("Age", 30, op::ge) && !is("Retired", true));
}

TEST(raw_filter, takes_a_value_of_each_type) {
    std::string const name = "Don";
    EXPECT_EQ(raw_filter("A eq {} and A eq {}", name, std::string_view{name}).to_expression(),
              is("A", "Don") && is("A", "Don"));
    EXPECT_EQ(raw_filter("A eq {}", "Don").to_expression(), is("A", "Don"));
    EXPECT_EQ(raw_filter("A eq {}", true).to_expression(), is("A", true));
    EXPECT_EQ(raw_filter("A eq {}", 30).to_expression(), is("A", 30));
    EXPECT_EQ(raw_filter("A eq {}", std::int64_t{30}).to_expression(), is("A", std::int64_t{30}));
    EXPECT_EQ(raw_filter("A eq {}", 1.5).to_expression(), is("A", 1.5));
    EXPECT_EQ(raw_filter("A eq {}", ticks::min()).to_expression(), is("A", ticks::min()));
    EXPECT_EQ(raw_filter("A eq {}", guid{}).to_expression(), is("A", guid{}));
    EXPECT_EQ(raw_filter("A eq {}", bytes{}).to_expression(), is("A", bytes{}));
    EXPECT_EQ(raw_filter("A eq {}", property_value{7}).to_expression(), is("A", 7));
}

TEST(raw_filter, takes_times_of_whole_ticks) {
    std::chrono::sys_seconds const time{std::chrono::seconds{5}};
    EXPECT_EQ(raw_filter("A lt {}", time).to_expression(), is("A", ticks{time}, op::lt));
}

TEST(raw_filter, keeps_what_a_user_typed_a_value) {
    std::string const typed = "' or true or '1' eq '1";
    EXPECT_EQ(raw_filter("Name eq {} and Age eq {}", typed, 5).to_expression(), is("Name", typed) && is("Age", 5));
    EXPECT_EQ(raw_filter("Name eq {}", "{}").to_expression(), is("Name", "{}"));
}

TEST(raw_filter, has_no_placeholders_within_quotes) {
    EXPECT_EQ(raw_filter("A eq '{}' and B eq {} and C eq 'it''s {}'", 5).to_expression(),
              is("A", "{}") && is("B", 5) && is("C", "it's {}"));
}

TEST(raw_filter, tells_what_is_wrong_when_it_is_used) {
    auto const r = raw_filter("Age => {}", 30).to_expression();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::invalid_filter);
    EXPECT_EQ(r.error().details().reason, "expected an operator or the end of the filter at offset 4");
}

TEST(raw_filter, of_trusted_text_is_read_when_it_is_used) {
    EXPECT_EQ(raw_filter::from_trusted_text("A eq " + std::to_string(5)).to_expression(), is("A", 5));
    EXPECT_EQ(raw_filter::from_trusted_text("A eq").to_expression().error().code(), library_errc::invalid_filter);
    EXPECT_FALSE(raw_filter::from_trusted_text("A eq {}").to_expression());
}

TEST(raw_filter, is_a_value) {
    raw_filter a("A eq {}", 5);
    auto const b = a;
    auto const c = std::move(a);
    EXPECT_EQ(b.to_expression(), c.to_expression());
}

}  // namespace
