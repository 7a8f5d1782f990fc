// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/dynamic.hpp"

#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "mapping/plain_value.hpp"
#include "wire/dynamic_sink.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

only_properties::only_properties(std::initializer_list<std::string_view> list) : names(list.begin(), list.end()) {}

}  // namespace tablemap

namespace tablemap::inline v0_1::detail {
namespace {

/// A value that begins like an encrypted one is encrypted, too: otherwise it would be taken for one when it is read.
sealing sealing_of(property const& p, row_keys const& row, property_cipher const* cipher) {
    bool const sealed = p.encrypted || (cipher && (is_sealed(p.value) || cipher->wants(row, p.name)));
    return sealed ? sealing::sealed : sealing::none;
}

/// Appends a property with its value unencrypted: as JSON, or in plain bytes if `at.how` says that it will be
/// encrypted. Its places in `out` go to `at`.
result<void> append_open(std::string& out, property const& p, property_place& at) {
    at.begin = static_cast<std::uint32_t>(out.size());
    if (auto r = check_property_name(p.name); !r) return failure{r.error().at(p.name)};
    if (p.name == operation_id_property)
        return fail(library_errc::invalid_property_name,
                    {.reason = "TablemapOperation is the property of operation ids", .member = p.name});
    at.type = type_of(p.value);
    append_name(out, p.name, at.type);
    at.value = static_cast<std::uint32_t>(out.size());
    auto const code = append_as(at.how == sealing::none ? value_form::json : value_form::plain, out, p.value);
    if (code != nothing_wrong) return failure{property_error({code, {}}, p.name)};
    at.end = static_cast<std::uint32_t>(out.size());
    return {};
}

result<void> append_property(encoded_entity& out, property const& p, sealing how, property_cipher const* cipher) {
    property_place at{.how = how};
    if (auto r = append_open(out.body, p, at); !r) return r;
    if (how == sealing::none) return {};
    auto const value = out.body.substr(at.value);
    out.body.resize(at.begin);
    return append_sealed(out.body, {out.partition_key, out.row_key}, p.name, {at.type, value}, how, cipher);
}

result<void> append_property(encoded_entity& out, property const& p, property_cipher const* cipher) {
    return append_property(out, p, sealing_of(p, {out.partition_key, out.row_key}, cipher), cipher);
}

result<void> begin(dynamic_entity const& value, encoded_entity& out) {
    if (auto r = encode_keys(value, out.partition_key, out.row_key); !r) return r;
    out.body.clear();
    begin_entity(out.body, out.partition_key, out.row_key);
    return {};
}

entity<dynamic_entity> as_entity(stored_entity&& e) {
    auto tag = std::move(e.etag);
    auto const timestamp = e.timestamp;
    e.erase(operation_id_property);
    return {static_cast<dynamic_entity&&>(e), std::move(tag), timestamp};
}

}  // namespace

result<void> encode_keys(dynamic_entity const& value, std::string& partition_key, std::string& row_key) {
    partition_key = value.partition_key;
    row_key = value.row_key;
    if (auto r = check_key(partition_key); !r) return failure{r.error().at(partition_key_name)};
    if (auto r = check_key(row_key); !r) return failure{r.error().at(row_key_name)};
    return {};
}

result<void> encode_keys(key_of<dynamic_entity> const& key, std::string& partition_key, std::string& row_key) {
    return encode_keys(dynamic_entity{key.partition_key(), key.row_key()}, partition_key, row_key);
}

result<void> encode(dynamic_entity const& value, encoded_entity& out, empty_members, property_cipher const* cipher) {
    if (auto r = begin(value, out); !r) return r;
    for (auto const& p : properties_of(value))
        if (auto r = append_property(out, p, cipher); !r) return r;
    return finish_entity(out, properties_of(value).size());
}

result<void> encode_kept(dynamic_entity const& value, encoded_entity& out, property_cipher const* cipher) {
    if (auto r = begin(value, out); !r) return r;
    for (auto const& p : properties_of(value)) {
        auto const how = p.encrypted ? sealing::sealed : sealing::none;
        if (auto r = append_property(out, p, how, cipher); !r) return r;
    }
    return finish_entity(out, properties_of(value).size());
}

std::vector<std::string> blind_indexes_of(row_type const& type) {
    std::vector<std::string> names;
    for (auto const& c : type.columns)
        if (c.ops->how == sealing::hashed) names.emplace_back(type.name_of(c));
    return names;
}

result<void> set_blind_indexes(row_type const& type, dynamic_entity& row, property_cipher const* cipher) {
    for (auto const& name : blind_indexes_of(type)) {
        auto const member = std::string_view{name}.substr(0, name.size() - blind_index_suffix.size() - 1);
        auto const all = properties_of(row);
        auto const p = std::find_if(all.begin(), all.end(), [&](auto& x) { return x.name == member; });
        if (p == all.end() || !p->encrypted) {
            if (p == all.end() || !is_sealed(p->value)) row.erase(name);
            continue;
        }
        if (!cipher) return failure{no_keys(member)};
        auto hash = cipher->hash_of(member, p->value);
        if (!hash) return failure{hash.error()};
        row.set(name, std::move(*hash));
        row.decrypt(name);  // even if a resolver wants all properties encrypted: encrypted it could not be found
    }
    return {};
}

result<void> encode(dynamic_entity const& value, encoded_entity& out, only_properties const& chosen,
                    property_cipher const* cipher) {
    if (auto r = begin(value, out); !r) return r;
    std::size_t count = 0;
    for (auto i = chosen.names.begin(); i != chosen.names.end(); ++i) {
        auto const& name = *i;
        if (std::find(chosen.names.begin(), i, name) != i) continue;
        ++count;
        auto const all = properties_of(value);
        auto const at = std::find_if(all.begin(), all.end(), [&](auto& p) { return p.name == name; });
        if (at == all.end())
            return fail(library_errc::invalid_property_name,
                        {.reason = "the entity has no property of this name; a merge cannot remove one from the store",
                         .member = name});
        if (auto r = append_property(out, *at, cipher); !r) return r;
    }
    return finish_entity(out, count);
}

result<void> encode_state(dynamic_entity const& value, encoded_state& out, faulty_properties faulty,
                          property_cipher const* cipher) {
    auto& body = out.entity.body;
    out.places.clear();
    if (auto r = begin(value, out.entity); !r) return r;
    for (auto const& p : properties_of(value)) {
        property_place at{.how = sealing_of(p, {out.entity.partition_key, out.entity.row_key}, cipher)};
        if (auto r = append_open(body, p, at); !r) {
            if (faulty == faulty_properties::refused) return r;
            body.resize(at.begin);
            append_name(body, p.name, type_of(p.value));
            body.pop_back();  // the colon: a blank property differs from one with an empty value
            at.value = at.end = static_cast<std::uint32_t>(body.size());
        }
        out.places.push_back(at);
    }
    return {};
}

result<void> decode_into(std::string& json, entity<dynamic_entity>& out, property_cipher const* cipher) {
    cipher = needed_for(json, cipher);
    auto row = read_dynamic(json);
    if (!row) return failure{std::move(row).error()};
    auto opened = cipher ? cipher->open_all(*row) : opened_row{};
    if (!opened.faults.empty()) return failure{row_error(std::move(opened.faults))};
    out = as_entity(std::move(*row));
    out.outdated = opened.legacy;
    return {};
}

result<std::size_t> decode_page(std::string& json, std::vector<entity<dynamic_entity>>& out,
                                std::vector<bad_row_at>& bad, bool, property_cipher const* cipher,
                                page_bounds const& bounds) {
    cipher = needed_for(json, cipher);
    auto rows = read_dynamic_page(json);
    if (!rows) return failure{std::move(rows).error()};
    for (auto const& r : *rows)
        if (!bounds.hold(r.partition_key, r.row_key)) return failure{rows_not_asked_for()};
    for (auto& r : *rows) {
        auto opened = cipher ? cipher->open_all(r) : opened_row{};
        if (opened.faults.empty()) {
            out.push_back(as_entity(std::move(r)));
            out.back().outdated = opened.legacy;
            continue;
        }
        auto const e = row_error(std::move(opened.faults));
        bad.push_back({out.size(), {std::move(r.partition_key), std::move(r.row_key), e}});
    }
    return rows->size();
}

std::string body_of(dynamic_entity const& row) {
    std::string body;
    append_entity(body, row);
    return body;
}

namespace {

/// Appends a property as JSON, also if the state holds its plain bytes.
result<void> append_readable(std::string& out, encoded_state const& state, property_place const& p) {
    if (p.how == sealing::none) {
        out += text_of(state, p);
        return {};
    }
    auto const value = value_of_plain(p.type, value_of(state, p));
    if (!value) return fail(library_errc::type_mismatch, {.member = std::string{name_of(state, p)}});
    append_name(out, name_of(state, p), p.type);
    append_any_value(out, *value);
    return {};
}

}  // namespace

result<dynamic_entity> read_state(encoded_state const& state) {
    encoded_entity e{state.entity.partition_key, state.entity.row_key};
    begin_entity(e.body, e.partition_key, e.row_key);
    std::size_t count = 0;
    for (auto const& p : state.places) {
        if (p.how == sealing::hashed) continue;  // its hash needs the key
        if (auto r = append_readable(e.body, state, p); !r) return failure{std::move(r).error()};
        ++count;
    }
    if (auto r = finish_entity(e, count); !r) return failure{std::move(r).error()};
    auto row = read_dynamic(e.body);
    if (!row) return failure{std::move(row).error()};
    for (auto const& p : state.places)
        if (p.how == sealing::sealed) row->encrypt(name_of(state, p));
    return dynamic_entity{std::move(*row)};
}

}  // namespace tablemap::detail
