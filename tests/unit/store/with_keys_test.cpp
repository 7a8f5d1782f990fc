// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/with_keys.hpp"

#include "support/answers.hpp"

#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace tablemap;
using test::failed_with;
using ::testing::HasSubstr;
using ::testing::Not;

/// A program's own provider, which is not as careful as it should be.
struct careless_keys final : key_provider {
    result<encryption_key> current() const override { throw std::runtime_error{"AccountKey=c2VjcmV0"}; }
    result<encryption_key> find(std::string_view) const override { throw 42; }
    result<std::vector<encryption_key>> all() const override {
        throw error{library_errc::deadline_exceeded, {.reason = "the vault is slow"}};
    }
};

std::shared_ptr<key_provider const> keys_of_a_store() {
    return with_keys(std::make_shared<tablemap::testing::scripted_store>(std::vector<tablemap::testing::exchange>{}),
                     std::make_shared<careless_keys>())
        ->context()
        .keys;
}

TEST(store_with_keys, makes_errors_of_what_a_provider_throws) {
    auto const keys = keys_of_a_store();
    EXPECT_TRUE(failed_with(keys->current(), library_errc::no_encryption_key));
    EXPECT_TRUE(failed_with(keys->find("2026"), library_errc::no_encryption_key));
    EXPECT_TRUE(failed_with(keys->all(), library_errc::deadline_exceeded));
}

TEST(store_with_keys, repeats_no_secret_that_a_provider_throws) {
    EXPECT_THAT(keys_of_a_store()->current().error().what(),
                AllOf(HasSubstr("threw an exception"), Not(HasSubstr("c2VjcmV0"))));
}

}  // namespace
