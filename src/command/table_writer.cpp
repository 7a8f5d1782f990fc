// SPDX-License-Identifier: Apache-2.0
#include "command/console.hpp"
#include "command/row_writer.hpp"
#include "command/value_text.hpp"

#include <algorithm>
#include <ostream>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t block_rows = 200;
constexpr std::size_t widest_cell = 60;  ///< in characters

/// Text of one line, cut where it is too wide.
std::string cell_of(std::string const& text) {
    std::string cell = printable(text);
    for (auto& c : cell)
        if (c == '\n' || c == '\t') c = ' ';
    std::size_t characters = 0;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        bool const begins = (static_cast<unsigned char>(cell[i]) & 0xC0) != 0x80;
        if (begins && ++characters == widest_cell) return cell.substr(0, i) + "…";
    }
    return cell;
}

std::size_t width_of(std::string const& cell) {
    return static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class table_writer final : public row_writer {
public:
    explicit table_writer(std::ostream& out) : out_(out) {}

    void write(dynamic_entity const& row) override {
        rows_.push_back(row);
        if (rows_.size() == block_rows) write_block();
    }
    void finish() override {
        write_block();
        out_.flush();
    }

private:
    using line = std::vector<std::string>;

    void find_columns() {
        columns_ = {"PartitionKey", "RowKey"};
        for (auto const& row : rows_)
            for (auto const& p : detail::properties_of(row))
                if (std::find(columns_.begin() + 2, columns_.end(), p.name) == columns_.end())
                    columns_.push_back(p.name);
    }

    line cells_of(dynamic_entity const& row) const {
        line cells{cell_of(row.partition_key), cell_of(row.row_key)};
        for (std::size_t i = 2; i < columns_.size(); ++i) {
            auto const* const v = row.find(columns_[i]);
            cells.push_back(v ? cell_of(text_of(*v)) : "");
        }
        return cells;
    }

    void write_block() {
        if (rows_.empty()) return;
        find_columns();
        std::vector<line> lines(1);
        for (auto const& name : columns_) lines[0].push_back(cell_of(name));
        for (auto const& row : rows_) lines.push_back(cells_of(row));
        std::vector<std::size_t> widths(columns_.size());
        for (auto const& l : lines)
            for (std::size_t i = 0; i < l.size(); ++i) widths[i] = std::max(widths[i], width_of(l[i]));
        for (auto const& l : lines) write_line(l, widths);
        require_written(out_);
        rows_.clear();
    }

    void write_line(line const& cells, std::vector<std::size_t> const& widths) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i)
            text.append(cells[i]).append(widths[i] - width_of(cells[i]) + 2, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        out_ << text << '\n';
    }

    std::ostream& out_;
    std::vector<dynamic_entity> rows_{};
    line columns_{};
};

}  // namespace

std::unique_ptr<row_writer> write_table(std::ostream& out) { return std::make_unique<table_writer>(out); }

}  // namespace tablemap::inline v0_1::command
