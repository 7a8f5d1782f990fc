// SPDX-License-Identifier: Apache-2.0
#include "command/row_writer.hpp"

#include "tablemap/detail/wire/writer.hpp"

#include <ostream>
#include <stdexcept>

namespace tablemap::inline v0_1::command {
void require_names(dynamic_entity const& row) {
    for (auto const& p : detail::properties_of(row))
        for (char const c : p.name)
            if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
                throw std::runtime_error{"the store returned a property that has a quote in its name"};
}

void require_written(std::ostream const& out) {
    if (!out)
        throw std::runtime_error{
            "the rows cannot be written; is there room for the file, and in the folder that TMPDIR names?"};
}

namespace {

class json_writer final : public row_writer {
public:
    explicit json_writer(std::ostream& out) : out_(out) {}

    void write(dynamic_entity const& row) override {
        line_.clear();
        require_names(row);
        detail::append_entity(line_, row);
        line_ += '\n';
        out_ << line_;
        require_written(out_);
    }
    void finish() override { out_.flush(); }

private:
    std::ostream& out_;
    std::string line_{};
};

}  // namespace

std::unique_ptr<row_writer> write_json_lines(std::ostream& out) { return std::make_unique<json_writer>(out); }

std::unique_ptr<row_writer> make_row_writer(output_format f, std::ostream& out) {
    switch (f) {
    case output_format::csv: return write_csv(out);
    case output_format::table: return write_table(out);
    default: return write_json_lines(out);
    }
}

}  // namespace tablemap::inline v0_1::command
