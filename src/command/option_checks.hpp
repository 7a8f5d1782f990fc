// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Checks of what the options of a command line are given.
namespace tablemap::inline v0_1::command {

/// A variable of the shell that is not set makes an empty text, which must not mean that the option is left out.
CLI::Validator not_empty();

/// A name that a property can have; PartitionKey, RowKey and Timestamp are taken, too.
CLI::Validator property_name();

/// A name that a queue of relays can have.
CLI::Validator queue_name();

/// A name that a container of blobs can have.
CLI::Validator container_name();

/// More than any table has rows.
inline constexpr std::uint64_t largest_count = std::numeric_limits<std::int64_t>::max();

/// A whole number of this range, in decimal digits. Use it with `transform`: leading zeros are taken away, which CLI11
/// would read as octal.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = largest_count);

/// A number that is not negative, nor infinite.
CLI::Validator rate();

using numbered_words = std::vector<std::pair<std::string, int>>;

CLI::Validator one_of_words(numbered_words words);

/// One of these words. Use it with `transform`: CLI11 makes an enumerator of its number.
template <class Enum> CLI::Validator one_of(std::initializer_list<std::pair<char const*, Enum>> words) {
    numbered_words numbered;
    for (auto const& [word, value] : words) numbered.emplace_back(word, static_cast<int>(value));
    return one_of_words(std::move(numbered));
}

}  // namespace tablemap::inline v0_1::command
