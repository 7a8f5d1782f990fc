// SPDX-License-Identifier: Apache-2.0
#include "command/unfinished_export.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace tablemap::inline v0_1::command {
namespace {

/// Two of the longest lines of rows.
constexpr std::size_t longest_end = 32 * 1024 * 1024;

std::string end_of(std::string const& file, std::size_t size) {
    std::ifstream in{file, std::ios::binary};
    auto const length = std::min(size, longest_end);
    in.seekg(static_cast<std::streamoff>(size - length));
    std::string text(length, '\0');
    in.read(text.data(), static_cast<std::streamsize>(length));
    if (!in) throw std::runtime_error{"cannot read " + file};
    return text;
}

constexpr std::string_view start_of_row = "{\"PartitionKey\":\"";

/// True for a line of an export, and for one that was cut.
bool may_be_row(std::string_view line) {
    auto const length = std::min(line.size(), start_of_row.size());
    return line.substr(0, length) == start_of_row.substr(0, length);
}

[[noreturn]] void refuse_part(std::string const& file) {
    throw std::runtime_error{file + " is no part of an export; move it away, or remove it to begin anew"};
}

/// The keys of the last of these lines, each of which ends with a line feed.
entity_key key_of_last(std::string_view lines, std::string const& file) {
    lines.remove_suffix(1);
    auto const before = lines.rfind('\n');
    std::string line{lines.substr(before == lines.npos ? 0 : before + 1)};
    if (!may_be_row(line)) refuse_part(file);
    auto row = detail::read_dynamic(line);
    if (!row) refuse_part(file);
    return {row->partition_key, row->row_key};
}

}  // namespace

std::optional<entity_key> cut_behind_last_row(std::string const& file) {
    auto const size = static_cast<std::size_t>(std::filesystem::file_size(file));
    auto const text = end_of(file, size);
    auto const whole = text.rfind('\n') + 1;  // 0 if there is no whole line
    if (whole == 0 && text.size() == longest_end) refuse_part(file);
    if (!may_be_row(std::string_view{text}.substr(whole))) refuse_part(file);
    std::optional<entity_key> key;
    if (whole > 0) key = key_of_last(std::string_view{text}.substr(0, whole), file);
    // Not earlier: a file that is no export keeps its end.
    std::filesystem::resize_file(file, size - text.size() + whole);
    return key;
}

}  // namespace tablemap::inline v0_1::command
