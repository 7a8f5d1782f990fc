// SPDX-License-Identifier: Apache-2.0
#include "store/blob_check.hpp"

#include "store/refusal.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/request.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace tablemap::inline v0_1::detail {
namespace {

using checked = result<void>;

bool is_c1_control(std::string_view text, std::size_t i) noexcept {
    return text[i] == '\xC2' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) <= 0x9F;
}

/// Text that a URL and an XML document carry unchanged. The service takes a backslash for a slash.
bool is_name_text(std::string_view text) noexcept {
    if (!is_xml_text(text) || text.find('\\') != std::string_view::npos) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (is_c1_control(text, i)) return false;
    return true;
}

checked check_name_text(std::string_view text, std::string_view member) {
    if (!is_name_text(text))
        return refuse(service_errc::invalid_resource_name,
                      "names of blobs are valid UTF-8 without control characters and backslashes", member);
    if (utf16_length(text).value_or(0) > limits::blob_name_units)
        return refuse(service_errc::invalid_resource_name, "names of blobs have at most 1,024 characters", member);
    return {};
}

/// A segment that ends with a dot is one of those that clients, proxies and the service take for another: "a/../b".
bool has_dot_at_end_of_segment(std::string_view name) noexcept {
    return name.ends_with('.') || name.find("./") != std::string_view::npos;
}

checked check_blob(std::string_view name) {
    if (name.empty()) return refuse(service_errc::invalid_resource_name, "a blob needs a name", "blob");
    if (auto r = check_name_text(name, "blob"); !r) return r;
    if (name.ends_with('/') || has_dot_at_end_of_segment(name))
        return refuse(service_errc::invalid_resource_name,
                      "names of blobs do not end with a slash, and no part of them with a dot", "blob");
    if (static_cast<std::size_t>(std::count(name.begin(), name.end(), '/')) >= limits::blob_name_segments)
        return refuse(service_errc::invalid_resource_name, "names of blobs have at most 254 parts", "blob");
    return {};
}

/// An entity tag of HTTP that can go into a header, or `any_etag`. Source: RFC 9110, section 8.8.3.
bool is_etag(std::string_view text) noexcept {
    if (text == any_etag) return true;
    if (text.starts_with("W/")) text.remove_prefix(2);
    if (text.size() < 3 || text.front() != '"' || text.back() != '"') return false;
    auto const inner = text.substr(1, text.size() - 2);
    return std::all_of(inner.begin(), inner.end(),
                       [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\x7F'; });
}

checked check_etag(std::string_view text) {
    if (text.empty() || is_etag(text)) return {};
    return refuse(service_errc::invalid_header_value, "the condition is no etag, as stores give them");
}

checked check_blob_condition(blob_condition const& when) {
    if (when.if_absent && !when.if_match.empty())
        return refuse(service_errc::invalid_input, "a blob cannot both be absent and have an etag");
    return check_etag(when.if_match);
}

/// Of requests that need a blob.
checked check_condition_of_blob(blob_condition const& when) {
    if (when.if_absent) return refuse(service_errc::invalid_input, "this request needs a blob that is there");
    return check_etag(when.if_match);
}

checked check_content_type(std::string_view text) {
    bool const is_visible = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < '\x7F'; });
    if (is_visible && !text.starts_with(' ') && !text.ends_with(' ') && text.size() <= limits::content_type_bytes)
        return {};
    return refuse(service_errc::invalid_header_value,
                  "a content type has at most 256 characters of visible ASCII and blanks within", "content_type");
}

checked check_most(std::string_view body, std::size_t most) {
    if (body.size() <= most) return {};
    return fail(service_errc::request_body_too_large,
                {.reason = "one request stores at most " + std::to_string(most >> 20) + " MiB: store it in blocks"});
}

checked check_block_body(std::string_view body, std::size_t most) {
    if (body.empty()) return refuse(service_errc::invalid_input, "a block has at least 1 byte");
    return check_most(body, most);
}

checked check_block_id(std::string_view id) {
    if (!id.empty() && id.size() <= limits::block_id_bytes) return {};
    return refuse(service_errc::invalid_block_id, "ids of blocks have 1 to 64 bytes", "block");
}

checked check_range(std::optional<blob_range> const& range) {
    constexpr std::uint64_t last = std::numeric_limits<std::int64_t>::max();
    if (!range) return {};
    if (range->length == 0) return refuse(service_errc::out_of_range_input, "a range has at least 1 byte", "range");
    if (range->first > last || range->length.value_or(1) - 1 > last - range->first)
        return refuse(service_errc::out_of_range_input, "no blob has so many bytes", "range");
    return {};
}

checked check_place(std::string_view container, std::string_view blob) {
    if (auto r = check_resource_name(container); !r) return r;
    return check_blob(blob);
}

/// Of requests that store a blob.
template <class Request> checked check_stored(Request const& q) {
    if (auto r = check_place(q.container, q.blob); !r) return r;
    if (auto r = check_content_type(q.content_type); !r) return r;
    return check_blob_condition(q.when);
}

struct blob_checker {
    checked operator()(create_container const& q) const { return check_resource_name(q.container); }
    checked operator()(delete_container const& q) const { return check_resource_name(q.container); }
    checked operator()(put_blob const& q) const {
        if (auto r = check_stored(q); !r) return r;
        return check_most(q.body, limits::block_bytes);
    }
    checked operator()(get_blob const& q) const {
        if (auto r = check_place(q.container, q.blob); !r) return r;
        if (auto r = check_range(q.range); !r) return r;
        return check_condition_of_blob(q.when);
    }
    checked operator()(head_blob const& q) const { return check_place(q.container, q.blob); }
    checked operator()(delete_blob const& q) const {
        if (auto r = check_place(q.container, q.blob); !r) return r;
        return check_condition_of_blob(q.when);
    }
    checked operator()(list_blobs const& q) const {
        if (auto r = check_resource_name(q.container); !r) return r;
        if (q.top && (*q.top < 1 || *q.top > limits::page_blobs))
            return refuse(service_errc::out_of_range_query_parameter_value, "a page has 1 to 5,000 blobs");
        return check_name_text(q.prefix, "prefix");
    }
    checked operator()(create_append_blob const& q) const { return check_stored(q); }
    checked operator()(append_block const& q) const {
        if (auto r = check_place(q.container, q.blob); !r) return r;
        if (auto r = check_etag(q.if_match); !r) return r;
        return check_block_body(q.body, limits::appended_bytes);
    }
    checked operator()(stage_block const& q) const {
        if (auto r = check_place(q.container, q.blob); !r) return r;
        if (auto r = check_block_id(q.block); !r) return r;
        return check_block_body(q.body, limits::block_bytes);
    }
    checked operator()(commit_blocks const& q) const {
        if (auto r = check_stored(q); !r) return r;
        if (q.blocks.size() > limits::blocks)
            return refuse(service_errc::block_count_exceeds_limit, "a blob has at most 50,000 blocks");
        for (auto const id : q.blocks)
            if (auto r = check_block_id(id); !r) return r;
        return {};
    }
};

}  // namespace

result<void> check_blob_request(blob_request const& r) { return std::visit(blob_checker{}, r); }

}  // namespace tablemap::detail
