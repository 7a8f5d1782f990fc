// SPDX-License-Identifier: Apache-2.0
#include "support/encrypted_samples.hpp"
#include "support/mapping_samples.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

constexpr int tries = 200;

vault random_vault(random_source& random) {
    vault v{.name = "v" + random.key_text(20),
            .text = random.text(40),
            .flag = random.coin(),
            .small = static_cast<std::int32_t>(random.word()),
            .large = random.integer(),
            .real = random.real(),
            .when = random.time(),
            .id = random.guid(),
            .data = random.binary(70),
            .narrow = static_cast<std::uint16_t>(random.word()),
            .rank = random.coin() ? grade::junior : grade::senior,
            .day = std::chrono::ceil<std::chrono::days>(random.time().time()) - std::chrono::days{1},
            .home = {.street = random.text(20), .city = random.text(20)}};
    v.day = std::max(*v.day, std::chrono::ceil<std::chrono::days>(ticks::min().time()));
    if (random.coin()) v.maybe = random.integer();
    v.codes = {static_cast<std::int32_t>(random.word()), static_cast<std::int32_t>(random.word())};
    for (auto n = random.below(4); n > 0; --n) v.pins[random.below(12)] = static_cast<std::int32_t>(random.word());
    for (auto n = random.below(4); n > 0; --n) v.notes[random_name(random)] = random.text(20);
    return v;
}

class encrypted_round_trip : public ::testing::Test {
protected:
    /// As it is sent.
    std::string encoded(vault const& v) {
        detail::encoded_entity e;
        auto const r = detail::encode(v, e, detail::empty_members::left_out, &cipher);
        EXPECT_TRUE(r) << r.error().what();
        return e.body;
    }

    result<vault> decoded(std::string body) {
        entity<vault> e;
        if (auto r = detail::decode_into(body, e, &cipher); !r) return failure{std::move(r).error()};
        return std::move(e.value);
    }

    random_source random;
    detail::property_cipher const cipher{"Vaults", ring_of(), {}, {}};
};

TEST_F(encrypted_round_trip, what_is_written_is_read) {
    for (int i = 0; i < tries; ++i) {
        auto const v = random_vault(random);
        auto const back = decoded(encoded(v));
        ASSERT_TRUE(back) << back.error().what();
        ASSERT_EQ(*back, v);
    }
}

TEST_F(encrypted_round_trip, no_changed_bit_is_read) {
    for (int i = 0; i < tries; ++i) {
        auto body = encoded(random_vault(random));
        auto row = *detail::read_dynamic(body);
        auto const all = row.properties();
        std::vector<property> const before(all.begin(), all.end());
        auto const& p = before[random.below(before.size())];
        auto const* const sealed = std::get_if<bytes>(&p.value);
        if (!sealed) continue;
        auto changed = *sealed;
        changed[random.below(changed.size())] ^= static_cast<std::byte>(1 << random.below(8));
        row.set(p.name, changed);
        auto const back = decoded(detail::body_of(row));
        ASSERT_FALSE(back) << p.name;
        EXPECT_EQ(back.error().member(), p.name);
    }
}

}  // namespace
}  // namespace tablemap::test
