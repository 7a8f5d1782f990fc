// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/stored_row.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/row_codec.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

result<stored_row> read_body(write_operation const& o) {
    std::string text;
    detail::begin_entity(text, o.partition_key, o.row_key);
    if (o.kind != write_kind::erase) {
        auto const units = detail::utf16_length(o.partition_key).value_or(o.partition_key.size()) +
                           detail::utf16_length(o.row_key).value_or(o.row_key.size());
        try {
            detail::append_canonical(text, o.body, {o.partition_key, o.row_key, units}, o.kind == write_kind::insert);
        } catch (error const& e) {
            return failure{e};
        }
    }
    text += '}';
    return detail::read_dynamic(text);
}

result<void> merge_into(stored_row& row, dynamic_entity const& changes) {
    auto merged = row;
    for (auto const& p : detail::properties_of(changes)) merged.set_value(p.name, p.value);
    try {
        detail::check_entity_limits(entity_size(merged), detail::properties_of(merged).size());
    } catch (error const& e) {
        return failure{e};
    }
    row = std::move(merged);
    return {};
}

void append_row(std::string& out, stored_row const& row, std::span<std::string_view const> select) {
    auto const selected = [&](std::string const& name) {
        return select.empty() || std::find(select.begin(), select.end(), name) != select.end();
    };
    out += "{\"odata.etag\":";
    detail::append_json_string(out, row.etag.text());
    out.append(",\"").append(partition_key_name).append("\":");
    detail::append_json_string(out, row.partition_key);
    out.append(",\"").append(row_key_name).append("\":");
    detail::append_json_string(out, row.row_key);
    out.append(",\"").append(timestamp_name).append("\":");
    detail::append_value(out, row.timestamp);
    for (auto const& p : detail::properties_of(row)) {
        if (!selected(p.name)) continue;
        detail::append_name(out, p.name, type_of(p.value));
        detail::append_any_value(out, p.value);
    }
    out += '}';
}

bool entity_key_less::operator()(entity_key const& a, entity_key const& b) const noexcept {
    auto const order = detail::compare_utf16(a.partition_key, b.partition_key);
    return order == 0 ? detail::compare_utf16(a.row_key, b.row_key) < 0 : order < 0;
}

}  // namespace tablemap
