// SPDX-License-Identifier: Apache-2.0
#include "rest/blob_protocol.hpp"
#include "base/text_bytes.hpp"
#include "rest/blob_xml.hpp"
#include "rest/request_builder.hpp"
#include "rest/url.hpp"
#include "tablemap/base/bytes.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view octets = "application/octet-stream";

/// Appends the path of a blob: its slashes part it, all else is encoded.
void append_blob_path(std::string& target, std::string_view container, std::string_view blob) {
    target.append("/").append(container);
    for (std::size_t at = 0; at <= blob.size();) {
        auto const end = std::min(blob.find('/', at), blob.size());
        target += '/';
        append_percent_encoded(target, blob.substr(at, end - at));
        at = end + 1;
    }
}

void add_condition(http_request& m, blob_condition const& when) {
    if (!when.if_match.empty()) add_header(m, "If-Match", when.if_match);
    if (when.if_absent) add_header(m, "If-None-Match", "*");
}

void add_body(http_request& m, std::string_view type, std::string body) {
    add_header(m, "Content-Type", type);
    m.body = std::move(body);
}

std::string header_of(blob_range const& r) {
    auto text = "bytes=" + std::to_string(r.first) + "-";
    return r.length ? text + std::to_string(r.first + *r.length - 1) : text;
}

struct blob_builder {
    message_frame const& frame;

    http_request operator()(create_container const& q) const { return about_container("PUT", q.container); }
    http_request operator()(delete_container const& q) const { return about_container("DELETE", q.container); }
    http_request operator()(put_blob const& q) const {
        auto m = stored(q, "BlockBlob");
        add_body(m, octets, std::string{q.body});
        return m;
    }
    http_request operator()(get_blob const& q) const {
        auto m = about_blob("GET", q);
        if (q.range) add_header(m, "x-ms-range", header_of(*q.range));
        add_condition(m, q.when);
        return m;
    }
    http_request operator()(head_blob const& q) const { return about_blob("HEAD", q); }
    http_request operator()(delete_blob const& q) const {
        auto m = about_blob("DELETE", q);
        add_condition(m, q.when);
        return m;
    }
    http_request operator()(list_blobs const& q) const {
        auto m = about_container("GET", q.container);
        append_query(m.target, "comp", "list");
        if (!q.prefix.empty()) append_query(m.target, "prefix", q.prefix);
        if (!q.from.empty()) append_query(m.target, "marker", q.from);
        if (q.top) append_query(m.target, "maxresults", std::to_string(*q.top));
        return m;
    }
    http_request operator()(create_append_blob const& q) const { return stored(q, "AppendBlob"); }
    http_request operator()(append_block const& q) const {
        auto m = about_blob("PUT", q);
        append_query(m.target, "comp", "appendblock");
        if (q.position) add_header(m, "x-ms-blob-condition-appendpos", std::to_string(*q.position));
        add_condition(m, {.if_match = q.if_match});
        add_body(m, octets, std::string{q.body});
        return m;
    }
    http_request operator()(stage_block const& q) const {
        auto m = about_blob("PUT", q);
        std::string id;
        append_base64(id, as_bytes(q.block));
        append_query(m.target, "comp", "block");
        append_query(m.target, "blockid", id);
        add_body(m, octets, std::string{q.body});
        return m;
    }
    http_request operator()(commit_blocks const& q) const {
        auto m = about_blob("PUT", q);
        append_query(m.target, "comp", "blocklist");
        add_content_type(m, q.content_type);
        add_condition(m, q.when);
        add_body(m, "application/xml", write_block_list(q.blocks));
        return m;
    }

private:
    http_request about_container(std::string_view method, std::string_view container) const {
        auto m = blob_message(method, frame);
        m.target.append("/").append(container);
        append_query(m.target, "restype", "container");
        return m;
    }

    template <class Request> http_request about_blob(std::string_view method, Request const& q) const {
        auto m = blob_message(method, frame);
        append_blob_path(m.target, q.container, q.blob);
        return m;
    }

    template <class Request> http_request stored(Request const& q, std::string_view kind) const {
        auto m = about_blob("PUT", q);
        add_header(m, "x-ms-blob-type", kind);
        add_content_type(m, q.content_type);
        add_condition(m, q.when);
        return m;
    }

    static void add_content_type(http_request& m, std::string_view type) {
        add_header(m, "x-ms-blob-content-type", type.empty() ? octets : type);
    }
};

}  // namespace

result<http_request> build_blob_request(blob_request const& r, message_frame const& frame) {
    return std::visit(blob_builder{frame}, r);
}

}  // namespace tablemap::detail
