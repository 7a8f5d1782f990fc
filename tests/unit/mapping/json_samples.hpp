// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace samples {

enum class level { junior, senior };
enum class state : std::int16_t { off = -1, on = 7 };
enum class code : std::uint8_t {};

struct line {
    std::string name{};
    tablemap::decimal price{};
    std::optional<std::int32_t> count{};

    friend bool operator==(line const&, line const&) = default;
};

struct everything {
    bool flag{};
    std::int8_t tiny{};
    std::uint16_t small{};
    std::int64_t wide{};
    std::uint64_t widest{};
    double real{};
    std::string text{};
    tablemap::ticks when{tablemap::ticks::min()};
    tablemap::guid id{};
    tablemap::bytes data{};
    std::optional<line> first{};
    std::vector<line> lines{};
    std::vector<bool> flags{};
    std::vector<std::optional<double>> gaps{};
    std::array<std::int16_t, 3> triple{};
    std::map<std::string, std::vector<std::string>> tags{};
    std::unordered_map<std::string, std::int32_t> counts{};
    level rank{};
    state now{state::off};
    code any{};
    std::chrono::milliseconds pause{};
    tablemap::json_document document{};
    std::pair<std::string, std::int32_t> named{};
    std::tuple<bool, double, std::optional<std::string>> mixed{};
    std::set<std::string> words{};
    std::unordered_set<std::int64_t> numbers{};
    std::variant<std::monostate, std::int64_t, std::string, line, std::vector<line>> choice{};

    friend bool operator==(everything const&, everything const&) = default;
};

struct node {
    std::int32_t value{};
    std::vector<node> children{};

    friend bool operator==(node const&, node const&) = default;
};

/// A tree whose leaves are numbers.
struct branch {
    std::variant<std::int32_t, std::vector<branch>> parts{};

    friend bool operator==(branch const&, branch const&) = default;
};

struct defaults {
    std::int32_t number = 5;
    std::optional<std::int32_t> maybe = 6;
    std::string text = "text";
};

struct empty {};

}  // namespace samples

template <>
inline constexpr auto tablemap::enumeration<samples::level> =
    tablemap::by_name<samples::level::junior, samples::level::senior>;
template <>
inline constexpr auto tablemap::enumeration<samples::state> =
    tablemap::by_number<samples::state::off, samples::state::on>;
template <> inline constexpr auto tablemap::enumeration<samples::code> = tablemap::by_number<>;
