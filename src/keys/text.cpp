// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/keys/text.hpp"

#include "keys/member_values.hpp"
#include "keys/one_value.hpp"
#include "tablemap/edm/limits.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::uint32_t last_before_surrogates = 0xD7FF;
constexpr std::uint32_t first_after_surrogates = 0xE000;
constexpr std::uint32_t last_of_plane_0 = 0xFFFF;
constexpr std::uint32_t last_code_point = 0x10FFFF;

/// Takes the last code point off valid UTF-8 text.
std::uint32_t take_last(std::string_view& text) noexcept {
    auto at = text.size() - 1;
    while ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) --at;
    auto last = text.substr(at);
    text.remove_suffix(last.size());
    return take_code_point(last);
}

/// The code point after this one in UTF-16 code unit order, where the supplementary ones stand in the place of the
/// surrogates.
std::uint32_t next_in_utf16_order(std::uint32_t c) noexcept {
    if (c == last_before_surrogates) return first_supplementary;
    if (c == last_code_point) return first_after_surrogates;
    return c + 1;
}

error part_holds_its_end(std::string_view member, std::string_view end) {
    return error{library_errc::key_part_does_not_fit,
                 {.reason = "the value holds \"" + std::string{end} +
                            "\", the literal that ends this part of the key, so the key could not be read back",
                  .member = std::string{member}}};
}

error key_lacks_literal(std::string_view literal) {
    return error{library_errc::unreadable_key,
                 {.reason = "the literal \"" + std::string{literal} + "\" is missing where the mapping has it"}};
}

std::string reason_of(error const& e) { return e.details().reason.empty() ? e.code().message() : e.details().reason; }

error stored_part_refused(error const& e, std::string_view member) {
    return error{library_errc::unreadable_key, {.reason = reason_of(e), .member = std::string{member}}};
}

bool same_value(part_layout const& p, part_value const& a, part_value const& b) noexcept {
    return p.kind == part_kind::text ? a.text == b.text : p.kind == part_kind::id ? a.id == b.id : a.number == b.number;
}

}  // namespace

bool has_literals(static_list<part_layout> parts, std::string_view text) noexcept {
    bool after_value = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind != part_kind::literal) {
            after_value = true;
            continue;
        }
        auto const literal = parts[i].literal;
        if (i + 1 == parts.size()) return after_value ? text.ends_with(literal) : text == literal;
        auto const at = text.find(literal);
        if (at == std::string_view::npos || (at != 0 && !after_value)) return false;
        text.remove_prefix(at + literal.size());
    }
    return true;
}

std::optional<std::string> end_of_prefix(std::string_view prefix) {
    while (!prefix.empty()) {
        auto const last = take_last(prefix);
        if (last == last_of_plane_0) continue;
        std::string end{prefix};
        append_code_point(end, next_in_utf16_order(last));
        return end;
    }
    return std::nullopt;
}

error part_unreadable(std::string_view member) {
    return error{library_errc::unreadable_key,
                 {.reason = "the text in the place of the member is not what the mapping writes",
                  .member = std::string{member}}};
}

error part_not_converted(error const& e, std::string_view member) {
    bool const ours = e.code().category() == library_category();
    return error{ours ? e.code() : make_error_code(library_errc::value_out_of_range),
                 {.reason = reason_of(e), .member = std::string{member}}};
}

bool have_same_part(part_layout const& p, void const* a, void const* b) {
    member_values values(2);
    if (!values.take(p, 0, a) || !values.take(p, 1, b)) return true;
    return same_value(p, values[0], values[1]);
}

std::string_view literal_after(part_layout const* parts, std::size_t count, std::size_t index) noexcept {
    if (parts[index].kind == part_kind::literal || ends_itself(parts[index])) return {};
    while (++index < count)
        if (parts[index].width != 0) return parts[index].literal;
    return {};
}

result<void> append_parts(std::string& out, part_layout const* parts, part_value const* values, std::size_t count,
                          std::size_t upto) {
    for (std::size_t i = 0; i < upto; ++i) {
        auto const from = out.size();
        if (auto fault = append_part(out, parts[i], values[i])) return failure{std::move(*fault)};
        auto const end = literal_after(parts, count, i);
        if (end.empty()) continue;
        auto const size = out.size() - from;
        out += end;
        bool const good = out.find(end, from) == from + size;
        out.resize(from + size);
        if (!good) return failure{part_holds_its_end(parts[i].name, end)};
    }
    return {};
}

