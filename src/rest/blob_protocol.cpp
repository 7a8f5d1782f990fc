// SPDX-License-Identifier: Apache-2.0
#include "rest/blob_protocol.hpp"

#include "rest/blob_xml.hpp"
#include "rest/http_date.hpp"
#include "rest/response_parts.hpp"
#include "store/service_answer.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The number at the begin of a text, which is moved behind it and the character that has to follow, if one has to.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view end = {}) noexcept {
    std::uint64_t n = 0;
    auto const [rest, e] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (e != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    if (end.empty() ? !text.empty() : !text.starts_with(end)) return std::nullopt;
    text.remove_prefix(end.size());
    return n;
}

std::optional<std::uint64_t> number_in_header(http_response const& answer, std::string_view name) {
    auto text = value_of(answer, name);
    return take_number(text);
}

response read_write(http_response const& answer) {
    auto const header = value_of(answer, "ETag");
    if (!is_etag(header))
        return malformed("the blob is stored, but its etag did not come: read its properties", outcome::applied);
    response r;
    r.etag = etag{std::string{header}};
    return r;
}

response read_append(append_block const& q, http_response const& answer) {
    auto r = read_write(answer);
    if (r.failure) return r;
    auto const at = number_in_header(answer, "x-ms-blob-append-offset");
    if (!at || (q.position && at != q.position))
        return malformed("the bytes are appended, but the store does not tell where: read the blob's properties",
                         outcome::applied);
    blob_properties p{.name = std::string{q.blob}, .etag = r.etag, .size = *at + q.body.size()};
    p.kind = blob_kind::append;
    p.modified = parse_http_date(value_of(answer, "Last-Modified")).value_or(ticks{});
    p.appended_blocks =
        static_cast<std::uint32_t>(number_in_header(answer, "x-ms-blob-committed-block-count").value_or(0));
    auto e = std::move(r.etag);
    r = answer_with({.blob = std::move(p)});
    r.etag = std::move(e);
    return r;
}

/// The properties in the head of a response, without the size.
std::optional<blob_properties> properties_in(std::string_view name, http_response const& answer) {
    auto const header = value_of(answer, "ETag");
    auto const modified = parse_http_date(value_of(answer, "Last-Modified"));
    auto const kind = value_of(answer, "x-ms-blob-type");
    if (!is_etag(header) || !modified || kind.empty()) return std::nullopt;
    blob_properties p{.name = std::string{name},
                      .etag = etag{std::string{header}},
                      .modified = *modified,
                      .content_type = std::string{value_of(answer, "Content-Type")},
                      .kind = blob_kind_of(kind)};
    p.appended_blocks =
        static_cast<std::uint32_t>(number_in_header(answer, "x-ms-blob-committed-block-count").value_or(0));
    return p;
}

response no_properties() {
    return malformed("the response lacks the properties of a blob: is this the address of a blob service");
}

response found(blob_properties&& p, std::string body = {}) {
    auto e = p.etag;
    auto r = answer_with({.blob = std::move(p)});
    r.etag = std::move(e);
    r.body = std::move(body);
    return r;
}

/// The size of the blob of which this part came; nothing if it is not the part that was asked for, as far as there is
/// so much.
std::optional<std::uint64_t> size_of_whole(blob_range const& asked, std::string_view content_range,
                                           std::size_t came) noexcept {
    constexpr std::string_view unit = "bytes ";
    if (!content_range.starts_with(unit)) return std::nullopt;
    content_range.remove_prefix(unit.size());
    auto const first = take_number(content_range, "-");
    auto const last = take_number(content_range, "/");
    auto const size = take_number(content_range);
    if (!first || !last || !size || *first != asked.first || *last < *first || *last >= *size) return std::nullopt;
    auto const expected = std::min(*size - asked.first, asked.length.value_or(*size));
    return *last - *first + 1 == expected && came == expected ? size : std::nullopt;
}

