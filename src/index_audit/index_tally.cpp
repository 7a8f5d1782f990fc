// SPDX-License-Identifier: Apache-2.0
#include "index_audit/index_tally.hpp"

#include "base/text_bytes.hpp"

#include "tablemap/detail/crypto/hmac.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t buckets_of_index = 1024;

/// Some stores tell a double without a fraction as an integer.
property_value plain_number(property_value const& v) {
    constexpr double exact = 9007199254740992.0;
    if (auto const* i = std::get_if<std::int32_t>(&v)) return std::int64_t{*i};
    auto const* d = std::get_if<double>(&v);
    if (d && std::abs(*d) <= exact && *d == std::trunc(*d)) return static_cast<std::int64_t>(*d);
    return v;
}

void append_content(std::string& out, dynamic_entity const& row) {
    std::vector<property const*> sorted;
    for (auto const& p : properties_of(row)) sorted.push_back(&p);
    std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->name < b->name; });
    for (auto const* p : sorted) {
        auto const value = plain_number(p->value);
        append_json_string(out, p->name);
        out += static_cast<char>('0' + value.index());
        append_any_value(out, value);
    }
}

}  // namespace

row_digest digest_of(dynamic_entity const& row, property_cipher const* cipher) {
    std::string text;
    append_json_string(text, row.partition_key);
    append_json_string(text, row.row_key);
    if (cipher) {
        auto opened = row;
        static_cast<void>(cipher->open_all(opened));  // a value that cannot be opened is compared as it stands
        append_content(text, opened);
    } else {
        append_content(text, row);
    }
    auto const hash = sha256(as_bytes(text));
    row_digest d;
    std::memcpy(d.data(), hash.data(), sizeof d);
    return d;
}

index_tally::index_tally(index_set const& indexes)
    : indexes_(indexes), buckets_(indexes.list.size() * buckets_of_index) {}

std::size_t index_tally::index_at(std::string_view row_key) const noexcept {
    auto const found = std::find_if(indexes_.list.begin(), indexes_.list.end(),
                                    [&](index_type const& i) { return row_key.starts_with(i.row_prefix); });
    return static_cast<std::size_t>(found - indexes_.list.begin());
}

void index_tally::held(entity_key const& row, row_digest const& d) noexcept {
    add(row, d, ~std::uint64_t{0});
    ++buckets_[place_of(row)].rows;
}

void index_tally::explained(entity_key const& row, row_digest const& implied, row_digest const* held) noexcept {
    add(row, implied, ~std::uint64_t{0});
    if (held) add(row, *held, 1);
}

bool index_tally::in_step() const noexcept {
    return std::all_of(buckets_.begin(), buckets_.end(), [](auto& b) { return b.sum == row_digest{}; });
}

bool index_tally::suspects(entity_key const& row) const noexcept { return buckets_[place_of(row)].sum != row_digest{}; }

bool index_tally::saw_none_like(entity_key const& row) const noexcept { return buckets_[place_of(row)].rows == 0; }

void index_tally::clear() noexcept { std::fill(buckets_.begin(), buckets_.end(), bucket{}); }

void index_tally::add(entity_key const& row, row_digest const& d, std::uint64_t sign) noexcept {
    auto& sum = buckets_[place_of(row)].sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += sign * d[i];
}

std::size_t index_tally::place_of(entity_key const& row) const noexcept {
    auto const h = query_hash{}.add(row.partition_key).add(row.row_key).value();
    return index_at(row.row_key) * buckets_of_index + (h ^ h >> 32U) % buckets_of_index;
}

}  // namespace tablemap::detail
