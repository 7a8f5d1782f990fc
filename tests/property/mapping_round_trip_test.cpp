// SPDX-License-Identifier: Apache-2.0
#include "support/mapping_samples.hpp"

#include <algorithm>

namespace tablemap::test {
namespace {

constexpr int tries = 500;

template <class T> T random_value(random_source& random) {
    if constexpr (std::same_as<T, converted_types>)
        return random_converted(random);
    else
        return random_form(random);
}

void shuffle(dynamic_entity& row, random_source& random) {
    auto const all = row.properties();
    std::vector<property> properties(all.begin(), all.end());
    for (std::size_t i = properties.size(); i > 1; --i) std::swap(properties[i - 1], properties[random.below(i)]);
    for (auto const& p : properties) row.erase(p.name);
    for (auto& p : properties) row.set_value(p.name, std::move(p.value));
}

template <class T> class mapping_round_trip : public ::testing::Test {};
using mapped_types = ::testing::Types<converted_types, every_form>;
TYPED_TEST_SUITE(mapping_round_trip, mapped_types);

TYPED_TEST(mapping_round_trip, what_is_written_is_read) {
    random_source random;
    for (int i = 0; i < tries; ++i) {
        auto const v = random_value<TypeParam>(random);
        detail::encoded_entity e;
        ASSERT_TRUE(detail::encode(v, e));
        auto const back = detail::decode<TypeParam>(e.body);
        ASSERT_TRUE(back) << back.error().what();
        ASSERT_EQ(back->value, v);
    }
}

TYPED_TEST(mapping_round_trip, columns_are_read_in_any_order) {
    random_source random;
    for (int i = 0; i < tries; ++i) {
        auto v = random_value<TypeParam>(random);
        if constexpr (requires { v.rest; }) v.rest = {};  // keeps the order of the row
        auto row = *to_dynamic(v);
        shuffle(row, random);
        auto const back = from_dynamic<TypeParam>(row);
        ASSERT_TRUE(back) << back.error().what();
        ASSERT_EQ(*back, v);
    }
}

TYPED_TEST(mapping_round_trip, every_property_that_became_another_type_is_a_fault_or_is_read_losslessly) {
    random_source random;
    for (int i = 0; i < tries; ++i) {
        auto row = *to_dynamic(random_value<TypeParam>(random));
        auto const all = row.properties();
        std::vector<property> const before(all.begin(), all.end());
        for (auto const& p : before)
            if (random.below(4) == 0) row.set_value(p.name, random_property(random));
        auto const back = from_dynamic<TypeParam>(row);
        if (back) {
            EXPECT_TRUE(to_dynamic(*back));
            continue;
        }
        ASSERT_FALSE(back.error().faults().empty());
        for (auto const& f : back.error().faults()) {
            EXPECT_NE(row.find(f.property), nullptr) << f.property;
            EXPECT_FALSE(f.reason.empty() && f.expected.empty()) << f.property;
        }
    }
}

}  // namespace
}  // namespace tablemap::test
