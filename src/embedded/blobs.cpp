// SPDX-License-Identifier: Apache-2.0
#include "embedded/blobs.hpp"

#include "embedded/blob_rows.hpp"
#include "embedded/cursor.hpp"
#include "embedded/refusal.hpp"

#include "store/service_answer.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

[[noreturn]] void refuse_gap() {
    refuse(store_errc::corrupt, "a stored blob lacks some of its bytes: restore a backup of the file");
}

// --- the bytes of a blob ---------------------------------------------------------------------------------------------

struct byte_range {
    std::uint64_t first;
    std::uint64_t end;
};

/// The part of a blob that is asked for.
byte_range range_in(std::uint64_t size, std::optional<blob_range> const& asked) {
    if (!asked) return {0, size};
    if (asked->first >= size) refuse(service_errc::invalid_range);
    auto const left = size - asked->first;
    return {asked->first, asked->first + std::min(asked->length.value_or(left), left)};
}

void check_size(byte_range const& r) {
    if (r.end - r.first > limits::block_bytes)
        refuse(transport_errc::response_too_large, "a response has room for 64 MiB: read the blob in ranges");
}

/// The part of a block from this place of the blob on.
std::string_view part_from(std::uint64_t at, std::int64_t place, std::string_view body) {
    auto const begin = static_cast<std::uint64_t>(place);
    if (place < 0 || begin > at || at - begin >= body.size()) refuse_gap();
    return body.substr(static_cast<std::size_t>(at - begin));
}

std::string read_bytes(connection& c, std::int64_t blob, byte_range const& r, call_limits const& limits) {
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(r.end - r.first));
    statement_use s{c.prepared(query::read_blocks)};
    s->bind(1, blob);
    s->bind(2, static_cast<std::int64_t>(r.first));
    s->bind(3, static_cast<std::int64_t>(r.end));
    while (s->step()) {
        limits.check();
        auto const at = r.first + bytes.size();
        bytes += part_from(at, s->integer(0), s->blob(1)).substr(0, static_cast<std::size_t>(r.end - at));
    }
    if (bytes.size() != r.end - r.first) refuse_gap();
    return bytes;
}

// --- lists -----------------------------------------------------------------------------------------------------------

/// Above every name that begins with this text: UTF-8 has no byte FF.
std::string end_of_prefix(std::string_view prefix) { return std::string{prefix} + '\xFF'; }

blob_properties listed(statement const& row) {
    blob_properties p;
    p.name = row.blob(0);
    fill_properties(p, row.integer(1), row.integer(2), row.integer(3));
    p.content_type = row.blob(4);
    return p;
}

/// The names of a page, and one more if there is another page.
struct page_bounds {
    std::string from;
    std::string end;
    std::size_t most;

    explicit page_bounds(list_blobs const& q)
        : from(q.prefix), end(end_of_prefix(q.prefix)), most(q.top.value_or(limits::page_blobs)) {
        if (!q.from.empty()) from = std::max(from, open_cursor(q.from));
    }
};

struct reader {
    connection& c;
    call_limits const& limits;

    response operator()(get_blob const& q) const {
        auto blob = require_blob(c, require_container(c, q.container), q.blob);
        require_match(blob, q.when.if_match);
        auto const range = range_in(blob.properties.size, q.range);
        check_size(range);
        auto answer = answer_with({.blob = blob.properties});
        answer.body = read_bytes(c, blob.id, range, limits);
        answer.etag = std::move(blob.properties.etag);
        return answer;
    }

    response operator()(head_blob const& q) const {
        auto blob = require_blob(c, require_container(c, q.container), q.blob);
        auto answer = answer_with({.blob = blob.properties});
        answer.etag = std::move(blob.properties.etag);
        return answer;
    }

    response operator()(list_blobs const& q) const {
        page_bounds const page{q};
        auto const container = require_container(c, q.container);
        statement_use s{c.prepared(query::list_blobs)};
        s->bind(1, container);
        s->bind_blob(2, page.from);
        s->bind_blob(3, page.end);
        s->bind(4, static_cast<std::int64_t>(page.most) + 1);
        service_response list;
        while (s->step()) {
            if (list.blobs.size() == page.most) {
                list.next_blob = seal_cursor(s->blob(0));
                break;
            }
            list.blobs.push_back(listed(*s.operator->()));
        }
        return answer_with(std::move(list));
    }

    template <class Write> response operator()(Write const&) const {
        refuse(library_errc::unsupported, "a write was taken for a read");
    }
};

}  // namespace

response read_blobs(connection& c, blob_request const& r, call_limits const& limits) {
    read_transaction const one_state{c.db()};
    return std::visit(reader{c, limits}, r);
}

}  // namespace tablemap::detail::embedded
