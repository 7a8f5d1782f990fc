// SPDX-License-Identifier: Apache-2.0
#include "serve/metadata.hpp"

#include "base/ascii.hpp"
#include "rest/url.hpp"
#include "serve/refused.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace tablemap::inline v0_1::detail::serve {
namespace {

[[noreturn]] void refuse_format(char const* code) {
    throw refused{415, code, "None of the provided media types are supported: ask for application/json."};
}

std::string without_blanks(std::string_view text) {
    auto lower = lower_case(text);
    lower.erase(std::remove(lower.begin(), lower.end(), ' '), lower.end());
    return lower;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// A store's own body begins so if it has no metadata of another server, and can be passed on as it is.
constexpr std::string_view own_entity = "{\"odata.etag\":";
constexpr std::string_view own_page = "{\"value\":[";

/// Appends `"name":"value"` with a comma where it is not the first member.
void append_member(std::string& out, std::string_view name, std::string_view value) {
    if (out.back() != '{') out += ',';
    append_json_string(out, name);
    out += ':';
    append_json_string(out, value);
}

std::string metadata_url(json_frame const& f, std::string_view what) {
    return std::string{f.base}.append("/$metadata#").append(what);
}

bool is_selected(json_frame const& f, std::string_view name) {
    return f.select.empty() || std::find(f.select.begin(), f.select.end(), name) != f.select.end();
}

bool selects_keys_and_time(json_frame const& f) {
    return is_selected(f, partition_key_name) && is_selected(f, row_key_name) && is_selected(f, timestamp_name);
}

bool is_annotated(property_value const& v) {
    if (auto const* real = std::get_if<double>(&v)) return !std::isfinite(*real);
    return needs_annotation(type_of(v));
}

void append_type(std::string& out, std::string_view name, edm_type type) {
    append_member(out, std::string{name} + "@odata.type", edm_name(type));
}

void append_property(std::string& out, property const& p, metadata level) {
    if (level != metadata::none && is_annotated(p.value)) append_type(out, p.name, type_of(p.value));
    if (out.back() != '{') out += ',';
    append_json_string(out, p.name);
    out += ':';
    append_any_value(out, p.value);
}

/// The URL of an entity, without that of the account.
std::string link_of(stored_row const& row, std::string_view table) {
    std::string path;
    append_entity_path(path, table, row.partition_key, row.row_key);
    return path.substr(1);
}

void append_links(std::string& out, std::string_view type, std::string_view link, json_frame const& f) {
    append_member(out, "odata.type", std::string{f.account}.append(".").append(type));
    append_member(out, "odata.id", std::string{f.base}.append("/").append(link));
}

/// Appends what an entity holds, behind the brace that opens it.
void append_members(std::string& out, stored_row const& row, json_frame const& f) {
    auto const link = f.level == metadata::full ? link_of(row, f.table) : std::string{};
    if (f.level == metadata::full) append_links(out, f.table, link, f);
    if (f.level != metadata::none) append_member(out, "odata.etag", row.etag.text());
    if (f.level == metadata::full) append_member(out, "odata.editLink", link);
    if (is_selected(f, partition_key_name)) append_member(out, partition_key_name, row.partition_key);
    if (is_selected(f, row_key_name)) append_member(out, row_key_name, row.row_key);
    if (is_selected(f, timestamp_name) && row.timestamp.storable()) {
        if (f.level == metadata::full) append_type(out, timestamp_name, edm_type::datetime);
        append_member(out, timestamp_name, row.timestamp.text());
    }
    for (auto const& p : properties_of(row))
        if (is_selected(f, p.name)) append_property(out, p, f.level);
}

void append_named_table(std::string& out, std::string_view name, json_frame const& f) {
    auto const link = "Tables('" + std::string{name} + "')";
    if (f.level == metadata::full) {
        append_links(out, "Tables", link, f);
        append_member(out, "odata.editLink", link);
    }
    append_member(out, "TableName", name);
}

/// The beginning of a response, with the URL of what it holds.
std::string begun(json_frame const& f, std::string_view what) {
    std::string out = "{";
    if (f.level != metadata::none) append_member(out, "odata.metadata", metadata_url(f, what));
    return out;
}

void begin_list(std::string& out) { out.append(out.back() == '{' ? "" : ",").append("\"value\":["); }

}  // namespace

metadata read_metadata(http_request const& r, parameters const& q) {
    auto const format = q.find("$format");
    auto const accept = without_blanks(format ? *format : header_of(r, "Accept").value_or(std::string_view{}));
    if (!contains(accept, "application/json") && !contains(accept, "*/*")) refuse_format("AtomFormatNotSupported");
    if (contains(accept, "odata=nometadata")) return metadata::none;
    if (contains(accept, "odata=fullmetadata")) return metadata::full;
    if (contains(accept, "odata=verbose")) refuse_format("JsonVerboseFormatNotSupported");
    return metadata::minimal;
}

std::string content_type_of(metadata m) {
    constexpr std::string_view levels[] = {"nometadata", "minimalmetadata", "fullmetadata"};
    return "application/json;odata=" + std::string{levels[static_cast<std::size_t>(m)]} +
           ";streaming=true;charset=utf-8";
}

std::string entity_json(stored_row const& row, json_frame const& f) {
    auto out = begun(f, std::string{f.table} + "/@Element");
    append_members(out, row, f);
    return out += '}';
}

std::string entity_json(std::string&& body, json_frame const& f) {
    if (f.level != metadata::minimal || !selects_keys_and_time(f) || !body.starts_with(own_entity))
        return entity_json(accepted(read_dynamic(body)), f);
    auto const head = begun(f, std::string{f.table} + "/@Element") + ',';
    body.replace(0, 1, head);
    return std::move(body);
}

std::string page_json(std::string&& body, json_frame const& f) {
    auto out = begun(f, f.table);
    if (f.level == metadata::minimal && selects_keys_and_time(f) && body.starts_with(own_page)) {
        body.replace(0, 1, out + ',');
        return std::move(body);
    }
    begin_list(out);
    for (auto const& row : accepted(read_dynamic_page(body))) {
        if (out.back() != '[') out += ',';
        out += '{';
        append_members(out, row, f);
        out += '}';
    }
    return out += "]}";
}

std::string tables_json(std::vector<std::string> const& names, json_frame const& f) {
    auto out = begun(f, "Tables");
    begin_list(out);
    for (auto const& name : names) {
        if (out.back() != '[') out += ',';
        out += '{';
        append_named_table(out, name, f);
        out += '}';
    }
    return out += "]}";
}

std::string table_json(std::string_view name, json_frame const& f) {
    auto out = begun(f, "Tables/@Element");
    append_named_table(out, name, f);
    return out += '}';
}

std::string error_json(std::string_view code, std::string_view message) {
    std::string out = "{\"odata.error\":{\"code\":";
    append_json_string(out, code);
    out += ",\"message\":{\"lang\":\"en-US\",\"value\":";
    append_json_string(out, message);
    return out += "}}}";
}

}  // namespace tablemap::detail::serve
