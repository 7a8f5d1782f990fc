// SPDX-License-Identifier: Apache-2.0
#include "serve/batch_reader.hpp"

#include "base/ascii.hpp"
#include "rest/multipart.hpp"
#include "serve/refused.hpp"
#include "tablemap/edm/limits.hpp"

namespace tablemap::inline v0_1::detail::serve {
namespace {

std::string_view required_boundary(std::string_view content_type) {
    auto const boundary = boundary_in(content_type);
    if (!starts_with_ignoring_case(content_type, "multipart/mixed") || boundary.empty())
        refuse_input("A batch has the Content-Type multipart/mixed with a boundary.");
    return boundary;
}

/// Takes the headers of an operation. One that is passed over could be its condition: a header without a colon, one
/// that goes on in the next line, or one beyond those that are read.
header_views take_all_headers(std::string_view& text) {
    auto head = take_head(text);
    auto headers = headers_in(head);
    for (std::size_t lines = 0; !head.empty();) {
        auto const line = take_line(head);
        if (++lines > headers.size() || line.starts_with(' ') || line.starts_with('\t'))
            refuse_input(
                "An operation of a batch has headers of one line each, with a colon, and at most 100 of them.");
    }
    return headers;
}

/// Reads "PUT http://host/account/table(…) HTTP/1.1", headers and body.
http_request read_operation(std::string_view text) {
    while (text.starts_with('\r') || text.starts_with('\n')) text.remove_prefix(1);
    auto line = take_line(text);
    auto const first = line.find(' ');
    auto const last = line.rfind(' ');
    if (first == std::string_view::npos || first == 0 || last == first || !line.substr(last + 1).starts_with("HTTP/"))
        refuse_input("An operation of a batch begins with a line such as 'PUT http://host/account/table(…) HTTP/1.1'.");
    http_request r{.method = std::string{line.substr(0, first)},
                   .target = std::string{line.substr(first + 1, last - first - 1)}};
    auto const headers = take_all_headers(text);
    r.headers.reserve(headers.size());
    for (auto const& [name, value] : headers) r.headers.emplace_back(name, value);
    r.body = trimmed(text);
    return r;
}

/// The same for a part with its own headers in front.
http_request read_part(std::string_view text) {
    auto const type = header_in(take_head(text), "Content-Type").value_or("");
    if (!starts_with_ignoring_case(type, "application/http"))
        refuse_input("An operation of a batch is a part of the Content-Type application/http.");
    return read_operation(text);
}

/// The service names the last operation that it takes, and not the one beyond.
void check_count(std::size_t count) {
    if (count <= limits::transaction_operations) return;
    refused r{400, "InvalidInput", "The batch request operation exceeds the maximum 100 changes per change set."};
    r.index = limits::transaction_operations - 1;
    throw r;
}

std::vector<http_request> read_change_set(std::string_view text, std::string_view boundary) {
    auto const parts = split_parts(text, boundary, limits::transaction_operations + 1);
    check_count(parts.size());
    if (parts.empty()) refuse_input("The change set of the batch is empty.");
    std::vector<http_request> operations;
    operations.reserve(parts.size());
    for (auto const part : parts) {
        try {
            operations.push_back(read_part(part));
        } catch (refused& r) {
            r.index = operations.size();
            throw;
        }
    }
    return operations;
}

}  // namespace

batch_request read_batch_request(std::string_view content_type, std::string_view body) {
    auto const parts = split_parts(body, required_boundary(content_type), 2);
    if (parts.size() != 1) refuse_input("A batch holds one change set or one query.");
    auto rest = parts.front();
    auto const type = header_in(take_head(rest), "Content-Type").value_or("");
    if (starts_with_ignoring_case(type, "multipart/mixed")) return {read_change_set(rest, required_boundary(type))};
    batch_request one{.is_query = true};
    one.operations.push_back(read_part(parts.front()));
    if (one.operations.front().method != "GET") refuse_input("An operation that changes something is in a change set.");
    return one;
}

}  // namespace tablemap::detail::serve
