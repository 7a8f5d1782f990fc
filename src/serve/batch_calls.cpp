// SPDX-License-Identifier: Apache-2.0
#include "serve/calls.hpp"

#include "base/ascii.hpp"
#include "serve/batch_reader.hpp"
#include "serve/statuses.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/store/clock.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {
namespace {

void append_line(std::string& out, std::string_view a, std::string_view b = {}, std::string_view c = {}) {
    out.append(a).append(b).append(c).append("\r\n");
}

/// One response as a part, without its delimiter.
void append_part(std::string& out, http_response const& r) {
    append_line(out, "Content-Type: application/http");
    append_line(out, "Content-Transfer-Encoding: binary");
    append_line(out, "");
    append_line(out, "HTTP/1.1 " + std::to_string(r.status), " ", reason_of(r.status));
    for (auto const& [name, value] : r.headers) append_line(out, name, ": ", value);
    append_line(out, "");
    append_line(out, r.body);
}

std::string fresh_boundary(std::string_view of) {
    return std::string{of} + "response_" + random_guid(clock::system()).text();
}

http_response multipart(std::string boundary, std::string body) {
    http_response r{.status = 202, .body = std::move(body)};
    r.headers = {{"Cache-Control", "no-cache"},
                 {"X-Content-Type-Options", "nosniff"},
                 {"Content-Type", "multipart/mixed; boundary=" + std::move(boundary)}};
    return r;
}

http_response change_set_answer(std::vector<http_response> const& parts) {
    auto const batch = fresh_boundary("batch"), set = fresh_boundary("changeset");
    std::string body;
    append_line(body, "--", batch);
    append_line(body, "Content-Type: multipart/mixed; boundary=", set);
    append_line(body, "");
    for (auto const& part : parts) {
        append_line(body, "--", set);
        append_part(body, part);
    }
    append_line(body, "--", set, "--");
    append_line(body, "--", batch, "--");
    return multipart(batch, std::move(body));
}

http_response query_answer(http_response const& part) {
    auto const batch = fresh_boundary("batch");
    std::string body;
    append_line(body, "--", batch);
    append_part(body, part);
    append_line(body, "--", batch, "--");
    return multipart(batch, std::move(body));
}

/// The one part of a change set that failed. Clients find the operation by the number in front of the message, or by
/// its Content-ID.
http_response failed_part(refused const& r, std::vector<http_request> const& operations) {
    auto const index = r.index.value_or(0);
    auto part =
        in_json(r.status(), metadata::minimal, error_json(r.code(), std::to_string(index) + ":" + r.what() + '\n'));
    if (index < operations.size())
        if (auto const id = header_of(operations[index], "Content-ID")) part.headers.emplace_back("Content-ID", *id);
    return part;
}

/// A refusal of an operation, with its place.
template <class Do> auto at(std::size_t index, Do work) {
    try {
        return work();
    } catch (refused& r) {
        if (!r.index) r.index = index;
        throw;
    }
}

row_write read_member(call const& c, http_request const& r) {
    auto const t = read_inner_target(r.target, c.outer, c.account);
    auto w = read_row_write(r, t);
    require_write(c.allowed, w);
    return w;
}

std::vector<row_write> read_members(call const& c, std::vector<http_request> const& operations) {
    std::vector<row_write> writes;
    writes.reserve(operations.size());
    for (auto const& o : operations) {
        auto const index = writes.size();
        writes.push_back(at(index, [&] { return read_member(c, o); }));
        if (equal_ignoring_case(writes.back().table, writes.front().table)) continue;
        at(index, []() -> int { refuse_input("All operations of a change set act on one table."); });
    }
    return writes;
}

response carry_out(call const& c, std::vector<row_write> const& writes) {
    std::vector<write_operation> operations;
    operations.reserve(writes.size());
    for (auto const& w : writes) operations.push_back(w.operation());
    return execute(c, transact{writes.front().table, operations});
}

/// The answer to a change set that is stored. No failure here may read as one of an operation.
http_response stored_answer(call const& c, std::vector<http_request> const& operations,
                            std::vector<row_write> const& writes, std::vector<etag> const& left) try {
    std::vector<http_response> parts;
    for (std::size_t i = 0; i < writes.size(); ++i) {
        call const inner{c.asked, operations[i], c.what, c.allowed, c.outer, c.account, c.options, c.now};
        parts.push_back(written(inner, writes[i], left.at(i)));
        parts.back().headers.emplace_back("DataServiceVersion", "3.0;");
    }
    return change_set_answer(parts);
} catch (refused const& r) {
    throw refused{500, "OperationTimedOut", r.what()};
}

http_response run_change_set(call const& c, std::vector<http_request> const& operations) {
    auto const writes = read_members(c, operations);
    auto const r = carry_out(c, writes);
    return stored_answer(c, operations, writes, r.etags);
}

http_response run_query(call const& c, http_request const& request) {
    auto const t = read_inner_target(request.target, c.outer, c.account);
    call const inner{c.asked, request, t, c.allowed, c.outer, c.account, c.options, c.now};
    try {
        if (t.what != resource::row && t.what != resource::rows) refuse_input("A query in a batch is for entities.");
        return query_answer(t.what == resource::row ? read_row(inner) : query_rows(inner));
    } catch (refused const& r) {
        return query_answer(in_json(r.status(), metadata::minimal, error_json(r.code(), r.what())));
    }
}

/// True for refusals of the request as a whole, whatever its operations say.
bool is_about_sender(refused const& r) noexcept { return r.status() == 401 || r.status() >= 500; }

}  // namespace

http_response run_batch(call const& c) {
    if (c.request.method != "POST") refuse_method();
    if (c.request.body.size() > limits::transaction_bytes)
        throw refused{413, "RequestBodyTooLarge",
                      "The request body is too large and exceeds the maximum permissible limit."};
    batch_request batch;
    try {
        batch = read_batch_request(header_of(c.request, "Content-Type").value_or(std::string_view{}), c.request.body);
        if (batch.is_query) return run_query(c, batch.operations.front());
        return run_change_set(c, batch.operations);
    } catch (refused const& r) {
        if (is_about_sender(r) || (batch.operations.empty() && !r.index)) throw;
        return change_set_answer({failed_part(r, batch.operations)});
    }
}

}  // namespace tablemap::detail::serve
