// SPDX-License-Identifier: Apache-2.0
#include "embedded/blob_rows.hpp"

#include "embedded/answer.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"

#include "tablemap/store/request.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

ticks whole_seconds(ticks t) {
    constexpr std::int64_t second = std::chrono::duration_cast<tick_duration>(std::chrono::seconds{1}).count();
    return ticks{t.count() / second * second};
}

}  // namespace

std::int64_t require_container(connection& c, std::string_view name) {
    if (!has_queue_tables(c.db())) refuse(service_errc::container_not_found);
    statement_use s{c.prepared(query::find_container)};
    s->bind_text(1, name);
    if (!s->step()) refuse(service_errc::container_not_found);
    return s->integer(0);
}

std::optional<blob_row> find_blob(connection& c, std::int64_t container, std::string_view name) {
    statement_use s{c.prepared(query::find_blob)};
    s->bind(1, container);
    s->bind_blob(2, name);
    if (!s->step()) return std::nullopt;
    blob_row row{.id = s->integer(0), .blocks = s->integer(4), .stamp = checked_stamp(s->integer(2))};
    fill_properties(row.properties, s->integer(1), s->integer(2), s->integer(3));
    row.properties.name = name;
    row.properties.content_type = s->blob(5);
    if (row.properties.kind == blob_kind::append)
        row.properties.appended_blocks = static_cast<std::uint32_t>(row.blocks);
    return row;
}

blob_row require_blob(connection& c, std::int64_t container, std::string_view name) {
    auto row = find_blob(c, container, name);
    if (!row) refuse(service_errc::blob_not_found);
    return *std::move(row);
}

void fill_properties(blob_properties& p, std::int64_t kind, std::int64_t stamp, std::int64_t size) {
    bool const is_known =
        kind == static_cast<std::int64_t>(blob_kind::block) || kind == static_cast<std::int64_t>(blob_kind::append);
    if (!is_known || size < 0)
        refuse(store_errc::corrupt, "a stored blob cannot be read: restore a backup of the file");
    p.kind = static_cast<blob_kind>(kind);
    p.size = static_cast<std::uint64_t>(size);
    p.etag = blob_etag(checked_stamp(stamp));
    p.modified = whole_seconds(checked_stamp(stamp));
}

etag blob_etag(ticks stamp) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::array<char, 16> text{};
    auto rest = static_cast<std::uint64_t>(stamp.count());
    for (auto at = text.rbegin(); at != text.rend(); ++at, rest /= digits.size()) *at = digits[rest % digits.size()];
    return etag{"\"0x" + std::string{text.data(), text.size()} + '"'};
}

void require_match(blob_row const& row, std::string_view if_match) {
    if (!if_match.empty() && if_match != any_etag && if_match != row.properties.etag.text())
        refuse(service_errc::update_condition_not_satisfied);
}

}  // namespace tablemap::detail::embedded
