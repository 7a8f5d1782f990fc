// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/odata.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"

#include <charconv>
#include <cmath>

namespace tablemap::inline v0_1::filter {
namespace {

std::string_view word(comparison_operator op) noexcept {
    switch (op) {
    case comparison_operator::eq: return "eq";
    case comparison_operator::ne: return "ne";
    case comparison_operator::lt: return "lt";
    case comparison_operator::le: return "le";
    case comparison_operator::gt: return "gt";
    case comparison_operator::ge: return "ge";
    }
    return "eq";
}

void append_quoted(std::string& out, std::string_view text) {
    out += '\'';
    for (char const c : text) {
        if (c == '\'') out += c;
        out += c;
    }
    out += '\'';
}

result<void> check_comparison(comparison const& c) {
    // A name is appended unchanged: anything but an identifier could end the name and change the filter.
    if (!tablemap::detail::is_identifier(c.property) || !tablemap::detail::utf16_length(c.property))
        return fail(library_errc::invalid_property_name,
                    {.reason = "use letters, digits and underscores, no digit first", .member = c.property});
    if (auto const* text = std::get_if<std::string>(&c.value); text && !tablemap::detail::utf16_length(*text))
        return fail(library_errc::invalid_text, {.reason = "strings must be valid UTF-8", .member = c.property});
    if (auto const* t = std::get_if<ticks>(&c.value); t && (t->count() < 0 || *t > ticks::max()))
        return fail(library_errc::value_out_of_range,
                    {.reason = "the time is outside the years 1 to 9999", .member = c.property});
    return {};
}

struct checker {
    result<void> operator()(comparison const& c) const { return check_comparison(c); }
    result<void> operator()(negation const& n) const { return n.operand.visit(*this); }
    template <class Node> result<void> operator()(Node const& n) const {
        if (auto r = n.left.visit(*this); !r) return r;
        return n.right.visit(*this);
    }
};

/// Writes one literal of each type, for a value that was checked. A double must be finite.
struct literal_writer {
    std::string& out;

    void operator()(std::string const& v) const { append_quoted(out, v); }
    void operator()(bool v) const { out += v ? "true" : "false"; }
    void operator()(std::int32_t v) const { out += std::to_string(v); }
    void operator()(std::int64_t v) const {
        out += std::to_string(v);
        out += 'L';
    }
    void operator()(double v) const {
        char text[512];  // the longest are the 310 digits before the point and the 326 behind it
        auto const end = std::to_chars(text, text + sizeof text, v, std::chars_format::fixed).ptr;
        std::string_view const digits{text, static_cast<std::size_t>(end - text)};
        out += digits;
        if (digits.find('.') == std::string_view::npos) out += ".0";
    }
    void operator()(ticks v) const {
        out += "datetime'";
        tablemap::detail::append_ticks(out, v);
        out += '\'';
    }
    void operator()(guid const& v) const {
        out += "guid'";
        tablemap::detail::append_guid(out, v);
        out += '\'';
    }
    void operator()(bytes const& v) const {
        constexpr std::string_view hex = "0123456789abcdef";
        out += "X'";
        for (auto const b : v) {
            auto const n = std::to_integer<unsigned>(b);
            out += hex[n >> 4];
            out += hex[n & 15];
        }
        out += '\'';
    }
};

struct renderer {
    std::string& out;

    result<void> operator()(comparison const& c) const {
        if (auto r = check_comparison(c); !r) return r;
        if (auto const* real = std::get_if<double>(&c.value); real && !std::isfinite(*real))
            return fail(library_errc::unsupported,
                        {.reason = "a filter cannot compare with NaN or an infinity", .member = c.property});
        out.append(c.property).append(1, ' ').append(word(c.op)).append(1, ' ');
        std::visit(literal_writer{out}, c.value);
        return {};
    }
    result<void> operator()(conjunction const& c) const { return chain(c, " and "); }
    result<void> operator()(disjunction const& d) const { return chain(d, " or "); }
    result<void> operator()(negation const& n) const {
        out += "not ";
        return in_parentheses(n.operand);
    }

private:
    result<void> in_parentheses(expression const& e) const {
        out += '(';
        if (auto r = e.visit(*this); !r) return r;
        out += ')';
        return {};
    }

    /// `a and (b and c)` is `(a) and (b) and (c)`: a long chain stays flat and short.
    template <class Node> result<void> chain(Node const& n, std::string_view between) const {
        if (auto r = operand<Node>(n.left, between); !r) return r;
        out += between;
        return operand<Node>(n.right, between);
    }

    template <class Node> result<void> operand(expression const& e, std::string_view between) const {
        return e.visit([&](auto const& n) -> result<void> {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(n)>, Node>)
                return chain(n, between);
            else
                return in_parentheses(e);
        });
    }
};

}  // namespace

result<void> check(expression const& e) { return e.visit(checker{}); }

result<void> append_odata(std::string& out, expression const& e) { return e.visit(renderer{out}); }

void append_odata_comparison(std::string& out, std::string_view name, comparison_operator op, std::string_view text) {
    out.append(name).append(1, ' ').append(word(op)).append(1, ' ');
    append_quoted(out, text);
}

}  // namespace tablemap::filter
