// SPDX-License-Identifier: Apache-2.0
#include "command/csv.hpp"
#include "command/key_columns.hpp"
#include "command/row_source.hpp"
#include "command/value_text.hpp"
#include "tablemap/edm/names.hpp"

#include <istream>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

struct column {
    std::string name{};
    std::optional<edm_type> type{};
};

column column_of(csv_field const& f) {
    auto const colon = f.text.find(':');
    column c{f.text.substr(0, colon), {}};
    if (c.name.empty()) throw file_fault{f.place, "the column has no name"};
    if (colon == f.text.npos) return c;
    auto const type = f.text.substr(colon + 1);
    c.type = edm_type_from_name(type);
    if (!c.type)
        throw file_fault{f.place,
                         "the column " + c.name + " has the type " + type +
                             ", which there is not; Edm.String, Edm.Boolean, Edm.Int32, Edm.Int64, Edm.Double, "
                             "Edm.DateTime, Edm.Guid and Edm.Binary are the types"};
    return c;
}

std::vector<column> columns_of(csv_reader& in) {
    std::vector<csv_field> record;
    if (!in.next(record)) throw file_fault{{}, "the file is empty; the first line names the columns"};
    std::vector<column> columns;
    columns.reserve(record.size());
    for (auto const& f : record) columns.push_back(column_of(f));
    return columns;
}

/// Adds the value of a field. A property may have a column for each type, of which one has a value.
std::string add_field(dynamic_entity& to, column const& c, csv_field const& f) {
    if ((f.text.empty() && !f.quoted) || c.name == operation_id_property) return {};
    auto value = value_from_text(f.text, *c.type);
    if (!value) return c.name + " is no " + std::string{edm_name(*c.type)};
    if (to.find(c.name)) return c.name + " has two values in this row";
    to.set_value(c.name, std::move(*value));
    return {};
}

class csv_source final : public row_source {
public:
    csv_source(std::istream& in, key_names keys, std::function<std::unique_ptr<std::istream>()> const& again)
        : reader_(in), keys_(std::move(keys)), columns_(columns_of(reader_)) {
        for (auto& c : columns_)
            if (is_key(keys_, c.name)) c.type = edm_type::string;
        require_key_columns();
        guess_types(again);
    }

    std::optional<source_row> next() override {
        if (!reader_.next(record_)) return std::nullopt;
        source_row row;
        row.place = record_.front().place;
        if (record_.size() != columns_.size()) {
            row.fault = "the row has " + std::to_string(record_.size()) + " fields, the first line names " +
                        std::to_string(columns_.size());
            return row;
        }
        fill(row);
        if (row.fault.empty()) row.fault = take_keys(row.value, keys_);
        return row;
    }

    std::size_t bytes() const noexcept override { return reader_.bytes(); }

private:
    void fill(source_row& row) const {
        for (std::size_t i = 0; i < columns_.size() && row.fault.empty(); ++i) {
            row.fault = add_field(row.value, columns_[i], record_[i]);
            if (!row.fault.empty()) row.place = record_[i].place;
        }
    }

    void require_key_columns() const {
        for (auto const& name : names_of(keys_)) {
            bool found = false;
            for (auto const& c : columns_) found |= c.name == name;
            if (!found)
                throw file_fault{{},
                                 "there is no column " + name +
                                     "; --partition-key and --row-key name the columns of "
                                     "the keys"};
        }
    }

    void guess_types(std::function<std::unique_ptr<std::istream>()> const& again) {
        bool typed = true;
        for (auto const& c : columns_) typed &= c.type.has_value();
        if (typed) return;
        if (!again)
            throw file_fault{{},
                             "columns without a type need a file that can be read twice; write types into the first "
                             "line, such as Age:Edm.Int32"};
        auto const file = again();
        csv_reader in{*file};
        auto const guesses = guess_all(in);
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (!columns_[i].type) columns_[i].type = guesses[i].type();
    }

    std::vector<type_guess> guess_all(csv_reader& in) const {
        std::vector<type_guess> guesses(columns_.size());
        std::vector<csv_field> record;
        in.next(record);
        while (in.next(record))
            for (std::size_t i = 0; i < columns_.size() && i < record.size(); ++i)
                if (record[i].quoted || !record[i].text.empty()) guesses[i].add(record[i].text);
        return guesses;
    }

    csv_reader reader_;
    key_names keys_;
    std::vector<column> columns_;
    std::vector<csv_field> record_{};
};

}  // namespace

std::unique_ptr<row_source> read_csv(std::istream& in, key_names keys,
                                     std::function<std::unique_ptr<std::istream>()> const& again) {
    return std::make_unique<csv_source>(in, std::move(keys), again);
}

}  // namespace tablemap::inline v0_1::command
