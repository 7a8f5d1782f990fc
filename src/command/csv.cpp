// SPDX-License-Identifier: Apache-2.0
#include "command/csv.hpp"

#include <istream>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t longest_record = 8 * 1024 * 1024;

}  // namespace

void require_end(std::istream const& in, file_place at) {
    if (in.bad()) throw file_fault{at, "a read of the file failed"};
}

int csv_reader::peek() {
    if (!start_.empty()) return static_cast<unsigned char>(start_.front());
    int const c = in_.peek();
    if (c == end_of_file) require_end(in_, at_);
    return c;
}

char csv_reader::take() {
    auto const c = static_cast<char>(start_.empty() ? in_.get() : static_cast<unsigned char>(start_.front()));
    if (!start_.empty()) start_.erase(0, 1);
    ++bytes_;
    if (c == '\n')
        at_ = {at_.line + 1, 1};
    else
        ++at_.column;
    return c;
}

bool csv_reader::at_end_of_line() { return peek() == '\n' || peek() == '\r' || peek() == end_of_file; }

void csv_reader::skip_end_of_line() {
    if (peek() == '\r') take();
    if (peek() == '\n') take();
}

void csv_reader::skip_mark() {
    if (bytes_ > 0 || peek() != 0xEF) return;
    start_.resize(byte_order_mark.size());
    in_.read(start_.data(), static_cast<std::streamsize>(start_.size()));
    start_.resize(static_cast<std::size_t>(in_.gcount()));
    if (in_.eof()) in_.clear(std::ios::eofbit);
    if (start_ == byte_order_mark) start_.clear();
}

void csv_reader::skip_empty_lines() {
    skip_mark();
    while (peek() == '\n' || peek() == '\r') skip_end_of_line();
}

void csv_reader::refuse(char const* what) const { throw file_fault{at_, what}; }

void csv_reader::put(csv_field& f, char c) {
    if (++record_ > longest_record) refuse("the record is longer than 8 MiB; is a quote missing?");
    f.text += c;
}

void csv_reader::quoted(csv_field& f) {
    f.quoted = true;
    take();
    for (;;) {
        if (peek() == end_of_file) throw file_fault{f.place, "the quote that begins here is not closed"};
        char const c = take();
        if (c != '"') {
            put(f, c);
        } else if (peek() == '"') {
            put(f, take());
        } else {
            break;
        }
    }
    if (peek() != ',' && !at_end_of_line()) refuse("a comma must follow the closing quote; double quotes within text");
}

void csv_reader::plain(csv_field& f) {
    while (peek() != ',' && !at_end_of_line()) {
        if (peek() == '"') refuse("a quote within a field that does not begin with one; put the field in quotes");
        put(f, take());
    }
}

csv_field csv_reader::field() {
    csv_field f;
    f.place = at_;
    if (peek() == '"')
        quoted(f);
    else
        plain(f);
    return f;
}

bool csv_reader::next(std::vector<csv_field>& record) {
    record.clear();
    record_ = 0;
    skip_empty_lines();
    if (peek() == end_of_file) return false;
    for (;;) {
        record.push_back(field());
        if (record.size() > most_fields) refuse("the record has more fields than a row can have properties");
        if (peek() != ',') break;
        take();
    }
    skip_end_of_line();
    return true;
}

void append_csv_field(std::string& out, std::string_view text) {
    if (!text.empty() && text.find_first_of(",\"\r\n") == text.npos) {
        out += text;
        return;
    }
    out += '"';
    for (char const c : text) out.append(c == '"' ? 2 : 1, c);
    out += '"';
}

}  // namespace tablemap::inline v0_1::command
