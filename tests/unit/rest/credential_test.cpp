// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/credential.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <variant>

namespace tablemap {
namespace {

TEST(OptionalCredential, IsEmptyByDefault) {
    optional_credential const none;
    EXPECT_FALSE(none.has_value());
    EXPECT_EQ(std::optional<credential>{none}.has_value(), false);
}

TEST(OptionalCredential, HoldsACredentialOfAnyKind) {
    optional_credential const given = sas_credential{"sig=abc"};
    auto const copy = given;
    ASSERT_TRUE(copy);
    EXPECT_EQ(std::get<sas_credential>(*copy).token, "sig=abc");
    EXPECT_TRUE(std::holds_alternative<sas_credential>(*copy.operator->()));
}

TEST(OptionalCredential, ConvertsToAndFromAnOptional) {
    std::optional<credential> const from{sas_credential{"sig=abc"}};
    optional_credential held = from;
    std::optional<credential> const to = held;
    EXPECT_TRUE(to.has_value());
    held = std::nullopt;
    EXPECT_FALSE(held);
}

}  // namespace
}  // namespace tablemap
