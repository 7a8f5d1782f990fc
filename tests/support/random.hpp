// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <random>
#include <string>

namespace tablemap::test {

/// Appends one code point as UTF-8; surrogates too, which are no valid UTF-8.
inline void append_utf8(std::string& out, char32_t c) {
    auto put = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (c < 0x80) return put(c);
    if (c < 0x800) return put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
    if (c < 0x10000) return put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
}

inline std::string utf8(std::u32string_view text) {
    std::string out;
    for (char32_t const c : text) append_utf8(out, c);
    return out;
}

/// Random values for a test. Prints its seed; TABLEMAP_TEST_SEED brings a run back.
class random_source {
public:
    random_source() : seed_(chosen_seed()), engine_(seed_) {
        std::cout << "TABLEMAP_TEST_SEED=" << seed_ << '\n';
        ::testing::Test::RecordProperty("seed", std::to_string(seed_));
    }

    std::uint64_t word() { return engine_(); }
    std::uint64_t below(std::uint64_t end) { return engine_() % end; }
    bool coin() { return below(2) == 0; }

    /// As many values with few bits as with many, of either sign.
    std::int64_t integer() {
        auto const v = static_cast<std::int64_t>(engine_() >> below(64));
        return coin() ? v : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v));
    }

    /// Any finite double, by its bits.
    double real() {
        for (;;)
            if (auto const v = std::bit_cast<double>(engine_()); std::isfinite(v)) return v;
    }

    tablemap::guid guid() { return tablemap::guid::from_random(engine_(), engine_()); }

    ticks time() {
        auto const span = static_cast<std::uint64_t>((ticks::max() - ticks::min()).count());
        return ticks::min() + tick_duration{static_cast<std::int64_t>(below(span + 1))};
    }

    bytes binary(std::size_t end) {
        bytes b(below(end));
        for (auto& x : b) x = static_cast<std::byte>(engine_());
        return b;
    }

    /// A code point of any length in UTF-8, those that sort differently in UTF-16 among them.
    char32_t code_point() {
        static constexpr char32_t firsts[] = {0x20, 0x20, 0x00, 0x80, 0x800, 0xE000, 0xFF00, 0x10000};
        static constexpr char32_t ends[] = {0x7F, 0x7F, 0x80, 0x800, 0xD800, 0x10000, 0x10000, 0x110000};
        auto const kind = below(std::size(firsts));
        return firsts[kind] + static_cast<char32_t>(below(ends[kind] - firsts[kind]));
    }

    /// Valid UTF-8 of fewer than `end` code points.
    std::string text(std::size_t end) {
        std::string s;
        for (auto n = below(end); n > 0; --n) append_utf8(s, code_point());
        return s;
    }

    /// Text that a key may hold.
    std::string key_text(std::size_t end) {
        std::string s;
        for (auto n = below(end); n > 0;) {
            auto const c = code_point();
            bool const control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
            if (control || c == '/' || c == '\\' || c == '#' || c == '?') continue;
            append_utf8(s, c);
            --n;
        }
        return s;
    }

private:
    static std::uint64_t chosen_seed() {
        if (auto const* given = std::getenv("TABLEMAP_TEST_SEED")) return std::strtoull(given, nullptr, 10);
        return std::random_device{}();
    }

    std::uint64_t seed_;
    std::mt19937_64 engine_;
};

}  // namespace tablemap::test
