// SPDX-License-Identifier: Apache-2.0
#include "rest/request_builder.hpp"

#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "rest/blob_protocol.hpp"
#include "rest/http_date.hpp"
#include "rest/multipart.hpp"
#include "rest/queue_protocol.hpp"
#include "rest/service_xml.hpp"
#include "rest/url.hpp"
#include "store/page_filter.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view minimal_metadata = "application/json;odata=minimalmetadata";
constexpr std::string_view json = "application/json";
constexpr std::string_view xml = "application/xml";
constexpr std::string_view no_content = "return-no-content";
constexpr std::string_view batch_odata_version = "3.0;";
constexpr std::size_t cosmos_transaction_bytes = 2 * 1024 * 1024;
constexpr std::size_t longest_frame = 400;  ///< of an operation, beside URL, table, keys, etag and body

http_request message(std::string_view method, message_frame const& f, std::string_view odata_version = "3.0",
                     std::string_view accepted = minimal_metadata) {
    http_request m;
    m.method = method;
    m.target = f.endpoint.path;
    m.headers.reserve(11);
    add_header(m, "Accept", accepted);
    if (!odata_version.empty()) {
        add_header(m, "DataServiceVersion", odata_version);
        add_header(m, "MaxDataServiceVersion", "3.0;NetFx");
    }
    add_header(m, "User-Agent", "tablemap");
    add_header(m, "x-ms-client-request-id", f.client_request_id);
    add_header(m, "x-ms-version", f.service_version);
    append_http_date(m.headers.emplace_back("x-ms-date", "").second, f.date);
    return m;
}

void add_json(http_request& m, std::string body) {
    add_header(m, "Content-Type", json);
    m.body = std::move(body);
}

// --- requests in XML -------------------------------------------------------------------------------------------------

http_request xml_message(std::string_view method, message_frame const& f, std::string_view target) {
    auto m = message(method, f, {}, xml);
    m.target += target;
    return m;
}

void add_xml(http_request& m, std::string body) {
    add_header(m, "Content-Type", xml);
    m.body = std::move(body);
}

std::string policies_of(std::string_view table) { return "/" + std::string{table} + "?comp=acl"; }
constexpr std::string_view service_settings = "/?restype=service&comp=properties";

/// Letters and digits all lie below the brace, whether or not the service compares their case.
std::string names_with(std::string_view prefix) {
    std::string const from{prefix};
    return "TableName ge '" + from + "' and TableName lt '" + from + "{'";
}

// --- queries ---------------------------------------------------------------------------------------------------------

/// Appends the selected properties and those that identify an entity, each once.
void append_select(std::string& target, std::span<std::string_view const> select) {
    if (select.empty()) return;
    target += target.find('?') == std::string::npos ? '?' : '&';
    target += "$select=PartitionKey,RowKey,Timestamp";
    for (auto const name : select) {
        if (is_system_name(name)) continue;
        target += ',';
        append_percent_encoded(target, name);
    }
}

// --- writes ----------------------------------------------------------------------------------------------------------

std::string_view method_of(write_kind k, bool tunnels_merge) noexcept {
    switch (k) {
    case write_kind::insert: return "POST";
    case write_kind::replace:
    case write_kind::upsert_replace: return "PUT";
    case write_kind::merge:
    case write_kind::upsert_merge: return tunnels_merge ? "POST" : "PATCH";
    case write_kind::erase: return "DELETE";
    }
    return "POST";
}

bool is_merge(write_kind k) noexcept { return k == write_kind::merge || k == write_kind::upsert_merge; }

/// The headers that tell one kind of write from another, in the same order alone and in a batch.
template <class Add> void for_each_write_header(write_operation const& o, bool tunnels_merge, Add add) {
    if (is_merge(o.kind) && tunnels_merge) add("X-HTTP-Method", "MERGE");
    if (o.kind == write_kind::insert) add("Prefer", no_content);
    if (is_conditional(o.kind)) add("If-Match", o.if_match);
}

// --- group transactions ----------------------------------------------------------------------------------------------

void append_line(std::string& out, std::string_view a, std::string_view b = {}, std::string_view c = {}) {
    out.append(a).append(b).append(c).append("\r\n");
}

constexpr std::string_view head_of_part = "Content-Type: application/http\r\n"
                                          "Content-Transfer-Encoding: binary\r\n\r\n";
constexpr std::string_view head_of_operation = "Accept: application/json;odata=minimalmetadata\r\n"
                                               "DataServiceVersion: 3.0;\r\n";

/// One operation as a part of the change set, without its delimiter. Where an operation fails, Azure repeats the
/// Content-ID that stands among the operation's own headers, and only that one. Cosmos numbers the operation in its
/// message instead.
void append_part(std::string& out, std::string_view table, write_operation const& o, std::size_t position,
                 std::string const& url, bool is_cosmos) {
    bool const tunnels_merge = is_cosmos;
    out.append(head_of_part).append(method_of(o.kind, tunnels_merge)).append(" ").append(url);
    if (o.kind == write_kind::insert)
        out.append("/").append(table);
    else
        append_entity_path(out, table, o.partition_key, o.row_key, "%27");
    out.append(" HTTP/1.1\r\n");
    if (!is_cosmos) append_line(out, "Content-ID: ", std::to_string(content_id_of(position)));
    if (o.kind != write_kind::erase) out.append("Content-Type: application/json\r\n");
    out.append(head_of_operation);
    for_each_write_header(o, tunnels_merge, [&](std::string_view name, std::string_view value) {
        out.append(name).append(": ").append(value).append("\r\n");
    });
    out.append("\r\n").append(o.body).append("\r\n");
}

