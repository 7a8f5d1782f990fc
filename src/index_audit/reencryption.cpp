// SPDX-License-Identifier: Apache-2.0
#include "tablemap/index_audit/reencryption.hpp"

#include "crypto/sealed_value.hpp"
#include "index_audit/row_rewrite.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/large.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

/// The form in which a type stores a column of a name, null if it has none.
value_ops const* ops_of(row_type const& type, std::string_view name) {
    for (auto const& c : type.columns)
        if (type.name_of(c) == name) return c.ops;
    auto const* const map = type.map_of(name);
    return map ? map->ops->element : nullptr;
}

/// A value in a blob under another key is none of the row's.
property_fault value_in_blob(std::string const& property) {
    return {library_errc::unsupported,
            property,
            {},
            {},
            "its value is in a blob under another key; call reencrypt of the large_table, and erase no key before"};
}

class key_rewriter final : public row_rewriter {
public:
    key_rewriter(static_list<row_type const*> types, index_set const* indexes, property_cipher const& cipher,
                 bool values_in_the_open)
        : types_(types), indexes_(indexes), cipher_(cipher), opens_(values_in_the_open) {}

    filter::expression const* condition() const noexcept override { return nullptr; }
    result<row_verdict> rewrite(stored_entity e) const override;

private:
    struct work;

    result<edited_entity> replace(stored_entity e) const;
    result<edited_entity> merge(stored_entity const& e, std::vector<std::string> const& changed) const;
    row_type const* type_of_row(stored_entity const& e) const;
    bool is_of_older_version(stored_entity const& e) const;
    static bool is_in_the_open(row_type const* type, property const& p);
    bool may_need_work(row_type const* type, stored_entity const& e, std::string_view key) const;
    void seal_what_is_in_the_open(row_type const* type, work& w) const;
    result<void> renew_indexes(row_type const& type, work& w) const;
    result<void> renew_known_indexes(work& w) const;

    static_list<row_type const*> types_;
    index_set const* indexes_;
    property_cipher const& cipher_;
    bool opens_;
};

/// Null for a row of another type than these, or of another version: the meaning of its columns is unknown here.
row_type const* key_rewriter::type_of_row(stored_entity const& e) const {
    auto const is_it = [&](row_type const* t, std::string_view prefix) {
        if (t->discriminator.property.empty())
            return e.row_key.starts_with(prefix) && has_literals(t->partition_parts, e.partition_key) &&
                   has_literals(t->row_parts, e.row_key);
        auto const* const tag = e.try_get<std::string>(t->discriminator.property);
        return tag && version_in(*tag, t->discriminator.type) == t->version;
    };
    if (indexes_)
        for (auto const& index : indexes_->list)
            if (is_it(index.rows, index.row_prefix)) return index.rows;
    if (indexes_)
        for (auto const& index : indexes_->elsewhere)
            if (is_it(index.rows, index.row_prefix) && e.row_key.starts_with(index.row_prefix)) return index.rows;
    auto const at = std::find_if(types_.begin(), types_.end(), [&](auto* t) { return is_it(t, t->row_prefix); });
    return at == types_.end() ? nullptr : *at;
}

/// A row that is being worked on.
struct key_rewriter::work {
    dynamic_entity stored;
    stored_entity row;                   ///< with its values in the open
    std::vector<std::string> changed{};  ///< properties
    std::vector<property_fault> faults{};
    bool whole = false;  ///< something has to go, which a merge cannot do
};

bool key_rewriter::is_of_older_version(stored_entity const& e) const {
    auto const is_older = [&](row_type const* t) {
        auto const* const tag = e.try_get<std::string>(t->discriminator.property);
        auto const version = tag ? version_in(*tag, t->discriminator.type) : 0;
        return version > 0 && version < t->version;
    };
    if (std::any_of(types_.begin(), types_.end(), is_older)) return true;
    return indexes_ && (std::any_of(indexes_->list.begin(), indexes_->list.end(),
                                    [&](index_type const& index) { return is_older(index.rows); }) ||
                        std::any_of(indexes_->elsewhere.begin(), indexes_->elsewhere.end(),
                                    [&](elsewhere_type const& index) { return is_older(index.rows); }));
}

/// True for the value of an encrypted member that is not encrypted.
bool key_rewriter::is_in_the_open(row_type const* type, property const& p) {
    if (!type || p.encrypted || is_sealed(p.value)) return false;
    auto const* const ops = ops_of(*type, p.name);
    return ops && ops->how == sealing::sealed;
}

/// True if the values must be examined to see that nothing has to change.
bool key_rewriter::may_need_work(row_type const* type, stored_entity const& e, std::string_view key) const {
    if (opens_ || (cipher_.legacy() && e.find(legacy_metadata1))) return true;
    if (type && !blind_indexes_of(*type).empty()) return true;
    auto const all = properties_of(e);
    return std::any_of(all.begin(), all.end(), [&](auto& p) {
        if (is_in_the_open(type, p) || reference_under_other_key(p.value, key)) return true;
        return is_sealed(p.value) &&
               (key_id_of(std::get<bytes>(p.value)) != key || (!type && e.find(blind_index_name(p.name))));
    });
}

