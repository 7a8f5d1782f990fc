// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include <algorithm>

namespace tablemap::codegen {
namespace {

/// The number of characters, not of bytes.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

bool turns_direction(std::string_view text) {
    auto const c = text.substr(0, 3);
    return (c >= "\u202a" && c <= "\u202e") || (c >= "\u2066" && c <= "\u2069");
}

std::string comment_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        bool const turns = turns_direction(text);
        auto const code = static_cast<unsigned char>(text.front());
        out += turns || code < 0x20 || code == 0x7F ? ' ' : text.front();
        text.remove_prefix(turns ? 3 : 1);
    }
    return out;
}

std::string filled(std::string_view text, replacements const& values) {
    std::string out{text};
    for (auto const& [name, value] : values) {
        auto const mark = "{" + std::string{name} + "}";
        for (auto at = out.find(mark); at != std::string::npos; at = out.find(mark, at + value.size()))
            out.replace(at, mark.size(), value);
    }
    return out;
}

packed pack(std::size_t column, call const& c) {
    packed out{c.open};
    auto const below = column + width_of(c.open);
    auto at = below;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) {
        bool const last = i + 1 == c.arguments.size();
        auto const piece = c.arguments[i] + (last ? c.close : ",");
        auto const width = width_of(piece);
        auto const space = i == 0 ? 0U : 1U;
        if (i != 0 && at + space + width > line_width) {
            out.text += "\n" + std::string(below, ' ');
            at = below;
            ++out.breaks;
        } else {
            out.text.append(space, ' ');
            at += space;
        }
        out.text += piece;
        at += width;
        out.fits = out.fits && at <= line_width;
    }
    if (c.arguments.empty()) {
        out.text += c.close;
        out.fits = at + width_of(c.close) <= line_width;
    }
    return out;
}

std::string joined(call const& c) {
    auto text = c.open;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) text += (i == 0 ? "" : ", ") + c.arguments[i];
    return text + c.close;
}

void code_writer::line(std::string_view text) {
    if (!text.empty()) text_ += indent();
    text_ += text;
    text_ += '\n';
}

void code_writer::comment(std::string_view text, std::string_view mark) {
    std::string row;
    auto const end_row = [&] {
        // A backslash at the end, or the trigraph for one, would take the next line into the comment.
        if (row.ends_with('\\') || row.ends_with("?\?/")) row += '.';
        if (!row.empty()) line(row);
        row.clear();
    };
    auto const plain = comment_text(text);
    std::size_t at = 0;
    while (at < plain.size()) {
        auto const end = std::min(plain.find(' ', at), plain.size());
        auto const word = plain.substr(at, end - at);
        at = end + 1;
        if (word.empty()) continue;
        if (!row.empty() && indent_ + width_of(row) + 1 + width_of(word) > line_width) end_row();
        row += row.empty() ? std::string{mark} + " " : " ";
        row += word;
    }
    end_row();
}

namespace {

/// One way to lay out code, and its cost by clang-format's rules for line breaks. The way with the lowest cost is
/// taken.
struct way {
    std::string text{};
    std::size_t cost = 0;
};

// The penalties of clang-format, by the names of its options, or of its sources where there is no option.
constexpr std::size_t first_break_in_bracket = 15;
constexpr std::size_t binding_strength = 20;  ///< of a statement, and again for each bracket
constexpr std::size_t split_after_comma = 1;
constexpr std::size_t break_assignment = 2;
constexpr std::size_t break_before_first_call_parameter = 19;
constexpr std::size_t split_after_template_opener = 100;
constexpr std::size_t split_after_parenthesis_of_declaration = 100;
constexpr std::size_t return_type_on_its_own_line = 60;
constexpr std::size_t excess_characters = 100'000;
constexpr std::size_t brackets_of_angle = 10;  ///< an angle bracket counts as this many

/// The cost of a break after a comma within this many brackets.
std::size_t comma_cost(std::size_t brackets) { return split_after_comma + binding_strength * (1 + brackets); }
/// The cost of the break after an opening bracket.
std::size_t open_cost(std::size_t brackets, std::size_t split) {
    return first_break_in_bracket + split + binding_strength * (1 + brackets);
}

std::size_t cost_of(packed const& p, std::size_t brackets) {
    if (!p.fits) return excess_characters;
    return p.breaks == 0 ? 0 : first_break_in_bracket + comma_cost(brackets) * p.breaks;
}

/// Arguments beside the bracket or, from `below` on, on lines of their own. `brackets`: the number of brackets that the
/// call is in, its own counted.
way best_call(std::size_t column, std::size_t below, call const& c, std::size_t brackets) {
    bool const is_angle = c.open.ends_with('<');
    if (is_angle) brackets += brackets_of_angle - 1;
    auto const beside = pack(column, c);
    auto const under = pack(below, {"", c.arguments, c.close});
    way const a{beside.text, cost_of(beside, brackets)};
    auto const breaks = comma_cost(brackets) * under.breaks;
    way const b{c.open + "\n" + std::string(below, ' ') + under.text,
                open_cost(brackets, is_angle ? split_after_template_opener : break_before_first_call_parameter) +
                    breaks + (under.fits ? 0 : excess_characters)};
    return a.cost <= b.cost ? a : b;
}

way cheapest(std::vector<way> const& ways) {
    return *std::min_element(ways.begin(), ways.end(), [](auto const& a, auto const& b) { return a.cost < b.cost; });
}

}  // namespace

