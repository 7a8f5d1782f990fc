// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"

#include "embedded/fragment.hpp"
#include "embedded/key_codec.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/detail/wire/writer.hpp"

namespace tablemap::inline v0_1::detail::embedded {

ticks checked_stamp(std::int64_t count) {
    ticks const t{count};
    if (!t.storable()) refuse(store_errc::corrupt, "a stored timestamp is out of range: restore a backup of the file");
    return t;
}

void entity_writer::append(std::string& out, stored_row const& row, std::span<std::string_view const> select) {
    time_.clear();
    append_ticks(time_, row.stamp);
    constexpr std::size_t hour_end = 13;  // YYYY-MM-DDThh
    out += "{\"odata.etag\":\"W/\\\"datetime'";
    out.append(time_, 0, hour_end).append("%3A");
    out.append(time_, hour_end + 1, 2).append("%3A");
    out.append(time_, hour_end + 4);
    out += "'\\\"\",\"PartitionKey\":";
    append_json_string(out, from_stored_key(row.partition_key, key_));
    out += ",\"RowKey\":";
    append_json_string(out, from_stored_key(row.row_key, key_));
    out += ",\"Timestamp\":\"";
    out += time_;
    out += '"';
    if (select.empty())
        out += row.fragment;
    else
        append_selected(out, row.fragment, select);
    out += '}';
}

}  // namespace tablemap::detail::embedded
