// SPDX-License-Identifier: Apache-2.0
#include <devices.hpp>

#include <gtest/gtest.h>

bool inventory::is_dear(device const& d) { return d.price.cents() > 10'000; }

namespace {

class generated_devices : public testing::Test {
protected:
    generated_devices() {
        devices.table().create();
        devices.table().insert({.owner = "Don",
                                .id = "d1",
                                .kind = inventory::kind::lamp,
                                .maker = "Acme",
                                .model = "L1",
                                .price = inventory::money{20'000}});
        devices.table().insert({.owner = "Don", .id = "d2", .maker = "Acme", .model = "R1"});
    }

    tablemap::store_ptr store = tablemap::open("embedded::memory:");
    inventory::device_repository devices{store};
};

TEST_F(generated_devices, uses_functions_of_the_program) {
    std::string found;
    for (auto const& [id] : devices.dear_ones("Don")) found += id + ";";
    EXPECT_EQ(found, "d1;");
}

TEST_F(generated_devices, reads_rows_of_older_versions) {
    tablemap::dynamic_entity old{"Jun", "id_d9"};
    old.set("Kind", "device");
    old.set("title", "Acme Roller");
    old.set("price", std::int64_t{500});
    tablemap::table<tablemap::dynamic_entity>{store, "Devices"}.insert(old);
    auto const found = devices.find("Jun", "d9");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value.model, "Roller");
    EXPECT_EQ(found->value.price.cents(), 500);
    EXPECT_TRUE(found->outdated);
}

TEST_F(generated_devices, looks_up_and_counts_by_an_index) {
    EXPECT_EQ(devices.of_model("Don", "Acme", "R1")->value.id, "d2");
    EXPECT_EQ(devices.count_of_maker("Don", "Acme"), 2U);
    std::size_t rows = 0;
    for ([[maybe_unused]] auto const& d : devices.made_by("Don", "Acme")) ++rows;
    EXPECT_EQ(rows, 2U);
}

TEST_F(generated_devices, tells_kinds_by_their_row_keys) {
    inventory::lamp_repository const lamps{store};
    lamps.table().insert({.owner = "Don", .watts = -5});
    EXPECT_TRUE(lamps.find("Don", -5));
}

}  // namespace
