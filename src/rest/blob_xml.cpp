// SPDX-License-Identifier: Apache-2.0
#include "rest/blob_xml.hpp"

#include "base/text_bytes.hpp"
#include "rest/http_date.hpp"
#include "tablemap/base/bytes.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

failure no_list(std::string reason) { return fail(library_errc::malformed_response, {.reason = std::move(reason)}); }

std::optional<std::uint64_t> size_in(std::string_view text) noexcept {
    std::uint64_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    return e == std::errc{} && end == last ? std::optional{n} : std::nullopt;
}

/// The etag of a list has quotes or none; those of all other responses have them. Empty for a text that is none.
etag etag_in(std::string_view text) {
    auto const quotes = std::count(text.begin(), text.end(), '"');
    if (quotes == 0 && !text.empty()) return etag{'"' + std::string{text} + '"'};
    return quotes == 2 && text.size() > 2 && text.ends_with('"') ? etag{std::string{text}} : etag{};
}

result<blob_properties> blob_in(pugi::xml_node node) {
    auto const p = node.child("Properties");
    auto const modified = parse_http_date(p.child_value("Last-Modified"));
    auto const size = size_in(p.child_value("Content-Length"));
    std::string_view const name = node.child_value("Name");
    auto e = etag_in(p.child_value("Etag"));
    if (name.empty() || e.empty() || !modified || !size)
        return no_list("a blob of the list lacks its name, etag, time or size");
    return blob_properties{.name = std::string{name},
                           .etag = std::move(e),
                           .modified = *modified,
                           .size = *size,
                           .content_type = p.child_value("Content-Type"),
                           .kind = blob_kind_of(p.child_value("BlobType"))};
}

}  // namespace

std::string write_block_list(std::span<std::string_view const> blocks) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>";
    for (auto const id : blocks) {
        xml += "<Latest>";
        append_base64(xml, as_bytes(id));
        xml += "</Latest>";
    }
    return xml += "</BlockList>";
}

result<blob_list> read_blob_list(std::string_view xml) {
    pugi::xml_document document;
    auto const parsed = document.load_buffer(xml.data(), xml.size(), pugi::parse_default | pugi::parse_ws_pcdata_single,
                                             pugi::encoding_utf8);
    auto const blobs = document.child("EnumerationResults").child("Blobs");
    if (!parsed || !blobs) return no_list("the body is cut off or no list of blobs: is this a container's address");
    blob_list list;
    list.next = document.child("EnumerationResults").child_value("NextMarker");
    for (auto const node : blobs.children("Blob")) {
        auto blob = blob_in(node);
        if (!blob) return failure{blob.error()};
        list.blobs.push_back(*std::move(blob));
    }
    return list;
}

blob_kind blob_kind_of(std::string_view text) noexcept {
    if (text == "BlockBlob") return blob_kind::block;
    return text == "AppendBlob" ? blob_kind::append : blob_kind::other;
}

}  // namespace tablemap::detail
