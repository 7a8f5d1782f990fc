// SPDX-License-Identifier: Apache-2.0
#include <minimal.hpp>

#include <gtest/gtest.h>

namespace {

TEST(generated_minimal, stores_and_finds) {
    note_repository const notes{tablemap::open("embedded::memory:"), "Notes"};
    notes.table().create();
    notes.table().insert({.owner = "Don", .text = "call Jun"});
    EXPECT_EQ(notes.find("Don")->value.text, "call Jun");
    EXPECT_FALSE(notes.find("Jun"));
}

TEST(generated_minimal, returns_errors_from_the_try_form) {
    note_repository const notes{tablemap::open("embedded::memory:"), "Notes"};
    EXPECT_EQ(notes.try_find("Don").error().code(), tablemap::service_errc::table_not_found);
    EXPECT_THROW(notes.find("Don"), tablemap::error);
}

}  // namespace
