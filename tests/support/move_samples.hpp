// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/moves.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Types of tests of moves: officers who retire, to another partition and another table.
namespace tablemap::test {

struct officer {
    std::string office{};
    std::int32_t id{};
    std::string name{};

    friend bool operator==(officer const&, officer const&) = default;
};

struct pensioner {
    std::int32_t id{};
    std::string office{};
    std::string name{};
    std::optional<guid> arriving{};

    friend bool operator==(pensioner const&, pensioner const&) = default;
};

struct greet_officer {
    std::string text{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::officer> {
    static constexpr auto partition_key = key(part<&test::officer::office>);
    static constexpr auto row_key = key("officer_", part<&test::officer::id>.width(6));
};
template <> struct tablemap::mapping<tablemap::test::pensioner> {
    static constexpr auto partition_key = key("pensioners");
    static constexpr auto row_key = key("p_", part<&test::pensioner::id>.width(6));
    static constexpr auto move_mark = &test::pensioner::arriving;
};

namespace tablemap::test {

using retire = move_to<pensioner>;
using officer_outbox = outbox<officer, retire, greet_officer>;

inline pensioner pensioner_of(officer const& c) { return {.id = c.id, .office = c.office, .name = c.name}; }

}  // namespace tablemap::test
