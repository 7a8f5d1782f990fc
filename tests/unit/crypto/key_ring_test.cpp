// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_ring.hpp"

#include "tablemap/base/bytes.hpp"
#include "crypto/sealed_value.hpp"

#include "support/answers.hpp"
#include "support/hex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace {

using namespace tablemap;
using test::bytes_of;
using test::failed_with;

bytes of(int b) { return bytes(32, static_cast<std::byte>(b)); }

std::vector<std::string> ids(key_provider const& keys) {
    std::vector<std::string> found;
    auto const all = keys.all();
    for (auto const& key : *all) found.push_back(key.id());
    return found;
}

TEST(key_ring, begins_empty) {
    key_ring const ring;
    EXPECT_TRUE(failed_with(ring.current(), library_errc::no_encryption_key));
    EXPECT_TRUE(failed_with(ring.find("a"), library_errc::unknown_encryption_key));
    EXPECT_TRUE(ids(ring).empty());
}

TEST(key_ring, reads_with_all_keys_and_writes_with_the_current_one) {
    key_ring ring;
    ring.add("2025", of(1));
    EXPECT_TRUE(failed_with(ring.current(), library_errc::no_encryption_key)) << "added for reading only";
    ring.add_current("2026", of(2));
    EXPECT_EQ(ring.current()->id(), "2026");
    EXPECT_EQ(ring.find("2025")->id(), "2025");
    ring.use("2025");
    EXPECT_EQ(ring.current()->id(), "2025");
}

TEST(key_ring, lists_the_current_key_first) {
    key_ring ring;
    ring.add("b", of(1));
    ring.add("a", of(2));
    EXPECT_EQ(ids(ring), (std::vector<std::string>{"a", "b"}));
    ring.use("b");
    EXPECT_EQ(ids(ring), (std::vector<std::string>{"b", "a"}));
}

TEST(key_ring, takes_the_same_key_again_and_no_other_of_its_id) {
    key_ring ring;
    ring.add("a", of(1));
    ring.add("a", of(1));
    ring.add("b", of(1));
    EXPECT_TRUE(failed_with(ring.try_add("a", of(2)), library_errc::invalid_encryption_key));
    EXPECT_TRUE(failed_with(ring.try_add_current("a", of(2)), library_errc::invalid_encryption_key));
    EXPECT_TRUE(failed_with(ring.current(), library_errc::no_encryption_key)) << "a refused key became the current one";
}

TEST(key_ring, refuses_what_is_no_key) {
    key_ring ring;
    EXPECT_TRUE(failed_with(ring.try_add("a", bytes(16)), library_errc::invalid_encryption_key));
    EXPECT_TRUE(failed_with(ring.try_add_current("", of(1)), library_errc::invalid_encryption_key));
    EXPECT_THROW(ring.add("a", bytes(16)), error);
}

TEST(key_ring, uses_only_keys_that_it_has) {
    key_ring ring;
    ring.add_current("a", of(1));
    EXPECT_TRUE(failed_with(ring.try_use("b"), library_errc::unknown_encryption_key));
    EXPECT_EQ(ring.current()->id(), "a");
}

TEST(key_ring, forgets_old_keys_only) {
    key_ring ring;
    ring.add("2025", of(1));
    ring.add_current("2026", of(2));
    EXPECT_TRUE(failed_with(ring.try_erase("2026"), library_errc::invalid_encryption_key));
    EXPECT_TRUE(ring.erase("2025"));
    EXPECT_FALSE(ring.erase("2025"));
    EXPECT_TRUE(failed_with(ring.find("2025"), library_errc::unknown_encryption_key));
}

TEST(key_ring, names_the_missing_key_unless_its_id_cannot_be_one) {
    key_ring const ring;
    EXPECT_STREQ(ring.find("2024").error().what(),
                 "the key of an encrypted value is not known: the key ring has no key '2024': add it");
    EXPECT_STREQ(ring.find("a\nb").error().what(),
                 "the key of an encrypted value is not known: the key ring has no key of this id: add it");
}

TEST(key_ring, rotates_while_values_are_written_and_read) {
    key_ring ring;
    ring.add_current("0", of(0));
    detail::sealed_place const where{"t", "p", "r", "m"};
    std::atomic<bool> done = false;
    std::atomic<int> failed = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            do {
                auto const sealed = detail::seal(*ring.current(), where, 1, bytes_of("value"));
                failed += !detail::open_sealed(ring, where, *sealed);
            } while (!done);
        });
    for (int i = 1; i < 200; ++i) ring.add_current(std::to_string(i), of(i));
    done = true;
    threads.clear();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(ring.all()->size(), 200U);
}

}  // namespace
