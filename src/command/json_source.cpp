// SPDX-License-Identifier: Apache-2.0
#include "command/key_columns.hpp"
#include "command/open_store.hpp"
#include "command/row_source.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/packed_rows.hpp"

#include <istream>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

/// More than the JSON of any entity, whose characters may be escaped.
constexpr std::size_t longest_line = 16 * 1024 * 1024;

std::string fault_of(error const& e) {
    std::string text = e.member().empty() ? "" : e.member() + ": ";
    text += e.details().reason.empty() ? e.code().message() : e.details().reason;
    return text;
}

class json_source final : public row_source {
public:
    json_source(std::istream& in, key_names keys) : in_(in), keys_(std::move(keys)) {}

    std::optional<source_row> next() override {
        do {
            if (!next_line()) return std::nullopt;
        } while (line_.find_first_not_of(" \t\r") == line_.npos);
        source_row row;
        row.place = {number_, 1};
        if (row.fault = find_fault(); !row.fault.empty()) return row;
        auto entity = detail::read_dynamic(line_);
        if (!entity) {
            row.fault = fault_of(entity.error());
            return row;
        }
        row.value = std::move(*entity);
        row.value.erase(operation_id_property);
        row.fault = take_other_keys(row.value);
        return row;
    }

    std::size_t bytes() const noexcept override { return bytes_; }

private:
    bool next_line() {
        line_.clear();
        ++number_;
        int c = in_.get();
        bool const is_line = c != end_of_file;
        for (; c != end_of_file && c != '\n'; c = in_.get()) {
            if (line_.size() == longest_line) throw file_fault{{number_, 1}, "the line is longer than 16 MiB"};
            line_ += static_cast<char>(c);
        }
        bytes_ += line_.size() + (c == '\n' ? 1 : 0);
        if (c == end_of_file) require_end(in_, {number_, line_.size() + 1});
        if (number_ == 1 && line_.starts_with(byte_order_mark)) line_.erase(0, byte_order_mark.size());
        return is_line;
    }

    /// Faults that the reader of rows does not see: it reads packed rows, too, and takes a missing key for an empty
    /// one.
    std::string find_fault() {
        if (detail::are_packed(line_)) return "the line is no JSON";
        auto const keys = detail::read_keys(line_);
        if (!keys) return {};  // the reader of rows knows what is wrong
        if (keys_.partition.empty() && !keys->partition_key) return "PartitionKey is missing, or is no text";
        if (keys_.row.empty() && !keys->row_key) return "RowKey is missing, or is no text";
        return {};
    }

    /// Those of the row itself are read already.
    std::string take_other_keys(dynamic_entity& e) const {
        if (keys_.partition.empty() && keys_.row.empty()) return {};
        if (keys_.partition.empty()) e.set("PartitionKey", e.partition_key);
        if (keys_.row.empty()) e.set("RowKey", e.row_key);
        return take_keys(e, keys_);
    }

    std::istream& in_;
    key_names keys_;
    std::string line_{};
    std::size_t number_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

std::optional<row_format> format_of_name(std::string const& name) {
    if (name.ends_with(".csv")) return row_format::csv;
    if (name.ends_with(".jsonl") || name.ends_with(".ndjson") || name.ends_with(".json")) return row_format::jsonl;
    return std::nullopt;
}

row_format format_of(std::string const& name, std::optional<row_format> given) {
    if (given) return *given;
    if (auto const found = format_of_name(name)) return *found;
    throw usage_error{"the name " + name + " does not tell the format of its rows; give --format csv or jsonl"};
}

std::unique_ptr<row_source> read_json_lines(std::istream& in, key_names keys) {
    return std::make_unique<json_source>(in, std::move(keys));
}

}  // namespace tablemap::inline v0_1::command
