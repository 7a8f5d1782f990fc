// SPDX-License-Identifier: Apache-2.0
#include "inspect/part_sources.hpp"

#include "tablemap/detail/keys/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_buckets = 1000;
constexpr std::size_t most_bucket_digits = 3;
constexpr double least_evidence = 40;  ///< bits, so that no table shows a spread by chance

key_shape_part form_of(value_kind kind, text_form form, bool descending = false, std::size_t number = 0) {
    key_shape_part p;
    p.kind = kind;
    p.form = form;
    p.descending = descending;
    p.number = number;
    return p;
}

bool is_integer_kind(value_kind kind) {
    return kind == value_kind::int32 || kind == value_kind::int64 || kind == value_kind::uint64;
}

std::vector<key_shape_part> forms_of(value_kind kind, std::size_t digits) {
    using enum text_form;
    std::vector<key_shape_part> all;
    if (kind != value_kind::real) all.push_back(form_of(kind, plain));
    if (kind == value_kind::text) all.push_back(form_of(kind, escaped));
    if (is_integer_kind(kind) && digits > 0 && digits <= 20) {
        all.push_back(form_of(kind, width, false, digits));
        all.push_back(form_of(kind, width, true, digits));
    }
    if (is_integer_kind(kind) || kind == value_kind::real) all.push_back(form_of(kind, ordered));
    all.push_back(form_of(kind, plain, true));
    all.push_back(form_of(kind, hashed));
    return all;
}

bool is_terminated(key_shape_part const& p, bool ends_key) { return p.form == text_form::escaped && !ends_key; }

bool has_form(part_texts const& texts, value_source const& source, key_shape_part const& p, bool ends_key) {
    auto layout = layout_of(p);
    layout.terminated = is_terminated(p, ends_key);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto const text = text_of(layout, source.values[i]);
        if (!text || *text != texts[i]) return false;
    }
    return true;
}

/// Few rows may have equal numbers by chance, two rows numbers of a digit, but hardly equal texts, and no equal hashes.
bool is_no_chance(part_texts const& texts, key_shape_part const& p) {
    constexpr std::size_t rows_of_flags = 8;
    if (p.form == text_form::hashed) return true;
    if (p.kind == value_kind::flag) return texts.size() >= rows_of_flags && count_distinct(texts, 2) == 2;
    if (texts.size() < 2) return false;
    if (p.kind == value_kind::text || count_distinct(texts, 3) == 3) return true;
    return count_distinct(texts, 2) == 2 && std::ranges::all_of(texts, [](auto t) { return t.size() > 1; });
}

/// A form of text without an end of its own may stand only where one was recognised.
bool may_replace(key_shape_part const& p, key_shape_part const& found, bool ends_key) {
    bool const open =
        p.form == text_form::plain && !p.descending && (p.kind == value_kind::text || is_integer_kind(p.kind));
    bool const was_open = found.form == text_form::plain && !found.descending &&
                          (found.kind == value_kind::text || is_integer_kind(found.kind));
    return !open || was_open || ends_key;
}

std::optional<std::size_t> bucket_of(std::string_view text) {
    std::size_t bucket = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), bucket);
    if (e != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return bucket;
}

}  // namespace

std::size_t count_distinct(part_texts const& texts, std::size_t enough) {
    std::set<std::string_view> distinct;
    for (auto const t : texts)
        if (distinct.insert(t).second && distinct.size() == enough) break;
    return distinct.size();
}

bool may_be_of(std::string_view text, value_kind kind, key_value const& value) {
    if (text.size() <= most_bucket_digits) return true;
    return std::ranges::any_of(forms_of(kind, text.size()), [&](auto const& p) {
        value_source const source{kind, {value}};
        return has_form({text}, source, p, true) || has_form({text}, source, p, false);
    });
}

std::optional<key_shape_part> find_form(part_texts const& texts, value_source const& source,
                                        key_shape_part const& found, bool ends_key) {
    for (auto const& p : forms_of(source.kind, texts.front().size()))
        if (may_replace(p, found, ends_key) && has_form(texts, source, p, ends_key) && is_no_chance(texts, p)) return p;
    return std::nullopt;
}

std::optional<key_shape_part> find_spread(part_texts const& texts, value_source const& source) {
    auto const width = texts.front().size();
    if (width > most_bucket_digits ||
        std::ranges::any_of(texts, [&](auto t) { return t.size() != width || !bucket_of(t); }))
        return std::nullopt;
    std::vector<std::uint64_t> hashes;
    for (auto const& v : source.values) {
        auto const hash = text_of(layout_of(form_of(source.kind, text_form::hashed)), v);
        std::uint64_t number = 0;
        if (!hash || std::from_chars(hash->data(), hash->data() + hash->size(), number, 16).ec != std::errc{})
            return std::nullopt;
        hashes.push_back(number);
    }
    auto const distinct = static_cast<double>(std::set<std::uint64_t>{hashes.begin(), hashes.end()}.size());
    for (std::size_t n = 2; n <= most_buckets; ++n) {
        if (detail::count_digits(n - 1) != width || distinct * std::log2(n) < least_evidence) continue;
        bool all = true;
        for (std::size_t i = 0; all && i < texts.size(); ++i) all = hashes[i] % n == bucket_of(texts[i]);
        if (all) return form_of(source.kind, text_form::spread, false, n);
    }
    return std::nullopt;
}

}  // namespace tablemap::inspect
