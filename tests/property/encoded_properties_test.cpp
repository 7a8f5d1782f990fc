// SPDX-License-Identifier: Apache-2.0
#include "support/mapping_samples.hpp"

#include "tablemap/detail/wire/row_codec.hpp"

#include <cmath>
#include <limits>

namespace tablemap::test {
namespace {

struct measurement {
    std::string place;
    std::int32_t number{};
    double value{};
    std::string note;
    std::optional<double> other;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::measurement> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&tablemap::test::measurement::place>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&tablemap::test::measurement::number>);
};

namespace tablemap::test {
namespace {

/// Stores take what the encoder says it has checked as it is: it must be what they would have made of the body.
template <class T> void expect_same_properties(T const& value) {
    detail::encoded_entity e;
    ASSERT_TRUE(detail::encode(value, e));
    ASSERT_GT(e.properties_at, 0u);
    std::string taken, read;
    std::string_view const body{e.body};
    detail::append_encoded(taken, body.substr(e.properties_at, body.size() - 1 - e.properties_at));
    detail::append_canonical(read, e.body, {e.partition_key, e.row_key, 0}, true);
    ASSERT_EQ(taken, read);
}

TEST(encoded_properties, of_random_values_are_what_a_store_makes_of_the_body) {
    random_source random;
    for (int i = 0; i < 500; ++i) expect_same_properties(random_converted(random));
}

TEST(encoded_properties, of_doubles_are_annotated_only_if_they_are_texts) {
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    for (double const d : {0.0, -0.0, 1.0, 0.1, 1e300, infinite, -infinite, std::nan("")}) {
        expect_same_properties(measurement{"p", 1, d, "", std::nullopt});
        expect_same_properties(measurement{"p", 1, d, R"("x@odata.type":"Edm.Double",1,"value":2)", d});
        expect_same_properties(measurement{"p", 1, 1.5, R"(,"a@odata.type":"Edm.Double","a":1.0,)", d});
    }
}

TEST(encoded_properties, whose_names_are_known_only_at_run_time_are_read_by_stores) {
    random_source random;
    detail::encoded_entity e;
    ASSERT_TRUE(detail::encode(random_form(random), e));
    EXPECT_EQ(e.properties_at, 0u);
    ASSERT_TRUE(detail::encode(measurement{"p", 1, 1, "", 2}, e));
    ASSERT_TRUE(encode(dynamic_entity{"p", "r"}, e));
    EXPECT_EQ(e.properties_at, 0u) << "left from the entity that was encoded before";
}

}  // namespace
}  // namespace tablemap::test
