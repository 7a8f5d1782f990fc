// SPDX-License-Identifier: Apache-2.0
#include "command/unfinished_export.hpp"

#include "tablemap/detail/wire/reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

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

}  // namespace

std::optional<entity_key> cut_behind_last_row(std::string const& file) {
    auto const size = static_cast<std::size_t>(std::filesystem::file_size(file));
    auto text = end_of(file, size);
    auto const last = text.rfind('\n');
    auto const whole = last == text.npos ? 0 : last + 1;
    if (whole == 0 && text.size() == longest_end) throw std::runtime_error{file + " is no file of JSON lines"};
    std::filesystem::resize_file(file, size - text.size() + whole);
    if (whole == 0) return std::nullopt;
    auto const before = last == 0 ? text.npos : text.rfind('\n', last - 1);
    auto line = text.substr(before == text.npos ? 0 : before + 1, last - (before == text.npos ? 0 : before + 1));
    auto row = detail::read_dynamic(line);
    if (!row) throw std::runtime_error{"the last line of " + file + " is no row; remove the file to begin anew"};
    return entity_key{row->partition_key, row->row_key};
}

}  // namespace tablemap::inline v0_1::command
