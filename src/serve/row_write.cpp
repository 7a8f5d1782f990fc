// SPDX-License-Identifier: Apache-2.0
#include "serve/row_write.hpp"

#include "base/ascii.hpp"
#include "rest/multipart.hpp"
#include "serve/refused.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/request_check.hpp"

#include <algorithm>
#include <optional>

namespace tablemap::inline v0_1::detail::serve {
namespace {

/// The method that the client means: MERGE may be sent as a POST.
std::string meant_method(http_request const& r) {
    auto const tunnelled = header_of(r, "X-HTTP-Method");
    if (!tunnelled) return r.method;
    if (r.method != "POST")
        throw refused{400, "XMethodNotUsingPost", "The request uses X-HTTP-Method with an HTTP verb other than POST."};
    if (*tunnelled != "MERGE" && *tunnelled != "PATCH" && *tunnelled != "PUT" && *tunnelled != "DELETE")
        throw refused{400, "XMethodIncorrectValue", "The specified X-HTTP-Method is none of MERGE, PUT and DELETE."};
    return std::string{*tunnelled};
}

write_kind kind_of(http_request const& r, target const& t) {
    auto const method = meant_method(r);
    bool const conditional = header_of(r, "If-Match").has_value();
    bool const one = t.what == resource::row;
    if (!one && method == "POST") return write_kind::insert;
    if (one && method == "PUT") return conditional ? write_kind::replace : write_kind::upsert_replace;
    if (one && (method == "MERGE" || method == "PATCH"))
        return conditional ? write_kind::merge : write_kind::upsert_merge;
    if (one && method == "DELETE") return write_kind::erase;
    refuse_method();
}

void check_content_type(http_request const& r) {
    auto const type = header_of(r, "Content-Type");
    if (!type || starts_with_ignoring_case(*type, "application/json")) return;
    if (starts_with_ignoring_case(*type, "application/atom+xml"))
        throw refused{415, "AtomFormatNotSupported", "Atom format is not supported: send application/json."};
    throw refused{415, "MediaTypeNotSupported",
                  "None of the provided media types are supported: send application/json."};
}

bool wants_content(http_request const& r) {
    auto const prefer = header_of(r, "Prefer");
    return !prefer || !equal_ignoring_case(*prefer, "return-no-content");
}

/// Both keys of the body, in so far as it has them.
struct body_keys {
    std::optional<std::string> partition{}, row{};
};

body_keys keys_in(std::string const& body) {
    auto copy = body;
    auto const found = read_keys(copy);
    if (!found) refuse_input("The body is not one flat JSON object, or one of its keys is no string.");
    auto const owned = [](auto const& key) { return key ? std::optional{std::string{*key}} : std::nullopt; };
    return {owned(found->partition_key), owned(found->row_key)};
}

/// Writes the keys of the URL into a body that lacks them: stores take bodies with both.
void add_missing_keys(row_write& w, body_keys const& found) {
    std::string added = "{";
    auto const add = [&](bool is_there, std::string_view name, std::string const& key) {
        if (is_there) return;
        added.append("\"").append(name).append("\":");
        append_json_string(added, key);
        added += ',';
    };
    add(found.partition.has_value(), partition_key_name, w.partition_key);
    add(found.row.has_value(), row_key_name, w.row_key);
    if (added.size() == 1) return;
    if (w.body.find_first_not_of(" \t\r\n", 1) == w.body.size() - 1) added.pop_back();  // there is no other member
    w.body.replace(0, 1, added);
}

void take_body(row_write& w, http_request const& r) {
    check_content_type(r);
    w.body = trimmed(r.body);
    if (!w.body.starts_with('{') || !w.body.ends_with('}')) refuse_input("The body is not one flat JSON object.");
    auto found = keys_in(w.body);
    if (w.kind != write_kind::insert) return add_missing_keys(w, found);
    if (!found.partition || !found.row)
        throw refused{400, "PropertiesNeedValue",
                      "The values are not specified for all properties in the entity: an insert needs PartitionKey "
                      "and RowKey."};
    w.partition_key = *std::move(found.partition);
    w.row_key = *std::move(found.row);
}

/// Reads what the response to an insert consists of.
void take_content(row_write& w, http_request const& r, target const& t) {
    w.level = read_metadata(r, t.query);  // a format that the server does not have is refused first, too
    if (auto const checked = check_request(write_entity{w.table, w.operation()}); !checked)
        throw refusal_of(checked.error());
    w.content = accepted(read_body(w.operation()));
}

}  // namespace

row_write read_row_write(http_request const& r, target const& t) {
    if (t.what != resource::row && t.what != resource::rows) refuse_method();
    row_write w{.kind = kind_of(r, t), .table = t.table, .partition_key = t.partition_key, .row_key = t.row_key};
    if (is_conditional(w.kind)) w.if_match = header_of(r, "If-Match").value_or(std::string_view{});
    if (w.kind == write_kind::erase) return w;
    w.has_preference = header_of(r, "Prefer").has_value();
    take_body(w, r);
    if (w.kind == write_kind::insert && wants_content(r)) take_content(w, r, t);
    return w;
}

action action_of_write(write_kind k) noexcept {
    switch (k) {
    case write_kind::insert: return action::insert;
    case write_kind::replace:
    case write_kind::merge: return action::update;
    case write_kind::upsert_replace:
    case write_kind::upsert_merge: return action::upsert;
    case write_kind::erase: break;
    }
    return action::erase;
}

}  // namespace tablemap::detail::serve
