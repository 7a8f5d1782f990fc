// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/value_editor.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

failure key_changed() {
    return fail(library_errc::key_changed, {.reason = "modify may not change a member of the key: another key is "
                                                      "another entity; insert that one and erase this"});
}

bool is_among(encoded_state const& s, std::vector<property_place> const& places, std::string_view name) {
    return std::any_of(places.begin(), places.end(), [&](auto& p) { return name_of(s, p) == name; });
}

/// Upgrades a row of an older version, as reading it did, and marks the properties to encrypt. Other rows may hold
/// values that cannot be decrypted: they stay.
result<void> upgrade(static_list<row_type const*> types, dynamic_entity& row, property_cipher const* cipher) {
    auto opened = open_whole(row, cipher);
    for (auto const* t : types) {
        auto const* tag = row.try_get<std::string>(t->discriminator.property);
        auto const version = tag ? version_in(*tag, t->discriminator.type) : 0;
        if (version == 0 || version >= t->version) continue;
        if (!opened.faults.empty()) return failure{row_error(std::move(opened.faults))};
        if (auto r = upgrade_row(*t, version, row); !r) return r;
        break;
    }
    if (cipher) cipher->mark_wanted(row, types.front()->discriminator.property);
    return {};
}

/// The `rewritten` properties of `after`, and the row's own beside them, except those that only `before` has.
result<void> encode_replacement(dynamic_entity const& row, encoded_state const& before, encoded_state const& after,
                                std::vector<property_place> const& rewritten, encoded_entity& out,
                                property_cipher const* cipher) {
    row_keys const keys{after.entity.partition_key, after.entity.row_key};
    begin_entity(out.body, keys.partition_key, keys.row_key);
    for (auto const& p : rewritten)
        if (auto r = append_place(out.body, after, p, cipher); !r) return r;
    auto count = rewritten.size();
    for (auto const& p : properties_of(row)) {
        // A token that stays tells its writer as well as one that a merge left.
        bool const replaced = p.name == operation_id_property
                                  ? out.operation_id.has_value()
                                  : is_among(after, rewritten, p.name) || (is_among(before, before.places, p.name) &&
                                                                           !is_among(after, after.places, p.name));
        if (replaced) continue;
        if (auto r = check_property_name(p.name); !r) return failure{r.error().at(p.name)};
        ++count;
        if (p.encrypted) {
            // A value that an upgrade function has made was not checked yet.
            std::string plain;
            if (auto const fault = append_as(value_form::plain, plain, p.value); fault != nothing_wrong)
                return failure{property_error({fault, {}}, p.name)};
            auto r = append_sealed(out.body, keys, p.name, {type_of(p.value), plain}, sealing::sealed, cipher);
            if (!r) return r;
            continue;
        }
        append_name(out.body, p.name, type_of(p.value));
        append_any_value(out.body, p.value);
    }
    return finish_entity(out, count);
}

}  // namespace

result<bool> compose_edit(std::string& row, bool outdated, static_list<row_type const*> types,
                          encoded_state const& before, encoded_state const& after, property_cipher const* cipher,
                          edited_entity& out) {
    if (!have_same_keys(before, after)) return key_changed();
    auto const d = compare(before, after);
    bool const merges = !outdated && d.removed.empty();
    if (merges && !d.changed) return false;
    encoded_entity made{.operation_id = after.entity.operation_id};
    if (merges) {
        if (auto r = encode_places(after, d.to_merge, made, cipher); !r) return failure{std::move(r).error()};
        out = {write_kind::merge, std::move(made.body), made.operation_id};
        return true;
    }
    auto read = read_dynamic(row);
    if (!read) return failure{std::move(read).error()};
    auto r = outdated ? upgrade(types, *read, cipher) : result<void>{};
    // Unchanged properties keep their values in the row, as in a merge: these may be more exact than the members.
    if (r) r = encode_replacement(*read, before, after, outdated ? after.places : d.to_merge, made, cipher);
    if (!r) return failure{std::move(r).error()};
    out = {write_kind::replace, std::move(made.body), made.operation_id};
    return true;
}

result<void> compose_insert(encoded_state const& before, encoded_state const& after, property_cipher const* cipher,
                            edited_entity& out) {
    if (!have_same_keys(before, after)) return key_changed();
    encoded_entity made{.operation_id = after.entity.operation_id};
    if (auto r = encode_places(after, after.places, made, cipher); !r) return r;
    out = {write_kind::insert, std::move(made.body), made.operation_id};
    return {};
}

}  // namespace tablemap::detail
