// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/value_editor.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/wire/reader.hpp"
#include "tablemap/wire/writer.hpp"

#include <algorithm>

namespace tablemap::detail {
namespace {

failure key_changed() {
    return fail(library_errc::key_changed, {.reason = "modify may not change a member of the key: another key is "
                                                      "another entity; insert that one and erase this"});
}

bool has_property(encoded_state const& s, std::string_view name) {
    return std::any_of(s.places.begin(), s.places.end(), [&](auto& p) { return name_of(s, p) == name; });
}

/// Upgrades a row of an older version, as reading it did.
result<void> upgrade(std::span<row_type const* const> types, dynamic_entity& row) {
    for (auto const* t : types) {
        auto const* tag = row.try_get<std::string>(t->discriminator.property);
        auto const version = tag ? version_in(*tag, t->discriminator.type) : 0;
        if (version > 0 && version < t->version) return upgrade_row(*t, version, row);
    }
    return {};
}

/// All of `after`, and what the row has beside the properties of `before`.
result<void> encode_replacement(dynamic_entity const& row, encoded_state const& before, encoded_state const& after,
                                encoded_entity& out) {
    auto count = after.places.size();
    out.body = after.entity.body;
    for (auto const& p : row.properties()) {
        // A token that stays tells its writer as well as one that a merge left.
        if (p.name == token_property ? out.token.has_value()
                                     : has_property(before, p.name) || has_property(after, p.name))
            continue;
        append_name(out.body, p.name, type_of(p.value));
        append_any_value(out.body, p.value);
        ++count;
    }
    return finish_entity(out, count);
}

}  // namespace

result<std::optional<edited_entity>> compose_edit(std::string& row, bool outdated,
                                                  std::span<row_type const* const> types, encoded_state const& before,
                                                  encoded_state const& after) {
    if (!have_same_keys(before, after)) return key_changed();
    auto const d = compare(before, after);
    bool const merges = !outdated && d.removed.empty();
    if (merges && !d.changed) return std::nullopt;
    encoded_entity out{.token = after.entity.token};
    if (merges) {
        if (auto r = encode_places(after, d.to_merge, out); !r) return failure{std::move(r).error()};
        return edited_entity{write_kind::merge, std::move(out.body), out.token};
    }
    auto read = read_dynamic(row);
    if (!read) return failure{std::move(read).error()};
    auto r = outdated ? upgrade(types, *read) : result<void>{};
    if (r) r = encode_replacement(*read, before, after, out);
    if (!r) return failure{std::move(r).error()};
    return edited_entity{write_kind::replace, std::move(out.body), out.token};
}

result<edited_entity> compose_insert(encoded_state const& before, encoded_state const& after) {
    if (!have_same_keys(before, after)) return key_changed();
    encoded_entity out{.token = after.entity.token};
    if (auto r = encode_places(after, after.places, out); !r) return failure{std::move(r).error()};
    return edited_entity{write_kind::insert, std::move(out.body), out.token};
}

}  // namespace tablemap::detail
