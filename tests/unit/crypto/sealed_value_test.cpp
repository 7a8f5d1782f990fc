// SPDX-License-Identifier: Apache-2.0
#include "crypto/sealed_value.hpp"

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/detail/crypto/hmac.hpp"

#include "support/answers.hpp"
#include "support/hex.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <span>
#include <string>

#include <pthread.h>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::bytes_of;
using test::failed_with;

constexpr sealed_place home{"Employees", "Sales", "empid_000017", "salary"};

std::unique_ptr<key_ring> ring_of(std::initializer_list<std::pair<char const*, int>> keys) {
    auto ring = std::make_unique<key_ring>();
    for (auto const& [id, b] : keys) ring->add(id, bytes(32, static_cast<std::byte>(b)));
    return ring;
}

struct sealed_value : ::testing::Test {
    std::unique_ptr<key_ring> const keys = ring_of({{"2025", 1}, {"2026", 2}});
    key_ring& ring = *keys;
    std::string const plain = "75,000 a year";
    bytes value;

    sealed_value() {
        ring.use("2026");
        value = sealed(plain);
    }

    bytes sealed(std::string_view text, std::uint8_t type = 1) const {
        return *seal(*ring.current(), home, type, bytes_of(text));
    }
    auto opened(bytes const& b) const { return open_sealed(ring, home, b); }
};

/// The place of `home`, from which the keys of its value are derived.
std::string place_of_home() {
    std::string text;
    for (std::string_view const field : {"value", "employees", "Sales", "empid_000017", "salary"})
        text.append(3, '\0').append(1, static_cast<char>(field.size())).append(field);
    return text + '\1';
}

TEST_F(sealed_value, opens_where_it_was_sealed) {
    for (auto const& text : {std::string{}, plain, std::string(40'000, 'x'), std::string("\0\xFF", 2)}) {
        auto const read = opened(sealed(text, 7));
        ASSERT_TRUE(read);
        EXPECT_EQ(read->type, 7);
        EXPECT_EQ(test::hex(read->plain), test::hex(bytes_of(text)));
    }
}

TEST_F(sealed_value, holds_no_plain_byte_and_names_its_key) {
    EXPECT_EQ(value.size(), sealed_size(plain.size(), 4));
    EXPECT_EQ(key_id_of(value), "2026");
    EXPECT_EQ(test::hex(value).find(test::hex(bytes_of(plain))), std::string::npos);
    std::string text;
    append_base64(text, value);
    EXPECT_TRUE(text.starts_with(sealed_name_base64));
}

TEST_F(sealed_value, is_never_the_same_twice) {
    std::set<bytes> values;
    for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(values.insert(sealed(plain)).second);
}

TEST_F(sealed_value, opens_in_no_other_place) {
    for (auto const& elsewhere : {
             sealed_place{"Employees2", "Sales", "empid_000017", "salary"},
             sealed_place{"Employees", "sales", "empid_000017", "salary"},
             sealed_place{"Employees", "Sales", "empid_000018", "salary"},
             sealed_place{"Employees", "Sales", "empid_000017", "Salary"},
             sealed_place{"Employees", "Salesempid_000017", "", "salary"},
             sealed_place{"Employees", "Sale", "sempid_000017", "salary"},
             sealed_place{"Employees", "", "Salesempid_000017", "salary"},
             sealed_place{"EmployeesSales", "empid_000017", "salary", ""},
         })
        EXPECT_TRUE(failed_with(open_sealed(ring, elsewhere, value), library_errc::misplaced_ciphertext));
}

TEST_F(sealed_value, takes_the_name_of_a_table_in_any_case_as_the_service_does) {
    auto const read = open_sealed(ring, {"EMPLOYEES", "Sales", "empid_000017", "salary"}, value);
    EXPECT_TRUE(read);
}

/// The refusals of changes of one byte: 6 bytes of prefix, the id's length, the id of 4, the type, nonce, check.
std::vector<library_errc> refusals_at(std::size_t at) {
    using L = library_errc;
    if (at < 6) return {L::malformed_ciphertext};
    if (at < 7) return {L::malformed_ciphertext, L::unknown_encryption_key};
    if (at < 11) return {L::malformed_ciphertext, L::unknown_encryption_key, L::misplaced_ciphertext};
    if (at < 12) return {L::misplaced_ciphertext};
    if (at < 24) return {L::altered_ciphertext};
    if (at < 40) return {L::misplaced_ciphertext};
    return {L::altered_ciphertext};
}

TEST_F(sealed_value, does_not_open_with_any_bit_flipped) {
    for (std::size_t bit = 0; bit < value.size() * 8; ++bit) {
        auto changed = value;
        changed[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        auto const read = opened(changed);
        ASSERT_FALSE(read) << "bit " << bit;
        auto const expected = refusals_at(bit / 8);
        EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), [&](auto e) { return read.error().code() == e; }))
            << "bit " << bit << ": " << read.error().what();
    }
}

