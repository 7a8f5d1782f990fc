// SPDX-License-Identifier: Apache-2.0
#include "command/unfinished_export.hpp"

#include "base/durable_file.hpp"
#include "tablemap/base/redaction.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"

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

void add_line(std::string& to, std::string_view what, std::string_view text) {
    to.append(what).append(" ");
    detail::append_json_string(to, text);  // has no line feed, whatever the text has
    to += '\n';
}

}  // namespace

export_note::export_note(std::string const& part, store_options const& from, row_choice const& rows)
    : path_(part + ".of"), text_("tablemap export 1\n") {
    add_line(text_, "store", redacted(connection_string_of(from)));
    add_line(text_, "table", rows.table);
    if (rows.partition) add_line(text_, "partition", *rows.partition);
    if (rows.top) add_line(text_, "top", std::to_string(*rows.top));
    add_line(text_, "filter", rows.filter);
    for (auto const& name : rows.select) add_line(text_, "select", name);
}

void export_note::write() const { detail::write_durably(path_, text_); }

void export_note::require() const {
    std::ifstream in{path_, std::ios::binary};
    std::string found(text_.size() + 1, '\0');
    in.read(found.data(), static_cast<std::streamsize>(found.size()));
    found.resize(static_cast<std::size_t>(in.gcount()));
    if (found != text_)
        throw usage_error{"the export to resume had another store, table, partition, filter or selection, as " + path_ +
                          " says, or that file is missing; give the same options, or begin anew without --resume"};
}

void export_note::remove() const { std::filesystem::remove(path_); }

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
