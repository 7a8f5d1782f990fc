// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/date.hpp"
#include "tablemap/mapping/index_key.hpp"
#include "tablemap/mapping/key_of.hpp"

#include "support/answers.hpp"
#include "unit/mapping/codec.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

/// Mappings whose keys hold members of types with a converter.
namespace {

using namespace tablemap;
using namespace std::chrono_literals;
using test::failed_with;

struct customer_id {
    std::string text{};
};

/// Made of a number, and of no other.
class order_number {
public:
    order_number() = default;
    explicit order_number(std::int64_t value) : value_(value) {}

    std::int64_t value() const { return value_; }

private:
    std::int64_t value_{};
};

struct order {
    customer_id customer{};
    order_number number{};
    std::chrono::year_month_day day{};
    std::optional<customer_id> payer{};
};

}  // namespace

template <> struct tablemap::converter<customer_id> {
    using stored = std::string;
    static result<stored> to_property(customer_id const& c) {
        if (c.text == "nobody") return fail(library_errc::value_out_of_range, {.reason = "nobody orders"});
        return c.text;
    }
    static customer_id from_property(stored const& text) { return {text}; }
};

template <> struct tablemap::converter<order_number> {
    using stored = std::int64_t;
    static stored to_property(order_number const& n) { return n.value(); }
    static order_number from_property(stored const& value) { return order_number{value}; }
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = key(part<&order::customer>);
    static constexpr auto row_key =
        key("order_", part<&order::day>, "_", part<&order::number>.width(6), "_", part<&order::customer>);
    static constexpr auto indexes = tablemap::indexes(index<"by_payer">(key("payer_", part<&order::payer>.escaped())));
};

namespace {

char const* const key_text = "order_0630822816000000000_000042_Don";

TEST(converted_key, is_made_of_the_values_of_its_members) {
    key_of<order> const k{customer_id{"Don"}, 2000y / 1 / 1, order_number{42}};
    EXPECT_EQ(k.encode(), (entity_key{"Don", key_text}));
    EXPECT_EQ(k.get<&order::customer>().text, "Don");
    EXPECT_EQ(key_of<order>::of({.customer = {"Don"}, .number = order_number{42}, .day = 2000y / 1 / 1}).encode(),
              k.encode());
}

TEST(converted_key, takes_what_makes_a_value_exactly) {
    static_assert(detail::exactly_convertible<customer_id, customer_id const&>);
    static_assert(!detail::exactly_convertible<customer_id, char const*>);
    static_assert(!detail::exactly_convertible<customer_id, std::string>);
    static_assert(detail::exactly_convertible<order_number, std::int32_t>);
    static_assert(!detail::exactly_convertible<order_number, double>);
    EXPECT_EQ((key_of<order>{customer_id{"Don"}, 2000y / 1 / 1, 42}.encode().row_key), key_text);
}

TEST(converted_key, names_the_member_that_its_converter_refuses) {
    auto const r = key_of<order>{customer_id{"nobody"}, 2000y / 1 / 1, 42}.try_encode();
    ASSERT_TRUE(failed_with(r, library_errc::value_out_of_range));
    EXPECT_EQ(r.error().member(), "customer");
    EXPECT_EQ(r.error().details().reason, "nobody orders");
}

TEST(converted_key, gives_its_members_back) {
    auto const json = std::string{R"({"PartitionKey":"Don","RowKey":")"} + key_text + "\"}";
    auto const r = test::read_row<order>(json);
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value.customer.text, "Don");
    EXPECT_EQ(r->value.number.value(), 42);
    EXPECT_EQ(r->value.day, 2000y / 1 / 1);
}

TEST(converted_key, must_have_one_value_of_a_member_of_both_keys) {
    auto const json = std::string{R"({"PartitionKey":"Dan","RowKey":")"} + key_text + "\"}";
    auto const r = test::read_row<order>(json);
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "customer");
}

TEST(converted_key, is_unreadable_where_the_converter_refuses_its_text) {
    auto const r = test::read_row<order>(R"({"PartitionKey":"Don","RowKey":"order_0630822816000000001_000042_Don"})");
    ASSERT_TRUE(failed_with(r, library_errc::unreadable_key));
    EXPECT_EQ(r.error().member(), "day");
}

TEST(converted_key, of_an_index_holds_an_optional_member) {
    order o{.customer = {"Don"}, .number = order_number{42}, .day = 2000y / 1 / 1, .payer = customer_id{"a b"}};
    std::string partition, row;
    ASSERT_TRUE((detail::encode_index_keys<order, 0>(o, partition, row)));
    EXPECT_EQ(partition, "Don");
    EXPECT_TRUE(row.starts_with("payer_a zb !")) << row;
    o.payer.reset();
    EXPECT_TRUE(failed_with((detail::encode_index_keys<order, 0>(o, partition, row)), library_errc::missing_property));
}

}  // namespace