/// True for a part without bytes that begins behind the end. The service refuses such a range, the emulator does not if
/// it begins exactly there.
bool is_behind_end(blob_range const& asked, std::string_view content_range, std::size_t came) noexcept {
    content_range.remove_prefix(std::min(content_range.find('/'), content_range.size()));
    if (came > 0 || content_range.empty()) return false;
    content_range.remove_prefix(1);
    auto const size = take_number(content_range);
    return size && asked.first >= *size;
}

response read_part(blob_properties&& p, blob_range const& asked, http_response&& answer) {
    auto const range = value_of(answer, "Content-Range");
    if (is_behind_end(asked, range, answer.body.size())) return response::failed(error{service_errc::invalid_range});
    auto const size = size_of_whole(asked, range, answer.body.size());
    if (!size) return malformed("the store sent another part of the blob than it was asked for");
    p.size = *size;
    return found(std::move(p), std::move(answer.body));
}

/// A store that knows no ranges sends the whole blob, which holds the part.
response read_whole(blob_properties&& p, std::optional<blob_range> const& asked, http_response&& answer) {
    p.size = answer.body.size();
    if (!asked) return found(std::move(p), std::move(answer.body));
    if (asked->first >= p.size) return response::failed(error{service_errc::invalid_range});
    auto const most = std::min(asked->length.value_or(p.size), p.size);
    auto part = answer.body.substr(static_cast<std::size_t>(asked->first), static_cast<std::size_t>(most));
    return found(std::move(p), std::move(part));
}

response read_list(list_blobs const& asked, http_response const& answer) {
    auto list = read_blob_list(answer.body);
    if (!list) return response::failed(list.error());
    if (list->blobs.size() > asked.top.value_or(limits::page_blobs))
        return malformed("the list has more blobs than it was asked for");
    if (!std::all_of(list->blobs.begin(), list->blobs.end(), [&](auto& b) { return b.name.starts_with(asked.prefix); }))
        return malformed("the list has a blob whose name does not begin with the prefix");
    if (!list->next.empty() && list->next == asked.from)
        return malformed("the store says that the list goes on where this page began: it would never end");
    service_response what{.blobs = std::move(list->blobs)};
    if (!list->next.empty()) what.next_blob = std::move(list->next);
    return answer_with(std::move(what));
}

struct blob_success_reader {
    http_response& answer;

    response operator()(create_container const&) const { return {}; }
    response operator()(delete_container const&) const { return {}; }
    response operator()(put_blob const&) const { return read_write(answer); }
    response operator()(get_blob const& q) const {
        auto p = properties_in(q.blob, answer);
        if (!p) return no_properties();
        if (answer.status == 206 && q.range) return read_part(*std::move(p), *q.range, std::move(answer));
        return read_whole(*std::move(p), q.range, std::move(answer));
    }
    response operator()(head_blob const& q) const {
        auto p = properties_in(q.blob, answer);
        auto const size = number_in_header(answer, "Content-Length");
        if (!p || !size) return no_properties();
        p->size = *size;
        return found(*std::move(p));
    }
    response operator()(delete_blob const&) const { return {}; }
    response operator()(list_blobs const& q) const { return read_list(q, answer); }
    response operator()(create_append_blob const&) const { return read_write(answer); }
    response operator()(append_block const& q) const { return read_append(q, answer); }
    response operator()(stage_block const&) const { return {}; }
    response operator()(commit_blocks const&) const { return read_write(answer); }
};

/// The statuses by which the service says that it has done what was asked.
struct is_blob_success {
    int status;

    bool operator()(delete_container const&) const { return status == 202; }
    bool operator()(delete_blob const&) const { return status == 202; }
    bool operator()(get_blob const& q) const { return status == 200 || (status == 206 && q.range); }
    bool operator()(head_blob const&) const { return status == 200; }
    bool operator()(list_blobs const&) const { return status == 200; }
    template <class Stored> bool operator()(Stored const&) const { return status == 201; }
};

}  // namespace

bool is_success_of_blob(blob_request const& r, int status) noexcept { return std::visit(is_blob_success{status}, r); }

response read_blob_response(blob_request const& r, http_response&& answer) {
    return std::visit(blob_success_reader{answer}, r);
}

}  // namespace tablemap::detail
