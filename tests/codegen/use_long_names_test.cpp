// SPDX-License-Identifier: Apache-2.0
#include <long_names.hpp>

#include <gtest/gtest.h>

namespace {

using namespace measuring::laboratory;

constexpr tablemap::ticks at = tablemap::ticks::min() + tablemap::tick_duration{5};

TEST(generated_long_names, stores_and_finds) {
    measurement_of_an_instrument_repository const all{tablemap::open("embedded::memory:"), "Measurements"};
    all.table().create();
    measurement_of_an_instrument m{.region_of_the_laboratory = "north",
                                   .number_of_the_laboratory = 7,
                                   .name_of_the_instrument = "A/1",
                                   .time_of_the_measurement = at};
    m.name_of_the_operator = "Don";
    m.was_checked_by_a_second_operator = true;
    all.table().insert(m);
    auto const found = all.find("north", 7, "A/1", at);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value.scale, scale::lowest);
    EXPECT_EQ(found->value.offset, INT64_MIN);

    EXPECT_EQ(all.measurements_of_an_instrument_in_a_time("north", 7, "A/1", tablemap::ticks::min(),
                                                          tablemap::ticks::max(), 20.0, "D",
                                                          measurement_reason::planned_beforehand)
                  .count(),
              1U);
    EXPECT_TRUE(all.operators_whose_name_begins("north", 7, "Do"));
    EXPECT_EQ(all.measurements_on_a_scale("north", 7, scale::lowest, scale::zero).count(), 1U);
    EXPECT_EQ(all.measurements_of_an_operator("north", 7, "Don", instrument_condition::works_as_intended,
                                              tablemap::ticks::min(), tablemap::ticks::max())
                  .count(),
              1U);
}

}  // namespace
