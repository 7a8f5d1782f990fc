// SPDX-License-Identifier: Apache-2.0
#include <personnel.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace {

std::shared_ptr<tablemap::key_ring> make_keys() {
    auto keys = std::make_shared<tablemap::key_ring>();
    keys->add_current("k1", tablemap::bytes(32, std::byte{7}));
    return keys;
}

class generated_personnel : public testing::Test {
protected:
    generated_personnel() {
        people.table().create();
        contoso::person don{.country = "at", .number = 4'000'000'000, .name = "Don", .iban = "AT61", .salary = 5'000};
        don.born = std::chrono::sys_days{std::chrono::days{100}};
        people.table().insert(don);
        people.table().insert({.country = "at", .number = 5, .name = "Jun", .iban = "AT62"});
    }

    contoso::person_repository people{tablemap::open("embedded::memory:", {.keys = make_keys()})};
};

TEST_F(generated_personnel, reads_what_is_encrypted) {
    EXPECT_EQ(people.find("at", 4'000'000'000)->value.name.value(), "Don");
    EXPECT_FALSE(people.find("at", 5)->value.salary);
}

TEST_F(generated_personnel, looks_up_by_a_blind_index) {
    EXPECT_EQ(people.by_iban("at", "AT62")->value.number, 5U);
    EXPECT_FALSE(people.by_iban("at", "AT63"));
}

TEST_F(generated_personnel, sorts_numbers_and_compares_days) {
    std::string found;
    for (auto const& p : people.of_country("at")) found += p.value.name.value() + ";";
    EXPECT_EQ(found, "Jun;Don;");
    std::size_t rows = 0;
    for ([[maybe_unused]] auto const& p : people.born_before(std::chrono::sys_days{std::chrono::days{101}})) ++rows;
    EXPECT_EQ(rows, 1U);
}

}  // namespace
