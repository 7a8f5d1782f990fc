// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "patterns/list_rows.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <array>

/// Input: a byte, which chooses the place of the list, then its row, its blob or an intent. A list that is accepted
/// names rows of its table alone, and its text is the one that was read.
namespace tablemap::fuzz {
namespace {

using namespace tablemap::detail;

constexpr std::array<std::string_view, 2> names{"name", "city"};
constexpr std::array<std::string_view, 2> tables{"", "ByCity"};

std::shared_ptr<list_state const> make_table() {
    auto entities = std::make_shared<table_state const>(table_state{nullptr, "Listed", false, nullptr});
    return make_list_state({std::move(entities), {names, nullptr, nullptr}}, tables, "empid_", {});
}

void check_lines(list_state const& table, list_address const& at, stored_list const& list) {
    for (auto const& line : list.lines) {
        auto const key = key_of_line(table, at.index, at.partition_key, line);
        require(key.row_key.starts_with("empid_"), "a list names entities alone");
        require(line_of(table, at.index, key) == line, "a line is the one of its entity");
    }
}

}  // namespace

TABLEMAP_FUZZ_TARGET(list_row) {
    static auto const table = make_table();
    if (input.empty()) return;
    bool const local = (input.front() & 1) != 0;
    auto const at = address_of(*table, local ? 0 : 1, "Sales", local ? "~list_name=Hall" : "city=Oslo");
    input.remove_prefix(1);

    std::string row{input};
    auto const read = read_list_row(*table, at, row, etag{"W/\"1\""});
    require(read.damage || !read.blob.empty() || static_cast<std::int64_t>(text_of(read.lines).size()) == read.bytes,
            "a row that is accepted is written as it was");
    check_lines(*table, at, read);

    stored_list list{.bytes = static_cast<std::int64_t>(input.size()), .check = check_of(input)};
    take_blob(list, *table, at, input);
    require(list.damage || blob_head(at) + text_of(list.lines) == input,
            "a blob that is accepted is written as it was");
    check_lines(*table, at, list);

    row = input;
    if (auto const e = read_dynamic(row))
        if (auto const intent = read_list_intent(*e)) require(!intent->values.empty(), "an intent is about some value");
}

}  // namespace tablemap::fuzz
