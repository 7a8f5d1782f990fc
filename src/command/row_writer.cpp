// SPDX-License-Identifier: Apache-2.0
#include "command/row_writer.hpp"

#include "tablemap/detail/wire/writer.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

class json_writer final : public row_writer {
public:
    explicit json_writer(std::ostream& out) : out_(out) {}

    void write(dynamic_entity const& row) override {
        line_.clear();
        detail::append_entity(line_, row);
        line_ += '\n';
        out_ << line_;
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
