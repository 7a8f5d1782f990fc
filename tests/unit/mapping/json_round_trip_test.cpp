// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/json.hpp"

#include "support/random.hpp"
#include "unit/mapping/json_samples.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::random_source;

template <class Make> auto some(random_source& random, Make make) {
    std::vector<decltype(make())> v;
    for (auto n = random.below(4); n > 0; --n) v.push_back(make());
    return v;
}

decimal any_decimal(random_source& random) {
    return *decimal::parse(std::to_string(random.integer()) + "." + std::to_string(random.below(1000)));
}

samples::line any_line(random_source& random) {
    samples::line v{random.text(6), any_decimal(random), std::nullopt};
    if (random.coin()) v.count = static_cast<std::int32_t>(random.word());
    return v;
}

json_document any_document(random_source& random) {
    std::string text;
    EXPECT_TRUE(append_json(text, some(random, [&] { return any_line(random); })));
    return *json_document::parse(text);
}

decltype(samples::everything::choice) any_choice(random_source& random) {
    switch (random.below(5)) {
    case 0: return std::monostate{};
    case 1: return random.integer();
    case 2: return random.text(5);
    case 3: return any_line(random);
    default: return some(random, [&] { return any_line(random); });
    }
}

samples::everything anything(random_source& random) {
    samples::everything v;
    v.flag = random.coin();
    v.tiny = static_cast<std::int8_t>(random.word());
    v.small = static_cast<std::uint16_t>(random.word());
    v.wide = random.integer();
    v.widest = random.word();
    v.real = random.real();
    v.text = random.text(10);
    v.when = random.time();
    v.id = random.guid();
    v.data = random.binary(10);
    if (random.coin()) v.first = any_line(random);
    v.lines = some(random, [&] { return any_line(random); });
    v.flags = some(random, [&] { return random.coin(); });
    v.gaps = some(random, [&] { return random.coin() ? std::optional<double>{random.real()} : std::nullopt; });
    for (auto& x : v.triple) x = static_cast<std::int16_t>(random.word());
    for (auto n = random.below(4); n > 0; --n) v.tags[random.text(5)] = some(random, [&] { return random.text(4); });
    for (auto n = random.below(4); n > 0; --n) v.counts[random.text(5)] = static_cast<std::int32_t>(random.word());
    v.rank = random.coin() ? samples::level::junior : samples::level::senior;
    v.now = random.coin() ? samples::state::off : samples::state::on;
    v.any = static_cast<samples::code>(random.below(256));
    v.pause = std::chrono::milliseconds{random.integer() / 10'000};
    v.document = any_document(random);
    v.named = {random.text(5), static_cast<std::int32_t>(random.word())};
    v.mixed = {random.coin(), random.real(), random.coin() ? std::optional{random.text(5)} : std::nullopt};
    for (auto n = random.below(4); n > 0; --n) v.words.insert(random.text(5));
    for (auto n = random.below(4); n > 0; --n) v.numbers.insert(random.integer());
    v.choice = any_choice(random);
    return v;
}

TEST(json_round_trip, any_value_reads_back) {
    random_source random;
    for (int i = 0; i < 1000; ++i) {
        auto const v = anything(random);
        std::string text;
        ASSERT_TRUE(append_json(text, v));
        samples::everything back = anything(random);
        auto const r = read_json(text, back);
        ASSERT_TRUE(r) << text << ": " << r.error().what();
        ASSERT_EQ(back, v) << text;
    }
}

TEST(json_round_trip, damaged_text_is_read_or_refused_but_harms_nothing) {
    random_source random;
    for (int i = 0; i < 2000; ++i) {
        std::string text;
        ASSERT_TRUE(append_json(text, anything(random)));
        for (auto n = random.below(3); n > 0; --n) text[random.below(text.size())] = static_cast<char>(random.word());
        if (random.coin()) text.resize(random.below(text.size()));
        samples::everything back;
        if (auto const r = read_json(text, back); !r) {
            EXPECT_EQ(r.error().code(), library_errc::type_mismatch);
            EXPECT_FALSE(r.error().details().reason.empty());
        }
    }
}

}  // namespace