result<void> check_made_key(std::string_view key, part_layout const* parts, part_value const* values,
                            std::size_t count) {
    part_layout const* first = nullptr;
    part_layout const* longest = nullptr;
    std::size_t most = 0;
    bool may_be_empty = false, has_literal = false;
    for (std::size_t i = 0; i < count; ++i) {
        if (parts[i].kind == part_kind::literal) {
            has_literal = true;
            continue;
        }
        if (!first) first = &parts[i];
        may_be_empty = may_be_empty || parts[i].may_be_empty;
        if (parts[i].kind != part_kind::text || values[i].text.size() <= most) continue;
        longest = &parts[i];
        most = values[i].text.size();
    }
    if (key.empty() && first && !may_be_empty)
        return fail(library_errc::key_part_does_not_fit,
                    {.reason = "it is empty, and the key with it; give the member a value, or declare "
                               "part<...>.may_be_empty() if empty keys are meant",
                     .member = std::string{first->name}});
    // All parts but literals were checked when they were appended.
    if (!has_literal && key.size() <= limits::key_units) return {};
    auto r = check_key(key);
    if (r || !longest || r.error().code() != library_errc::key_too_large) return r;
    return failure{r.error().at(longest->name)};
}

result<void> make_key_text(std::string& out, part_layout const* parts, part_value const* values, std::size_t count) {
    out.clear();
    if (auto r = append_parts(out, parts, values, count, count); !r) return r;
    return check_made_key(out, parts, values, count);
}

result<void> make_key_text(std::string& out, static_list<part_layout> parts, void const* const* members) {
    member_values values(parts.size());
    if (auto r = values.take(parts, members); !r) return r;
    return make_key_text(out, parts.data(), values.data(), parts.size());
}

result<void> make_both_keys(key_pair const& keys, void const* const* values, std::string& partition_key,
                            std::string& row_key) {
    part_array<void const*> members(keys.values.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        if (keys.values[i] != no_value) members[i] = values[keys.values[i]];
    if (auto r = make_key_text(partition_key, keys.partition, members.data()); !r) return r;
    return make_key_text(row_key, keys.row, members.data() + keys.partition.size());
}

namespace {

result<void> parse_key(std::string_view text, static_list<part_layout> parts, parsed_part* values) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const& p = parts[i];
        if (p.kind == part_kind::literal) {
            if (!text.starts_with(p.literal)) return failure{key_lacks_literal(p.literal)};
            text.remove_prefix(p.literal.size());
            continue;
        }
        auto length = text.size();
        if (ends_itself(p)) {
            length = length_of_part(p, text);
        } else {
            std::string_view end;
            for (auto k = i + 1; k < parts.size() && end.empty(); ++k) end = parts[k].literal;
            if (!end.empty()) length = text.find(end);
        }
        if (length > text.size() || !read_part(p, text.substr(0, length), values[i]) ||
            (p.same_as != no_earlier_part && !same_value(p, values[p.same_as], values[i])))
            return failure{part_unreadable(p.name)};
        text.remove_prefix(length);
    }
    if (!text.empty()) return fail(library_errc::unreadable_key, {.reason = "text follows the last part"});
    return {};
}

result<void> assign_member(part_layout const& p, void* member, parsed_part& from) {
    if (!p.ops->assign) {
        if (auto r = p.ops->from_stored(member, from); !r) return failure{stored_part_refused(r.error(), p.name)};
    } else if (!p.ops->assign(member, from)) {
        return failure{part_unreadable(p.name)};
    }
    return {};
}

// Not inlined: plain text is the frequent case, and its code stays short.
[[gnu::noinline]] bool read_formed(part_layout const& p, std::string_view text, void* member) {
    parsed_part value;
    return read_part(p, text, value) && assign_member(p, member, value);
}

}  // namespace

bool read_one_value(std::string_view text, static_list<part_layout> parts, void* member) {
    auto const last = parts.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        if (!text.starts_with(parts[i].literal)) return false;
        text.remove_prefix(parts[i].literal.size());
    }
    auto const& p = parts[last];
    if (p.kind != part_kind::text || p.form != part_form::plain || !p.ops->assign) return read_formed(p, text, member);
    *static_cast<std::string*>(member) = text;  // the one type of plain text without a converter
    return true;
}

result<void> read_key_text(std::string_view text, static_list<part_layout> parts, void* const* members) {
    if (is_one_value(parts))
        if (auto* const member = members[parts.size() - 1]; member && read_one_value(text, parts, member)) return {};
    return read_key_text(text, parts, members, nullptr, nullptr);
}

result<void> read_key_text(std::string_view text, static_list<part_layout> parts, void* const* members,
                           void const* const* given, std::size_t* differs) {
    part_array<parsed_part> values(parts.size());
    if (auto r = parse_key(text, parts, values.data()); !r) return r;
    if (given) {
        auto const has_its_value = [&](std::size_t i) {
            if (!given[i]) return true;
            if (parts[i].ops->value) return same_value(parts[i], parts[i].ops->value(given[i]), values[i]);
            parsed_part stored;
            return parts[i].ops->to_stored(given[i], stored) && same_value(parts[i], stored, values[i]);
        };
        for (*differs = 0; *differs < parts.size() && has_its_value(*differs);) ++*differs;
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (members[i])
            if (auto r = assign_member(parts[i], members[i], values[i]); !r) return r;
    return {};
}

}  // namespace tablemap::detail