TEST_F(sealed_value, does_not_open_cut_short_or_lengthened) {
    auto const least = sealed_size(0, 4);
    for (std::size_t n = 0; n < value.size(); ++n)
        EXPECT_TRUE(failed_with(opened({value.begin(), value.begin() + static_cast<std::ptrdiff_t>(n)}),
                                n < least ? library_errc::malformed_ciphertext : library_errc::altered_ciphertext))
            << n;
    auto longer = value;
    longer.push_back(std::byte{});
    EXPECT_TRUE(failed_with(opened(longer), library_errc::altered_ciphertext));
}

TEST_F(sealed_value, does_not_open_under_another_id) {
    auto renamed = value;
    renamed[10] = std::byte{'5'};  // "2025", which the ring has
    EXPECT_TRUE(failed_with(opened(renamed), library_errc::misplaced_ciphertext));
    renamed[10] = std::byte{'7'};
    EXPECT_TRUE(failed_with(opened(renamed), library_errc::unknown_encryption_key));

    auto const same = ring_of({{"2026", 2}, {"2027", 2}});
    EXPECT_TRUE(failed_with(open_sealed(*same, home, renamed), library_errc::altered_ciphertext))
        << "of the same bytes";
}

TEST_F(sealed_value, tells_a_missing_key_from_a_wrong_one) {
    EXPECT_TRUE(failed_with(open_sealed(*ring_of({{"2025", 1}}), home, value), library_errc::unknown_encryption_key));
    EXPECT_TRUE(failed_with(open_sealed(*ring_of({{"2026", 3}}), home, value), library_errc::misplaced_ciphertext));
}

TEST_F(sealed_value, opens_after_its_key_is_no_longer_the_current_one) {
    ring.use("2025");
    EXPECT_TRUE(opened(value));
    EXPECT_EQ(key_id_of(sealed(plain)), "2025");
}

TEST_F(sealed_value, of_a_later_version_says_so) {
    auto newer = value;
    newer[5] = std::byte{2};
    EXPECT_NE(std::string{opened(newer).error().what()}.find("version"), std::string::npos);
    EXPECT_EQ(key_id_of(newer), "");
}

TEST_F(sealed_value, errors_hold_neither_keys_of_rows_nor_values) {
    auto changed = value;
    changed.back() ^= std::byte{1};
    for (auto const& e : {opened(changed).error(), opened({}).error(),
                          open_sealed(ring, {"t", "p", "empid_000017", "salary"}, value).error()})
        EXPECT_EQ(std::string{e.what()}.find("empid"), std::string::npos) << e.what();
}

TEST_F(sealed_value, of_random_bytes_does_not_open) {
    test::random_source random;
    for (int i = 0; i < 2'000; ++i) {
        auto noise = random.binary(120);
        std::copy_n(value.begin(), std::min(noise.size(), static_cast<std::size_t>(random.below(13))), noise.begin());
        EXPECT_FALSE(opened(noise));
    }
}

