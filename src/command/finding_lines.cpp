// SPDX-License-Identifier: Apache-2.0
#include "command/finding_lines.hpp"

#include "command/console.hpp"
#include "base/digit_groups.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>
#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

std::string one_line(std::string_view text) {
    auto line = printable(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\t'; }, '?');
    return line;
}

std::string row_text(finding_line const& f) {
    if (!f.partition_key) return {};
    std::string const row = f.row_key ? ", row '" + *f.row_key + "'" : "";
    return std::string{f.rows > 1 ? " (first: " : " ("} + "partition '" + *f.partition_key + "'" + row + ")";
}

class json_line {
public:
    void add(std::string_view name, std::string_view text) {
        begin(name);
        detail::append_json_string(out_, text);
    }
    void add_if(std::string_view name, std::string_view text) {
        if (!text.empty()) add(name, text);
    }
    void add_if(std::string_view name, std::optional<std::string> const& text) {
        if (text) add(name, *text);
    }
    void add(std::string_view name, std::uint64_t number) {
        begin(name);
        out_ += std::to_string(number);
    }

    std::string end() && { return std::move(out_) + '}'; }

private:
    void begin(std::string_view name) {
        out_ += out_.empty() ? '{' : ',';
        detail::append_json_string(out_, name);
        out_ += ':';
    }

    std::string out_{};
};

std::string json_of(finding_line const& f) {
    json_line line;
    line.add("table", f.table);
    line.add("level", f.level);
    line.add("rule", f.rule);
    line.add_if("entity", f.entity);
    line.add_if("member", f.member);
    if (f.rows > 0) line.add("rows", f.rows);
    line.add("text", f.text);
    line.add_if("partition_key", f.partition_key);
    line.add_if("row_key", f.row_key);
    return std::move(line).end();
}

}  // namespace

std::string counted(std::uint64_t n, std::string const& one) { return detail::counted(n, one, one + "s"); }

void write_line(std::ostream& out, line_format form, finding_line const& f) {
    if (form == line_format::jsonl)
        out << json_of(f) << '\n';
    else
        out << one_line(std::string{f.table} + ": " + std::string{f.level} + ": " + std::string{f.text} + row_text(f))
            << '\n';
}

}  // namespace tablemap::inline v0_1::command
