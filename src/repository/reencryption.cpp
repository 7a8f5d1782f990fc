// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/reencryption.hpp"

#include "tablemap/crypto/sealed_value.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::detail {
namespace {

/// How a type stores a column of a name, null if it has none.
value_ops const* ops_of(row_type const& type, std::string_view name) {
    for (auto const& c : type.columns)
        if (type.name_of(c) == name) return c.ops;
    auto const* const map = type.map_of(name);
    return map ? map->ops->element : nullptr;
}

}  // namespace

/// Null for a row of another type than these, or of another version: what its columns mean is not known here.
row_type const* key_rewriter::type_of_row(stored_entity const& e) const {
    auto const is_it = [&](row_type const* t) {
        if (t->discriminator.property.empty()) return e.row_key.starts_with(t->row_prefix);
        auto const* const tag = e.try_get<std::string>(t->discriminator.property);
        return tag && version_in(*tag, t->discriminator.type) == t->version;
    };
    auto const at = std::find_if(types_.begin(), types_.end(), is_it);
    return at == types_.end() ? nullptr : *at;
}

bool key_rewriter::is_misplaced_in_the_open(row_type const* type, stored_entity const& e, property const& p) const {
    if (!opens_ || is_sealed(p.value) || p.name == token_property) return false;
    if (!type && !types_.empty()) return false;
    auto const* const ops = type ? ops_of(*type, p.name) : nullptr;
    if (ops && ops->how != sealing::none) return ops->how == sealing::sealed;
    bool const mark = type && p.name == type->discriminator.property;
    return !mark && cipher_.wants({e.partition_key, e.row_key}, p.name);
}

/// The whole row: what the older client wrote beside the values must go.
result<std::optional<edited_entity>> key_rewriter::replace(stored_entity e) const {
    e.erase(token_property);
    encoded_entity out;
    if (auto r = encode_kept(e, out, &cipher_); !r) return failure{std::move(r).error()};
    return edited_entity{write_kind::replace, std::move(out.body)};
}

result<std::optional<edited_entity>> key_rewriter::merge(stored_entity const& e,
                                                         std::vector<std::string> const& changed) const {
    if (changed.empty()) return std::nullopt;
    dynamic_entity merged{e.partition_key, e.row_key};
    for (auto const& p : e.properties()) {
        if (std::find(changed.begin(), changed.end(), p.name) == changed.end()) continue;
        merged.set_value(p.name, p.value);
        if (p.encrypted) merged.encrypt(p.name);
    }
    encoded_entity out;
    if (auto r = encode_kept(merged, out, &cipher_); !r) return failure{std::move(r).error()};
    return edited_entity{write_kind::merge, std::move(out.body)};
}

result<std::optional<edited_entity>> key_rewriter::rewrite(stored_entity e) const {
    auto const key = cipher_.current_key();
    if (!key) return failure{key.error()};
    auto const* const type = type_of_row(e);
    std::vector<std::string> changed;
    for (auto const& p : e.properties()) {
        bool const old = is_sealed(p.value) && key_id_of(std::get<bytes>(p.value)) != key->id();
        if (old || is_misplaced_in_the_open(type, e, p)) changed.push_back(p.name);
    }
    auto const indexes = type ? blind_indexes_of(*type) : std::vector<std::string>{};
    bool const legacy = cipher_.legacy() && e.find(legacy_metadata1);
    if (changed.empty() && indexes.empty() && !legacy) return std::nullopt;
    auto const stored = static_cast<dynamic_entity const&>(e);
    auto opened = cipher_.open_all(e);
    if (!opened.faults.empty()) return failure{row_error(std::move(opened.faults))};
    for (auto const& name : changed) e.encrypt(name);
    if (type)
        if (auto r = set_blind_indexes(*type, e, &cipher_); !r) return failure{r.error()};
    if (opened.legacy) return replace(std::move(e));
    for (auto const& name : indexes)
        if (auto const* const now = e.find(name); now && (!stored.find(name) || *stored.find(name) != *now))
            changed.push_back(name);
    return merge(e, changed);
}

}  // namespace tablemap::detail
