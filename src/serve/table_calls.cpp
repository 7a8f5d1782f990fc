// SPDX-License-Identifier: Apache-2.0
#include "serve/calls.hpp"

#include "base/ascii.hpp"
#include "serve/parameter_values.hpp"
#include "tablemap/detail/wire/json_value.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/filter/parse.hpp"
#include "tablemap/store/request_check.hpp"
#include "tablemap/store/service_response.hpp"

#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t longest_table_body = 16 * 1024;
constexpr int most_pages_examined = 10;  // of names of which none matches, in one response
constexpr std::string_view name_property = "TableName";

/// Names are compared without case: the same filter with its texts in lower case.
struct in_lower_case {
    filter::expression operator()(filter::comparison c) const {
        if (auto* text = std::get_if<std::string>(&c.value)) *text = lower_case(*text);
        return c;
    }
    filter::expression operator()(filter::conjunction const& c) const {
        return c.left.visit(*this) && c.right.visit(*this);
    }
    filter::expression operator()(filter::disjunction const& d) const {
        return d.left.visit(*this) || d.right.visit(*this);
    }
    filter::expression operator()(filter::negation const& n) const { return !n.operand.visit(*this); }
};

std::optional<filter::expression> filter_of_names(call const& c) {
    auto const text = c.what.query.text("$filter");
    if (text.empty()) return std::nullopt;
    return accepted(filter::parse(text)).visit(in_lower_case{});
}

bool matches(std::optional<filter::expression> const& where, std::string_view name) {
    if (!where) return true;
    stored_row row;
    row.set(name_property, lower_case(name));
    return filter::matches(*where, row);
}

http_response list(call const& c) {
    c.allowed.require(action::list_tables, {});
    auto const level = read_metadata(c.request, c.what.query);
    auto const where = filter_of_names(c);
    auto const top = number_in(c.what.query, "$top");
    std::vector<std::string> names;
    std::optional<std::string> next{decoded_token(c.what.query.text("NextTableName"))};
    for (int page = 0; next && names.empty() && page < most_pages_examined; ++page) {
        auto const r = execute(c, list_tables{.from = *next, .top = top});
        for (auto const& name : r.service->tables)
            if (matches(where, name)) names.push_back(name);
        next = r.service->next_table;
    }
    auto answer = in_json(200, level, tables_json(names, frame_of(c, level)));
    if (next) answer.headers.emplace_back("x-ms-continuation-NextTableName", encoded_token(*next));
    return answer;
}

std::string name_in(http_request const& r) {
    if (r.body.size() > longest_table_body) refuse_input("The body is longer than any that names a table.");
    auto const json = parse_json(r.body);
    auto const* const name = json ? json->find(name_property) : nullptr;
    if (!name || name->kind != json_kind::text)
        refuse_input("The body of a request for a new table is such as {\"TableName\":\"people\"}.");
    return name->text;
}

/// The metadata of the answer to a new table; nothing if it is to have no content.
std::optional<metadata> level_of_new(call const& c) {
    auto const prefer = header_of(c.request, "Prefer");
    if (prefer && equal_ignoring_case(*prefer, "return-no-content")) return std::nullopt;
    return read_metadata(c.request, c.what.query);
}

http_response created(call const& c, std::string_view name, std::optional<metadata> level) {
    bool const has_content = level.has_value();
    auto const url = c.what.base + "/Tables('" + std::string{name} + "')";
    auto answer = has_content ? in_json(201, *level, table_json(name, frame_of(c, *level))) : bare(204);
    if (header_of(c.request, "Prefer"))
        answer.headers.emplace_back("Preference-Applied", has_content ? "return-content" : "return-no-content");
    answer.headers.emplace_back("Location", url);
    if (!has_content) answer.headers.emplace_back("DataServiceId", url);
    return answer;
}

http_response create(call const& c) {
    c.allowed.require(action::create_table, {});
    auto const name = name_in(c.request);
    auto const level = level_of_new(c);  // once there is a table, nothing may refuse it
    execute(c, create_table{name});
    return created(c, name, level);
}

http_response read(call const& c) {
    c.allowed.require(action::list_tables, {});
    auto const level = read_metadata(c.request, c.what.query);
    // The shortest name with these letters comes first.
    auto const r = execute(c, list_tables{.top = 1, .prefix = c.what.table});
    if (r.service->tables.empty() || !equal_ignoring_case(r.service->tables.front(), c.what.table))
        throw refusal_of(error{service_errc::resource_not_found});
    return in_json(200, level, table_json(r.service->tables.front(), frame_of(c, level)));
}

}  // namespace

http_response list_or_create_tables(call const& c) {
    if (c.request.method == "GET") return list(c);
    if (c.request.method == "POST") return create(c);
    refuse_method();
}

http_response read_or_delete_table(call const& c) {
    if (c.request.method == "GET") return read(c);
    if (c.request.method != "DELETE") refuse_method();
    c.allowed.require(action::delete_table, {});
    execute(c, delete_table{c.what.table});
    return bare(204);
}

}  // namespace tablemap::detail::serve
