// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/write_encoder.hpp"

#include <algorithm>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

/// False for what a store or a proxy would take for any version, or for one of several.
bool names_one_version(std::string_view etag) noexcept {
    bool quoted = false;
    return std::none_of(etag.begin(), etag.end(), [&](char c) {
        if (c == '"') quoted = !quoted;
        return !quoted && (c == '*' || c == ',');
    });
}

bool is_generated(part_layout const& p) noexcept { return p.generated && is_readable(p); }

bool has_generated_part(static_list<part_layout> parts) noexcept {
    return std::any_of(parts.begin(), parts.end(), is_generated);
}

/// The members of an object that are generated parts of its keys, in the keys' order.
std::vector<guid*> generated_parts(row_type const& type, void* object) {
    std::vector<guid*> found;
    if (!has_generated_part(type.partition_parts) && !has_generated_part(type.row_parts)) return found;
    void* slots[most_slots];
    type.fill(object, slots, false);
    auto const* field = type.key_fields.data();
    for (auto const parts : {type.partition_parts, type.row_parts})
        for (auto const& p : parts) {
            if (is_generated(p)) found.push_back(static_cast<guid*>(slots[*field + 1]));
            ++field;
        }
    return found;
}

}  // namespace

std::string_view name_of(encoded_write const& w) noexcept {
    if (w.if_match != any_etag) return action_of(w.kind);
    return w.kind == write_kind::replace ? "replace_any" : w.kind == write_kind::merge ? "merge_any" : "erase_any";
}

std::optional<error> fault_of(result<void> const& r) { return r ? std::nullopt : std::optional{r.error()}; }

std::optional<error> fault_of_etag(etag const& e, std::string_view unconditional) {
    if (e.empty())
        return error{library_errc::missing_etag,
                     {.reason = "find the entity by its key before it is written, since one that comes out of an index "
                                "has no etag, or modify it, or use " +
                                std::string{unconditional}}};
    if (names_one_version(e.text())) return std::nullopt;
    return error{
        library_errc::missing_etag,
        {.reason = "the entity's etag is * or a list, which does not name one version; give it the etag that was "
                   "read, or use " +
                   std::string{unconditional}}};
}

encoded_write write_encoder_base::fresh(write_kind kind, std::string_view if_match, index_set const* indexes) const {
    encoded_write w{.kind = kind, .if_match = std::string{if_match}, .indexes = indexes};
    if (operation_ids_) w.entity.operation_id = random_guid(clock_);
    return w;
}

encoded_write write_encoder_base::whole(write_kind kind, whole_value const& value, std::string_view if_match) const {
    bool const made = kind != write_kind::replace && fill_generated(*value.type, value.object);
    auto w = fresh(kind, if_match, value.indexes);
    w.key_is_new = made;
    auto const encoded = encode_entity(*value.type, value.object, w.entity, empty_members::left_out, nullptr, cipher_);
    finish_whole(w, encoded, value.object);
    return w;
}

bool write_encoder_base::fill_generated(row_type const& type, void* object) const {
    bool made = false;
    for (auto* const id : generated_parts(type, object)) {
        if (*id != guid{}) continue;
        *id = random_guid(clock_);
        made = true;
    }
    return made;
}

void write_encoder_base::finish(encoded_write& w, result<void> const& encoded) { w.fault = fault_of(encoded); }

void write_encoder_base::finish_whole(encoded_write& w, result<void> const& encoded, void const* value) const {
    finish(w, encoded);
    if (w.fault || !w.indexes || !w.indexes->exact) return;
    w.rows.clear();
    w.fault = fault_of(w.indexes->add_rows_of_value(value, row_use::write, w.rows, cipher_));
    w.has_rows = true;
}

error merge_of_outdated() {
    return error{library_errc::outdated_entity,
                 {.reason = "a merge would leave old properties beside new ones; replace the entity, or migrate the "
                            "table"}};
}

}  // namespace tablemap::detail