// ---- wiped memory ---------------------------------------------------------------------------------------------------

/// The memory that a function had as its stack, after it has returned.
template <class Function> bytes stack_after(Function f) {
    bytes stack(1 << 20);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstack(&attributes, stack.data(), stack.size()), 0);
    pthread_t thread;
    auto const run = [](void* p) -> void* {
        (*static_cast<Function*>(p))();
        return nullptr;
    };
    EXPECT_EQ(pthread_create(&thread, &attributes, run, &f), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    return stack;
}

bool holds(bytes const& all, std::span<std::byte const> part) {
    return std::search(all.begin(), all.end(), part.begin(), part.end()) != all.end();
}

TEST(stack_after, still_holds_what_nobody_wiped) {
    std::array<std::byte, 16> secret;
    secret.fill(std::byte{0xA7});
    auto const stack = stack_after([copy = secret] {
        std::byte volatile last[4096];  // so deep that the end of the thread does not overwrite it
        std::copy(copy.begin(), copy.end(), last);
    });
    EXPECT_TRUE(holds(stack, secret));
}

TEST(hkdf_expand, leaves_no_derived_key_on_the_stack) {
    auto const prk = hkdf_extract({}, bytes(32, std::byte{9}));
    bytes derived(48);  // not on the stack
    auto const stack = stack_after([&] { hkdf_expand(prk, bytes_of("info"), derived); });
    EXPECT_FALSE(holds(stack, std::span{derived}.first(16)));
    EXPECT_FALSE(holds(stack, std::span{derived}.last(16)));
}

TEST(derived_keys, are_not_left_on_the_stack) {
    auto const secret = bytes(32, std::byte{9});
    auto const prk = hkdf_extract(bytes_of("tablemap property encryption v1"), secret);
    auto const prk_bytes = hmac_sha256(bytes_of("tablemap property encryption v1"), secret);
    std::array<std::byte, 48> derived;
    std::array<std::byte, 32> index_key;
    hkdf_expand(prk, bytes_of(place_of_home()), derived);
    hkdf_expand(prk,
                bytes_of(std::string{"\0\0\0\x0b"
                                     "blind index",
                                     15}),
                index_key);
    auto const stack = stack_after([&secret] {
        auto const key = encryption_key::make("2026", secret);
        EXPECT_TRUE(seal(key, home, 1, bytes_of("text")));
    });
    for (auto const part :
         {std::span<std::byte const>{derived}.first(16), std::span<std::byte const>{derived}.subspan(16, 16),
          std::span<std::byte const>{index_key}.first(16), std::span<std::byte const>{prk_bytes}.first(16)})
        EXPECT_FALSE(holds(stack, part));
}

TEST(blind_hash, finds_equal_values_of_one_property) {
    auto const ring = ring_of({{"a", 1}, {"b", 2}, {"same", 1}});
    auto hash = [&](char const* key, char const* table, char const* property, std::uint8_t type, char const* text) {
        return test::hex(*blind_hash(*ring->find(key), table, property, type, bytes_of(text)));
    };
    auto const one = hash("a", "Employees", "email", 1, "a@b.c");
    EXPECT_EQ(one.size(), 32U);
    EXPECT_EQ(hash("same", "employees", "email", 1, "a@b.c"), one);
    EXPECT_NE(hash("b", "Employees", "email", 1, "a@b.c"), one);
    EXPECT_NE(hash("a", "Employees2", "email", 1, "a@b.c"), one);
    EXPECT_NE(hash("a", "Employees", "email2", 1, "a@b.c"), one);
    EXPECT_NE(hash("a", "Employees", "email", 8, "a@b.c"), one);
    EXPECT_NE(hash("a", "Employees", "email", 1, "A@b.c"), one);
}

}  // namespace
