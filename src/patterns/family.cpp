// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/family.hpp"

#include "tablemap/detail/base/utf.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char least_in_keys = ' ';
constexpr std::string_view end_of_escaped = " !";

bool is_before(std::string_view a, std::string_view b) { return compare_utf16(a, b) < 0; }

/// Nothing is above all.
bool is_lower_end(std::optional<std::string> const& a, std::optional<std::string> const& b) {
    return a && (!b || is_before(*a, *b));
}

/// True for a row that is of none of these types, which may share the partition.
bool is_of_another_type(bad_row const& row, static_list<row_type const*> types) {
    if (row.error.code() == library_errc::another_type) return true;
    return std::none_of(types.begin(), types.end(),
                        [&](row_type const* t) { return row.row_key.starts_with(t->row_prefix); });
}

}  // namespace

key_range covering(std::span<std::string_view const> prefixes) {
    key_range all{std::string{prefixes.front()}, end_of_prefix(prefixes.front())};
    for (auto const p : prefixes.subspan(1)) widen(all, {std::string{p}, end_of_prefix(p)});
    return all;
}

key_range continuing(std::string row_key, bool escaped) {
    auto longest = row_key;
    if (escaped) longest += end_of_escaped;
    return {std::move(row_key), end_of_prefix(longest)};
}

void widen(key_range& range, key_range other) {
    for (auto* r : {&range, &other}) {
        if (!r->one) continue;
        r->to = r->from + least_in_keys;
        r->one = false;
    }
    if (is_before(other.from, range.from)) range.from = std::move(other.from);
    if (is_lower_end(range.to, other.to)) range.to = std::move(other.to);
}

std::optional<filter::expression> family_filter(static_list<row_type const*> types) {
    std::optional<filter::expression> any;
    for (auto const* t : types) {
        auto one = type_filter(*t);
        if (!one) return std::nullopt;
        any = any ? *std::move(any) || *std::move(one) : *std::move(one);
    }
    return any;
}

result<void> check_families(table_state const& t, std::string_view action) {
    if (t.store->capabilities().ordered_results) return {};
    error const e{
        library_errc::unsupported,
        {.reason = "the rows of a family are told by their order, which this store does not keep; find() one family "
                   "at a time"}};
    return failure{e.in(action, t.name)};
}

result<bool> family_reading::take_row(query_state& from, static_list<row_type const*> types) {
    from.set_current(nullptr);
    while (!from.pages().needs_page()) {
        auto const found = from.pages().pop();
        if (found.bad && is_of_another_type(*found.bad, types)) continue;
        if (found.bad && from.policy().skips(*found.bad)) continue;
        if (found.bad) return failure{found.bad->error};
        from.set_current(found.good);
        return true;
    }
    return false;
}

task<result<bool>> read_family(family_reading& reading) {
    reading.begun = reading.failed = true;
    if (!reading.complete) {
        auto const read = co_await read_rows(*reading.rows, reading);
        if (!read) co_return failure{read.error().in(reading.action, reading.rows->table())};
    }
    reading.failed = false;
    co_return reading.place.has_value();
}

}  // namespace tablemap::detail