void code_writer::constant(std::string const& left, call const& right) {
    constexpr std::size_t assignment = first_break_in_bracket + binding_strength + break_assignment;
    // Arguments below an opening bracket are indented by the statement alone.
    auto const beside = best_call(indent_ + width_of(left) + 3, indent_ + 4, right, 1);
    auto const below = pack(indent_ + 4, right);
    auto const best = cheapest({{left + " = " + beside.text, beside.cost},
                                {left + " =\n" + indent(4) + below.text,
                                 assignment + cost_of(below, right.open.ends_with('<') ? brackets_of_angle : 1)}});
    line(best.text);
}

void code_writer::chain(std::string const& left, std::string const& first, std::vector<call> const& calls) {
    auto all = first;
    for (auto const& c : calls) all += joined(c);
    auto const head = left + " = ";
    auto const width = width_of(all) + 1;
    if (indent_ + width_of(head) + width <= line_width) return line(head + all + ";");
    if (indent_ + 4 + width <= line_width) return line(left + " =\n" + indent(4) + all + ";");
    auto const column = indent_ + width_of(head);
    auto widest = column + width_of(first);
    for (auto const& c : calls) widest = std::max(widest, column + 4 + width_of(joined(c)) + 1);
    bool const beside = widest <= line_width;
    auto const at = beside ? column + 4 : indent_ + 8;
    auto text = (beside ? head : left + " =\n" + indent(4)) + first + (calls.empty() ? ";" : "");
    for (std::size_t i = 0; i < calls.size(); ++i) {
        auto c = calls[i];
        if (i + 1 == calls.size()) c.close += ";";
        text += "\n" + std::string(at, ' ') + pack(at, c).text;
    }
    line(text);
}

void code_writer::specialisation(std::string const& head, call const& values) {
    auto const whole = "template <> " + head + " = " + joined(values);
    if (indent_ + width_of(whole) <= line_width) return line(whole);
    line("template <>");
    constant(head, values);
}

void code_writer::statement(call const& c) { line(best_call(indent_, indent_ + 4, c, 1).text); }

void code_writer::statement(std::string const& outer, call const& inner) {
    auto const all = outer + joined(inner);
    if (breaks_at_assignment(all)) return;
    auto const beside = best_call(indent_, indent_ + 4, {outer + inner.open, inner.arguments, inner.close}, 2);
    auto const below = pack(indent_ + 4, inner);
    line(cheapest({beside,
                   {outer + "\n" + indent(4) + below.text,
                    open_cost(1, break_before_first_call_parameter) + cost_of(below, 2)}})
             .text);
}

void code_writer::comparison(std::string const& outer, std::string const& left, std::string const& right) {
    auto const all = outer + left + " " + right;
    if (indent_ + width_of(all) <= line_width) return line(all);
    if (breaks_at_assignment(all)) return;
    line(outer + left + "\n" + indent(width_of(outer)) + right);
}

bool code_writer::breaks_at_assignment(std::string const& all) {
    auto const at = all.find(" = ");
    bool const fits = indent_ + width_of(all) <= line_width;
    if (fits || at == std::string::npos || indent_ + 4 + width_of(all) - at - 3 > line_width) return false;
    line(all.substr(0, at) + " =\n" + indent(4) + all.substr(at + 3));
    return true;
}

void code_writer::function(std::string const& returned, call const& signature, std::string const& body) {
    auto const head = returned + " ";
    auto const statement = std::string_view{body}.substr(std::min(indent_ + 4, body.size()));
    if (statement.find('\n') + 1 == statement.size()) {
        auto const one =
            head + joined(signature) + " { " + std::string{statement.substr(0, statement.size() - 1)} + " }";
        if (indent_ + width_of(one) <= line_width) return line(one);
    }
    auto c = signature;
    c.close += " {";
    constexpr std::size_t type_alone = first_break_in_bracket + binding_strength + return_type_on_its_own_line;
    auto const declaration = open_cost(1, split_after_parenthesis_of_declaration);
    auto const beside = pack(indent_ + width_of(head), {c.open, c.arguments, c.close});
    auto const below = pack(indent_, c);
    auto const under = pack(indent_ + 4, {"", c.arguments, c.close});
    auto const best =
        cheapest({{head + beside.text, cost_of(beside, 1)},
                  {returned + "\n" + indent() + below.text, type_alone + cost_of(below, 1)},
                  {head + c.open + "\n" + indent(4) + under.text, declaration + comma_cost(1) * under.breaks}});
    line(best.text);
    text_ += body;
    line("}");
}

void code_writer::constructor(call const& signature, std::string const& initializers) {
    auto const whole = joined(signature) + " " + initializers;
    if (indent_ + width_of(whole) <= line_width) return line(whole);
    auto const beside = pack(indent_, signature);
    line(beside.text);
    line("    " + initializers);
}

void code_writer::open(std::string_view text) {
    line(text);
    indent_ += 4;
}

void code_writer::close(std::string_view text) {
    indent_ -= 4;
    line(text);
}

void code_writer::fill(std::string_view text, replacements const& values) {
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        line(filled(text.substr(0, end), values));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace tablemap::codegen