/// A row of none of the given types is left alone. Without types the resolver alone decides.
void key_rewriter::seal_what_is_in_the_open(row_type const* type, work& w) const {
    if (w.row.find(legacy_metadata1)) {
        if (w.faults.empty())
            w.faults.push_back(
                fault_of(error{library_errc::unreadable_legacy_row, {.reason = no_legacy_keys}}, legacy_metadata1));
        return;
    }
    if (!type && !types_.empty()) return;
    for (std::size_t i = 0; i < properties_of(w.row).size(); ++i) {
        auto const& p = properties_of(w.row)[i];
        if (p.encrypted || is_sealed(p.value) || p.name == operation_id_property) continue;
        auto const* const ops = type ? ops_of(*type, p.name) : nullptr;
        bool const member = ops && ops->how == sealing::sealed;
        bool const closed = (ops && ops->how == sealing::hashed) || (type && p.name == type->discriminator.property);
        if (!member && (closed || !cipher_.wants({w.row.partition_key, w.row.row_key}, p.name))) continue;
        if (member && ops->type != type_of(p.value)) {
            w.faults.push_back({library_errc::type_mismatch, p.name, std::string{edm_name(ops->type)},
                                std::string{edm_name(type_of(p.value))}, "encrypted, the member could not read it"});
            continue;
        }
        w.row.encrypt(p.name);
        w.changed.push_back(p.name);
    }
}

result<void> key_rewriter::renew_indexes(row_type const& type, work& w) const {
    if (auto r = set_blind_indexes(type, w.row, &cipher_); !r) return r;
    for (auto const& name : blind_indexes_of(type)) {
        auto const* const now = w.row.find(name);
        auto const* const before = w.stored.find(name);
        if (now && (!before || *before != *now)) w.changed.push_back(name);
        if (before && !now) w.whole = true;
    }
    return {};
}

/// Without the type of a row a blind index is recognised by its value.
result<void> key_rewriter::renew_known_indexes(work& w) const {
    std::vector<std::pair<std::string, bytes>> renewed;
    for (auto const& p : properties_of(w.row)) {
        auto const name = blind_index_name(p.name);
        auto const* const before = w.stored.try_get<bytes>(name);
        if (!p.encrypted || !before) continue;
        auto const hashes = cipher_.hashes_of(p.name, p.value);
        if (!hashes) return failure{hashes.error()};
        auto const at = std::find(hashes->begin(), hashes->end(), *before);
        if (at == hashes->end() && is_of_older_version(w.row))
            w.faults.push_back({library_errc::outdated_entity,
                                name,
                                {},
                                {},
                                "it is a blind index under none of the keys; migrate the table, which makes it anew"});
        if (at != hashes->end() && at != hashes->begin()) renewed.emplace_back(name, hashes->front());
    }
    for (auto& [name, hash] : renewed) {
        w.row.set(name, std::move(hash));
        w.changed.push_back(name);
    }
    return {};
}

/// The whole row: what the older client wrote beside the values must go.
result<edited_entity> key_rewriter::replace(stored_entity e) const {
    e.erase(operation_id_property);
    encoded_entity out;
    if (auto r = encode_kept(e, out, &cipher_); !r) return failure{std::move(r).error()};
    return edited_entity{write_kind::replace, std::move(out.body), {}};
}

result<edited_entity> key_rewriter::merge(stored_entity const& e, std::vector<std::string> const& changed) const {
    dynamic_entity merged{e.partition_key, e.row_key};
    for (auto const& p : properties_of(e)) {
        if (std::find(changed.begin(), changed.end(), p.name) == changed.end()) continue;
        merged.set_value(p.name, p.value);
        if (p.encrypted) merged.encrypt(p.name);
    }
    encoded_entity out;
    if (auto r = encode_kept(merged, out, &cipher_); !r) return failure{std::move(r).error()};
    return edited_entity{write_kind::merge, std::move(out.body), {}};
}

result<row_verdict> key_rewriter::rewrite(stored_entity e) const {
    auto const key = cipher_.current_key();
    if (!key) return failure{key.error()};
    auto const* const type = type_of_row(e);
    if (!may_need_work(type, e, key->id())) return row_verdict{};
    work w{.stored = e, .row = e};
    auto opened = cipher_.open_all(w.row);
    if (opened.unavailable) return failure{std::move(*opened.unavailable)};
    w.faults = std::move(opened.faults);
    w.whole = opened.legacy;
    for (auto const& p : properties_of(w.row)) {
        auto const* const before = w.stored.find(p.name);
        if (p.encrypted && before && is_sealed(*before) && key_id_of(std::get<bytes>(*before)) != key->id())
            w.changed.push_back(p.name);
    }
    for (auto const& p : properties_of(w.stored))
        if (reference_under_other_key(p.value, key->id())) w.faults.push_back(value_in_blob(p.name));
    if (opens_) {
        seal_what_is_in_the_open(type, w);
    } else {
        for (auto const& p : properties_of(w.row))
            if (is_in_the_open(type, p))
                w.faults.push_back({library_errc::unencrypted_value,
                                    p.name,
                                    {},
                                    {},
                                    "if it is yours, call reencrypt once with {.values_in_the_open = true}"});
    }
    if (auto r = type ? renew_indexes(*type, w) : renew_known_indexes(w); !r) return failure{std::move(r).error()};

    row_verdict verdict;
    if (w.whole || !w.changed.empty()) {
        auto edit = w.whole ? replace(std::move(w.row)) : merge(w.row, w.changed);
        if (!edit) return row_verdict{.refused = std::move(edit).error()};
        verdict.edit = *std::move(edit);
    }
    if (!w.faults.empty()) verdict.refused = row_error(std::move(w.faults));
    return verdict;
}

}  // namespace

task<result<reencryption_report>> reencrypt_rows(std::string_view table, static_list<row_type const*> types,
                                                 index_set const* indexes, property_cipher const* cipher,
                                                 reencryption_options options) {
    bool const opens = options.values_in_the_open;
    if (!cipher) return rewrite_rows(table, failure{no_keys({})}, std::move(options));
    return rewrite_rows(table, std::make_unique<key_rewriter const>(types, indexes, *cipher, opens),
                        std::move(options));
}

}  // namespace tablemap::detail
