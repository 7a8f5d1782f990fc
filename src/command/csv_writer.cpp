// SPDX-License-Identifier: Apache-2.0
#include "command/csv.hpp"
#include "command/row_source.hpp"
#include "command/row_writer.hpp"
#include "command/temporary_file.hpp"
#include "command/value_text.hpp"
#include "tablemap/edm/names.hpp"

#include <map>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

/// The columns in the order in which they came up. A property that has several types has several columns.
class column_list {
public:
    void add(dynamic_entity const& row) {
        for (auto const& p : detail::properties_of(row)) {
            if (!detail::is_identifier(p.name))
                throw std::runtime_error{"the store returned a property whose name no column of CSV can have"};
            auto const key = std::pair{p.name, type_of(p.value)};
            if (places_.try_emplace(key, columns_.size()).second) columns_.push_back(key);
        }
        // The reader refuses more, and each row has a comma for each.
        if (columns_.size() + key_columns > most_fields)
            throw std::runtime_error{"the rows have more columns in all than CSV may have here, " +
                                     std::to_string(most_fields) + "; write JSON lines"};
    }

    std::string head() const {
        std::string line = "PartitionKey,RowKey";
        for (auto const& [name, type] : columns_) line.append(",").append(name).append(":").append(edm_name(type));
        return line += '\n';
    }

    std::string line(dynamic_entity const& row) const {
        std::vector<property_value const*> values(columns_.size());
        for (auto const& p : detail::properties_of(row)) values[places_.at({p.name, type_of(p.value)})] = &p.value;
        std::string line;
        append_csv_field(line, row.partition_key);
        line += ',';
        append_csv_field(line, row.row_key);
        for (auto const* const v : values) {
            line += ',';
            if (v) append_csv_field(line, text_of(*v));
        }
        return line += '\n';
    }

private:
    using column = std::pair<std::string, edm_type>;
    static constexpr std::size_t key_columns = 2;

    std::vector<column> columns_{};
    std::map<column, std::size_t> places_{};
};

class csv_writer final : public row_writer {
public:
    explicit csv_writer(std::ostream& out) : out_(out) {}

    void write(dynamic_entity const& row) override {
        columns_.add(row);
        waiting_->write(row);
        ++rows_;
    }

    void finish() override {
        waiting_->finish();
        auto& rows = file_.rewind();
        auto const source = read_json_lines(rows, {});
        out_ << columns_.head();
        std::size_t count = 0;
        for (; auto const row = source->next(); ++count) {
            if (!row->fault.empty()) refuse(row->fault);
            out_ << columns_.line(row->value);
        }
        if (count != rows_)
            refuse(std::to_string(rows_) + " rows were written to it, " + std::to_string(count) + " were read");
        out_.flush();
    }

private:
    [[noreturn]] static void refuse(std::string const& why) {
        throw std::runtime_error{"the temporary file of the rows is damaged: " + why};
    }

    std::ostream& out_;
    temporary_file file_{};
    std::unique_ptr<row_writer> waiting_ = write_json_lines(file_.stream());
    column_list columns_{};
    std::size_t rows_ = 0;
};

}  // namespace

std::unique_ptr<row_writer> write_csv(std::ostream& out) { return std::make_unique<csv_writer>(out); }

}  // namespace tablemap::inline v0_1::command
