// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/index_intent.hpp"

#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/indexes.hpp"
#include "tablemap/store/clock.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

std::vector<index_row> take_elsewhere(std::vector<index_row>& rows, index_set const& indexes) {
    auto const first =
        std::find_if(rows.begin(), rows.end(), [&](index_row const& r) { return indexes.is_elsewhere(r); });
    std::vector<index_row> taken{std::make_move_iterator(first), std::make_move_iterator(rows.end())};
    rows.erase(first, rows.end());
    return taken;
}

bool have_one_place(index_row const& a, index_row const& b) {
    return a.index == b.index && a.entity.row_key == b.entity.row_key &&
           a.entity.partition_key == b.entity.partition_key;
}

/// Two encodings of an encrypted value differ.
bool may_differ(index_row const& before, index_row const& after, index_set const& indexes) {
    return indexes.elsewhere_of(after).sealed || before.outdated || before.entity.body != after.entity.body;
}

/// Leaves the rows that have to be written or erased.
void remove_unchanged(std::vector<index_row>& before, std::vector<index_row>& after, index_set const& indexes) {
    std::erase_if(after, [&](index_row const& a) {
        auto const b = std::find_if(before.begin(), before.end(), [&](auto& r) { return have_one_place(r, a); });
        if (b == before.end()) return false;
        bool const unchanged = !may_differ(*b, a, indexes);
        before.erase(b);
        return unchanged;
    });
}

std::string key_of_intent(std::string_view entity) {
    auto key = intents_of(entity);
    // Not the clock of the call: a write may be planned where there is none, and nothing depends on the key.
    append_guid(key, random_guid(clock::system()));
    return key;
}

void name_row(dynamic_entity& intent, std::size_t number, row_elsewhere const& row) {
    auto const digits = std::to_string(number);
    if (!row.table.empty()) intent.set("Table" + digits, row.table);
    intent.set("Partition" + digits, row.key.partition_key);
    intent.set("Row" + digits, row.key.row_key);
}

encoded_entity encoded(dynamic_entity const& intent) {
    encoded_entity encoded;
    value_or_throw(encode(intent, encoded));  // keys of rows always fit
    return encoded;
}

companion intent_of(std::vector<index_row> const& rows, index_set const& indexes) {
    auto const& owner = rows.front().owner;
    dynamic_entity intent{owner.partition_key, key_of_intent(owner.row_key)};
    intent.set("Entity", owner.row_key);
    for (std::size_t i = 0; i < rows.size(); ++i) name_row(intent, i, place_of(rows[i], indexes));
    auto row = encoded(intent);
    // No other row has this key. A second try of the same group must not be refused because of it.
    return {.kind = write_kind::upsert_replace,
            .row_key = std::move(row.row_key),
            .body = std::move(row.body),
            .index = indexes.elsewhere_of(rows.front()).name};
}

error no_intent(library_errc code, std::string const& property) {
    return error{code, {.reason = "a row for the relay of indexes cannot be read", .member = property}};
}

result<std::string> text_in(stored_entity const& row, std::string const& name) {
    auto const* const value = row.find(name);
    if (!value) return failure{no_intent(library_errc::missing_property, name)};
    auto const* const text = std::get_if<std::string>(value);
    return text ? result<std::string>{*text} : failure{no_intent(library_errc::type_mismatch, name)};
}

result<row_elsewhere> read_place(stored_entity const& row, std::string const& digits) {
    row_elsewhere place;
    auto partition_key = text_in(row, "Partition" + digits);
    if (!partition_key) return failure{std::move(partition_key).error()};
    auto row_key = text_in(row, "Row" + digits);
    if (!row_key) return failure{std::move(row_key).error()};
    if (row.find("Table" + digits)) {
        auto table = text_in(row, "Table" + digits);
        if (!table) return failure{std::move(table).error()};
        place.table = *std::move(table);
    }
    place.key = {*std::move(partition_key), *std::move(row_key)};
    return place;
}

/// Those of an intent beside a row.
result<void> read_owner(stored_entity const& row, index_intent& intent) {
    if (!row.find("EntityTable") && !row.find("EntityPartition")) return {};
    auto table = text_in(row, "EntityTable");
    if (!table) return failure{std::move(table).error()};
    if (table->empty()) return failure{no_intent(library_errc::missing_property, "EntityTable")};
    auto partition = text_in(row, "EntityPartition");
    if (!partition) return failure{std::move(partition).error()};
    intent.table = *std::move(table);
    intent.entity.partition_key = *std::move(partition);
    return {};
}

}  // namespace

std::string intents_of(std::string_view entity) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string key{intent_prefix};
    auto const hash = query_hash{}.add(entity).value();
    for (unsigned shift = 64; shift > 0; shift -= 4) key += digits[(hash >> (shift - 4)) & 0xFU];
    return key += '_';
}

row_elsewhere place_of(index_row const& row, index_set const& indexes) {
    return {std::string{indexes.elsewhere_of(row).table}, {row.entity.partition_key, row.entity.row_key}};
}

std::optional<companion> take_intent(std::vector<index_row>& before, std::vector<index_row>& after,
                                     index_set const& indexes) {
    auto gone = take_elsewhere(before, indexes);
    auto rows = take_elsewhere(after, indexes);
    remove_unchanged(gone, rows, indexes);
    std::move(gone.begin(), gone.end(), std::back_inserter(rows));
    if (rows.empty()) return std::nullopt;
    return intent_of(rows, indexes);
}

encoded_entity intent_beside(row_elsewhere const& row, std::string_view table, entity_key const& entity) {
    dynamic_entity intent{row.key.partition_key, key_of_intent(entity.row_key)};
    intent.set("Entity", entity.row_key);
    intent.set("EntityTable", std::string{table});
    intent.set("EntityPartition", entity.partition_key);
    name_row(intent, 0, row);
    return encoded(intent);
}

result<index_intent> read_intent(stored_entity const& row) {
    auto entity = text_in(row, "Entity");
    if (!entity) return failure{std::move(entity).error()};
    index_intent intent{.key = {row.partition_key, row.row_key}, .etag = row.etag, .stored = row.timestamp};
    intent.entity = {row.partition_key, *std::move(entity)};
    if (auto r = read_owner(row, intent); !r) return failure{std::move(r).error()};
    do {
        auto place = read_place(row, std::to_string(intent.rows.size()));
        if (!place) return failure{std::move(place).error()};
        intent.rows.push_back(*std::move(place));
    } while (row.find("Row" + std::to_string(intent.rows.size())));
    return intent;
}

}  // namespace tablemap::detail
