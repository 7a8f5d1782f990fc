// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Lays out C++ as `scripts/format` leaves it, for the few shapes that are generated.
namespace tablemap::codegen {

inline constexpr std::size_t line_width = 120;

/// A call such as `tablemap::key(…)`. The last character of `open` is the bracket.
struct call {
    std::string open{};
    std::vector<std::string> arguments{};
    std::string close{};
};

struct packed {
    std::string text{};
    std::size_t breaks = 0;
    bool fits = true;
};

/// As many arguments as fit on a line, the rest below the first. `column`: the start of the text.
packed pack(std::size_t column, call const& c);

/// The same on one line, however long.
std::string joined(call const& c);

/// True if the text contains a character that changes the direction of text. Compilers warn of those.
bool turns_direction(std::string_view text);

/// Text for a comment: spaces for control characters and for those that change the direction.
std::string comment_text(std::string_view text);

/// The replacements of the `{name}`s of a template.
using replacements = std::vector<std::pair<std::string_view, std::string>>;
std::string filled(std::string_view text, replacements const& values);

class code_writer {
public:
    explicit code_writer(std::size_t indent = 0) : indent_(indent) {}

    /// Writes one line, indented; an empty one is not.
    void line(std::string_view text = {});

    /// Writes a comment, broken at words: `///` before declarations, `//` elsewhere.
    void comment(std::string_view text, std::string_view mark = "///");

    /// `left = right;`
    void constant(std::string const& left, call const& right);

    /// `left = first.a().b();`, where the calls are `.a(`.
    void chain(std::string const& left, std::string const& first, std::vector<call> const& calls);

    /// `template <> head = values;`
    void specialisation(std::string const& head, call const& values);

    /// A statement that ends in a call.
    void statement(call const& c);

    /// A statement that ends in a call within a call: `outer` is all before the inner one.
    void statement(std::string const& outer, call const& inner);

    /// A statement that ends in a comparison, whose `left` ends in the operator.
    void comparison(std::string const& outer, std::string const& left, std::string const& right);

    /// Writes a function: its return type, its name with the bracket and arguments, the text after them, and its
    /// statements, which are written already, four columns further in.
    void function(std::string const& returned, call const& signature, std::string const& body);

    /// A constructor with an empty body, and its initialisers.
    void constructor(call const& signature, std::string const& initializers);

    /// Begins an indented block in brackets.
    void open(std::string_view text);
    void close(std::string_view text);
    void indent_more() { indent_ += 4; }
    void indent_less() { indent_ -= 4; }

    /// Writes the lines of a template, with `{name}` replaced.
    void fill(std::string_view text, replacements const& values);

    std::string take() { return std::move(text_); }

private:
    std::string indent(std::size_t more = 0) const { return std::string(indent_ + more, ' '); }

    /// Writes a statement that is too long, if it fits with the assigned value on a line of its own.
    bool breaks_at_assignment(std::string const& all);

    std::size_t indent_;
    std::string text_;
};

}  // namespace tablemap::codegen
