// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/dynamic.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/wire/dynamic_sink.hpp"
#include "tablemap/wire/writer.hpp"

#include <algorithm>

namespace tablemap::detail {
namespace {

result<void> append_property(std::string& out, property const& p) {
    if (auto r = check_property_name(p.name); !r) return failure{r.error().at(p.name)};
    if (p.name == token_property)
        return fail(library_errc::invalid_property_name,
                    {.reason = "TablemapOperation is the property of operation tokens", .member = p.name});
    append_name(out, p.name, type_of(p.value));
    auto const code = std::visit([&](auto const& v) { return append_checked(out, v); }, p.value);
    if (code != nothing_wrong) return failure{property_error({code, {}}, p.name)};
    return {};
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
    e.erase(token_property);
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

result<void> encode(dynamic_entity const& value, encoded_entity& out, empty_members) {
    if (auto r = begin(value, out); !r) return r;
    for (auto const& p : value.properties())
        if (auto r = append_property(out.body, p); !r) return r;
    return finish_entity(out, value.properties().size());
}

result<void> encode(dynamic_entity const& value, encoded_entity& out, only_properties const& chosen) {
    if (auto r = begin(value, out); !r) return r;
    std::size_t count = 0;
    for (auto i = chosen.names.begin(); i != chosen.names.end(); ++i) {
        auto const& name = *i;
        if (std::find(chosen.names.begin(), i, name) != i) continue;
        ++count;
        auto const all = value.properties();
        auto const at = std::find_if(all.begin(), all.end(), [&](auto& p) { return p.name == name; });
        if (at == all.end())
            return fail(library_errc::invalid_property_name,
                        {.reason = "the entity has no property of this name; a merge cannot remove one from the store",
                         .member = name});
        if (auto r = append_property(out.body, *at); !r) return r;
    }
    return finish_entity(out, count);
}

result<void> encode_state(dynamic_entity const& value, encoded_state& out, faulty_properties faulty) {
    auto& body = out.entity.body;
    out.places.clear();
    if (auto r = begin(value, out.entity); !r) return r;
    for (auto const& p : value.properties()) {
        auto const from = body.size();
        if (auto r = append_property(body, p); !r) {
            if (faulty == faulty_properties::refused) return r;
            body.resize(from);
            append_name(body, p.name, type_of(p.value));
        }
        out.places.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(body.size()), false});
    }
    return {};
}

result<void> decode_into(std::string& json, entity<dynamic_entity>& out) {
    auto row = read_dynamic(json);
    if (!row) return failure{std::move(row).error()};
    out = as_entity(std::move(*row));
    return {};
}

result<std::size_t> decode_page(std::string& json, std::vector<entity<dynamic_entity>>& out, std::vector<bad_row_at>&,
                                bool) {
    auto rows = read_dynamic_page(json);
    if (!rows) return failure{std::move(rows).error()};
    for (auto& r : *rows) out.push_back(as_entity(std::move(r)));
    return rows->size();
}

std::string body_of(dynamic_entity const& row) {
    std::string body;
    append_entity(body, row);
    return body;
}

result<dynamic_entity> read_body(std::string& body) {
    auto row = read_dynamic(body);
    if (!row) return failure{std::move(row).error()};
    return dynamic_entity{std::move(*row)};
}

}  // namespace tablemap::detail
