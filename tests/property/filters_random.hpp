// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/random.hpp"
#include "tablemap/filter/expression.hpp"

#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

/// Random filters and values.
namespace tablemap::test {

/// An expression of at most this many levels over comparisons that `leaf` makes.
inline filter::expression random_expression(random_source& random, unsigned levels,
                                            std::function<filter::comparison()> const& leaf) {
    auto const part = [&] { return random_expression(random, levels - 1, leaf); };
    switch (levels == 0 ? 0 : random.below(5)) {
    case 1: return part() && part();
    case 2: return part() || part();
    case 3: return !part();
    default: return leaf();
    }
}

inline filter::comparison_operator random_operator(random_source& random) {
    return static_cast<filter::comparison_operator>(random.below(6));
}

/// Any value that a filter's text can hold.
inline property_value random_value(random_source& random) {
    switch (static_cast<edm_type>(random.below(8))) {
    case edm_type::string: return random.text(20);
    case edm_type::boolean: return random.coin();
    case edm_type::int32: return static_cast<std::int32_t>(random.integer());
    case edm_type::int64: return random.integer();
    case edm_type::real: return random.coin() ? random.real() : static_cast<double>(random.integer());
    case edm_type::datetime: return random.time();
    case edm_type::guid: return random.guid();
    case edm_type::binary: return random.binary(20);
    }
    return {};
}

/// One of few values of a type, so that comparisons meet equal ones. Times are of whole milliseconds if asked for.
inline property_value common_value(random_source& random, edm_type type, bool whole_milliseconds = false) {
    auto const one_of = [&](auto const& values) { return values[random.below(std::size(values))]; };
    using int64 = std::numeric_limits<std::int64_t>;
    using int32 = std::numeric_limits<std::int32_t>;
    using real = std::numeric_limits<double>;
    static char const* const texts[] = {
        "", "a", "A", "b", "it's", "10", "9", "\"%", "\\'' or", "\xEF\xBF\xBF", "\xF0\x9F\x98\x80", "\xC3\xA9"};
    static constexpr std::int32_t int32s[] = {int32::min(), -5, 0, 5, 6, int32::max()};
    static constexpr std::int64_t int64s[] = {int64::min(), -5, 0, 5, (1LL << 53), (1LL << 53) + 1, int64::max()};
    static constexpr double reals[] = {real::lowest(), -1.5,       -0.0, 0.0, real::denorm_min(), 1e-7, 0.1, 5.0, 5.5,
                                       1e20,           real::max()};
    switch (type) {
    case edm_type::string: return std::string{one_of(texts)};
    case edm_type::boolean: return random.coin();
    case edm_type::int32: return one_of(int32s);
    case edm_type::int64: return one_of(int64s);
    case edm_type::real: return one_of(reals);
    case edm_type::datetime: {
        tick_duration const step{whole_milliseconds ? 10'000 : 1};
        static constexpr std::int64_t bases[] = {504'911'232'000'000'000, 638'396'640'000'000'000};
        return ticks{one_of(bases)} + step * static_cast<std::int64_t>(random.below(3));
    }
    case edm_type::guid:
        return random.below(4) == 0 ? guid{} : guid::from_random(random.below(2) << 63, random.below(3));
    case edm_type::binary: return bytes(random.below(3), static_cast<std::byte>(random.below(2) * 0xFF));
    }
    return {};
}

}  // namespace tablemap::test