std::string batch_body(transact const& t, message_frame const& f) {
    auto const url = f.endpoint.url();
    auto const batch = f.batch.text();
    auto const changeset = f.changeset.text();
    std::size_t size = 512;
    for (auto const& o : t.operations)
        size += longest_frame + url.size() + t.table.size() + o.body.size() + o.if_match.size() +
                3 * (o.partition_key.size() + o.row_key.size());

    std::string out;
    out.reserve(size);
    append_line(out, "--batch_", batch);
    append_line(out, "Content-Type: multipart/mixed; boundary=changeset_", changeset);
    append_line(out, "");
    for (std::size_t i = 0; i < t.operations.size(); ++i) {
        append_line(out, "--changeset_", changeset);
        append_part(out, t.table, t.operations[i], i, url, f.endpoint.is_cosmos());
    }
    append_line(out, "--changeset_", changeset, "--");
    append_line(out, "--batch_", batch, "--");
    return out;
}

// --- one function for each kind of request ---------------------------------------------------------------------------

struct builder {
    message_frame const& frame;

    result<http_request> operator()(create_table const& q) const {
        auto m = message("POST", frame);
        m.target += "/Tables";
        add_header(m, "Prefer", no_content);
        add_json(m, "{\"TableName\":\"" + std::string{q.table} + "\"}");
        return m;
    }

    result<http_request> operator()(delete_table const& q) const {
        auto m = message("DELETE", frame);
        m.target.append("/Tables('").append(q.table).append("')");
        return m;
    }

    result<http_request> operator()(list_tables const& q) const {
        auto m = message("GET", frame);
        m.target += "/Tables";
        if (!q.prefix.empty()) append_query(m.target, "$filter", names_with(q.prefix));
        if (q.top) append_query(m.target, "$top", std::to_string(*q.top));
        if (!q.from.empty()) append_query(m.target, "NextTableName", q.from);
        return m;
    }

    result<http_request> operator()(get_entity const& q) const {
        auto m = message("GET", frame);
        append_entity_path(m.target, q.table, q.partition_key, q.row_key);
        append_select(m.target, q.select);
        return m;
    }

    result<http_request> operator()(query_page const& q) const {
        auto const filter = odata_filter_of(q);
        if (!filter) return failure{filter.error()};
        auto m = message("GET", frame);
        m.target.append("/").append(q.table).append("()");
        if (!filter->empty()) append_query(m.target, "$filter", *filter);
        append_select(m.target, q.select);
        if (q.top) append_query(m.target, "$top", std::to_string(*q.top));
        if (q.from) {
            append_query(m.target, "NextPartitionKey", q.from->partition_key);
            if (q.from->row_key) append_query(m.target, "NextRowKey", *q.from->row_key);
        }
        return m;
    }

    result<http_request> operator()(write_entity const& w) const {
        auto const& o = w.operation;
        bool const tunnels_merge = frame.endpoint.is_cosmos();
        auto m = message(method_of(o.kind, tunnels_merge), frame);
        if (o.kind == write_kind::insert)
            m.target.append("/").append(w.table);
        else
            append_entity_path(m.target, w.table, o.partition_key, o.row_key);
        for_each_write_header(o, tunnels_merge, [&](auto name, auto value) { add_header(m, name, value); });
        if (o.kind != write_kind::erase) add_json(m, std::string{o.body});
        return m;
    }

    result<http_request> operator()(transact const& t) const {
        auto m = message("POST", frame, batch_odata_version);
        m.target += "/$batch";
        add_header(m, "Content-Type", "multipart/mixed; boundary=batch_" + frame.batch.text());
        m.body = batch_body(t, frame);
        if (auto const most = transaction_bytes_at(frame.endpoint); m.body.size() > most)
            return fail(service_errc::request_body_too_large,
                        {.reason = "the " + std::to_string(t.operations.size()) +
                                   " operations of this group transaction make " + std::to_string(m.body.size()) +
                                   " bytes with the frames around them, and the service takes at most " +
                                   std::to_string(most) + "; send fewer of them at once"});
        return m;
    }

    result<http_request> operator()(get_access_policies const& q) const {
        return xml_message("GET", frame, policies_of(q.table));
    }
    result<http_request> operator()(set_access_policies const& q) const {
        auto m = xml_message("PUT", frame, policies_of(q.table));
        add_xml(m, write_access_policies(q.policies));
        return m;
    }
    result<http_request> operator()(get_service_properties const&) const {
        return xml_message("GET", frame, service_settings);
    }
    result<http_request> operator()(set_service_properties const& q) const {
        auto m = xml_message("PUT", frame, service_settings);
        add_xml(m, write_service_properties(*q.properties));
        return m;
    }
    result<http_request> operator()(get_service_statistics const&) const {
        return xml_message("GET", frame, "/?restype=service&comp=stats");
    }

    result<http_request> operator()(queue_request const& r) const { return build_queue_request(r, frame); }
    result<http_request> operator()(blob_request const& r) const { return build_blob_request(r, frame); }
};

}  // namespace

std::size_t transaction_bytes_at(service_endpoint const& endpoint) noexcept {
    return endpoint.is_cosmos() ? cosmos_transaction_bytes : limits::transaction_bytes;
}

std::size_t transaction_overhead_at(service_endpoint const& endpoint) { return longest_frame + endpoint.url().size(); }

result<http_request> build_request(request const& r, message_frame const& frame) {
    return std::visit(builder{frame}, r);
}

http_request blob_message(std::string_view method, message_frame const& f) {
    auto m = message(method, f, {}, xml);
    auto& version =
        std::find_if(m.headers.begin(), m.headers.end(), [](auto& h) { return h.first == "x-ms-version"; })->second;
    if (version < blob_version) version = blob_version;
    return m;
}

}  // namespace tablemap::detail
