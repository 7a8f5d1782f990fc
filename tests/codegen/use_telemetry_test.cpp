// SPDX-License-Identifier: Apache-2.0
#include <telemetry.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace {

tablemap::store_ptr open_with_keys() {
    auto keys = std::make_shared<tablemap::key_ring>();
    keys->add_current("k1", tablemap::bytes(32, std::byte{7}));
    return tablemap::open("embedded::memory:", {.keys = keys});
}

TEST(generated_telemetry, spreads_rows_and_merges_them) {
    telemetry::event_repository const events{open_with_keys(), "Events"};
    events.table().create();
    for (int n = 1; n <= 40; ++n) {
        telemetry::event e{.day = "2024-02-28", .device = "d" + std::to_string(n), .number = n};
        e.values[3] = n;
        events.table().insert(e);
    }
    std::int64_t last = 0;
    for (auto const& e : events.of_day("2024-02-28")) EXPECT_EQ(e.value.number, ++last);
    EXPECT_EQ(last, 40);
    EXPECT_EQ(events.find("2024-02-28", 17, "d17")->value.values[3], 17.0);
    EXPECT_TRUE(events.one("2024-02-28", 17, "d17"));
    std::size_t rows = 0;
    for (auto const& [number, device] : events.numbers("2024-02-28", 10, 20))
        rows += device == "d" + std::to_string(number);
    EXPECT_EQ(rows, 10U);
}

TEST(generated_telemetry, selects_by_parts_of_a_key) {
    telemetry::session_repository const sessions{tablemap::open("embedded::memory:"), "Sessions"};
    sessions.table().create();
    sessions.table().insert({.user = "Don", .address = "::1/64", .flag = true, .size = 7, .ratio = -0.5});
    sessions.table().insert({.user = "Don", .address = "::2/64", .flag = true, .size = 7, .ratio = 0.5});
    EXPECT_EQ(sessions.find("Don", true, 7, -0.5, "::1/64")->value.user, "Don");
    EXPECT_EQ(sessions.from_address("Don", true, 7, 0.5, "::2").count(), 1U);
    EXPECT_EQ(sessions.of_ratio("Don", true, 7, -1, 0).count(), 1U);
    EXPECT_EQ(sessions.of_user("Don"), 2U);
}

}  // namespace
