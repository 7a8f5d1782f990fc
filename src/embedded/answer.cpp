// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"

#include "embedded/fragment.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/detail/wire/writer.hpp"
#include "wire/packed_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tablemap::inline v0_1::detail::embedded {

ticks checked_stamp(std::int64_t count) {
    ticks const t{count};
    if (!t.storable()) refuse(store_errc::corrupt, "a stored timestamp is out of range: restore a backup of the file");
    return t;
}

namespace {

/// Short texts one after the other, for one append instead of several.
class short_pieces {
public:
    short_pieces& put(std::string_view piece) noexcept {
        end_ = std::copy_n(piece.data(), piece.size(), end_);
        return *this;
    }
    std::string_view text() const noexcept { return {buffer_.data(), static_cast<std::size_t>(end_ - buffer_.data())}; }

private:
    std::array<char, 128> buffer_;
    char* end_ = buffer_.data();
};

}  // namespace

void row_writer::append(std::string& out, stored_row const& row, ticks_text const& time_of_row) const {
    auto const time = time_of_row.view();  // YYYY-MM-DDThh:mm:ss, a fraction maybe, and Z
    out += short_pieces{}
               .put("{\"odata.etag\":\"W/\\\"datetime'")
               .put(time.substr(0, 13))
               .put("%3A")
               .put(time.substr(14, 2))
               .put("%3A")
               .put(time.substr(17))
               .put("'\\\"\",\"PartitionKey\":")
               .text();
    append_json_string(out, row.partition_key);
    out += ",\"RowKey\":";
    append_json_string(out, row.row_key);
    out += short_pieces{}.put(",\"Timestamp\":\"").put(time).put("\"").text();
    append_properties(out, row.fragment);
    out += '}';
}

void row_writer::append_packed(std::string& out, stored_row const& row) const {
    auto const at =
        begin_packed_row(out, {.partition_key = row.partition_key, .row_key = row.row_key, .stamp = row.stamp});
    append_properties(out, row.fragment);
    end_packed_row(out, at);
}

void row_writer::append_properties(std::string& out, std::string_view fragment) const {
    if (select_.empty())
        out += fragment;
    else
        append_selected(out, fragment, select_);
}

}  // namespace tablemap::detail::embedded
