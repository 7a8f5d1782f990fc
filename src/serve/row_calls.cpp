// SPDX-License-Identifier: Apache-2.0
#include "serve/calls.hpp"

#include "rest/url.hpp"
#include "serve/parameter_values.hpp"
#include "serve/sealed_token.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/filter/narrowing.hpp"
#include "tablemap/filter/parse.hpp"
#include "tablemap/store/stored_row.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t most_selected = limits::properties + 3;

/// The names of `$select`; none for all of them.
std::vector<std::string_view> selected(parameters const& q) {
    std::vector<std::string_view> names;
    auto rest = q.text("$select");
    while (!rest.empty()) {
        auto const end = std::min(rest.find(','), rest.size());
        auto name = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (name == "*") return {};
        if (!name.empty()) names.push_back(name);
        if (names.size() > most_selected) refuse_input("A query selects at most 255 properties.");
    }
    return names;
}

// --- queries ---------------------------------------------------------------------------------------------------------

/// True for a comparison of a key that bounds of keys say as well.
bool is_bound(filter::comparison const& c) {
    return is_system_name(c.property) && c.property != timestamp_name && c.op != filter::comparison_operator::ne &&
           std::holds_alternative<std::string>(c.value);
}

/// The rest of a filter when its keys are looked for by bounds; nothing if there is none.
struct without_bounds {
    filter::expression const& whole;

    std::optional<filter::expression> operator()(filter::comparison const& c) const {
        return is_bound(c) ? std::nullopt : std::optional{whole};
    }
    std::optional<filter::expression> operator()(filter::conjunction const& c) const {
        auto const left = c.left.visit(without_bounds{c.left}), right = c.right.visit(without_bounds{c.right});
        if (left && right) return *left && *right;
        return left ? left : right;
    }
    std::optional<filter::expression> operator()(filter::disjunction const&) const { return whole; }
    std::optional<filter::expression> operator()(filter::negation const&) const { return whole; }
};

/// The filter of a query and the range of the signature that it comes with.
std::optional<filter::expression> filter_of(call const& c) {
    auto range = c.allowed.filter_of_range();
    auto const text = c.what.query.text("$filter");
    if (text.empty()) return range;
    auto const asked = accepted(filter::parse(text));
    return range ? *range && asked : asked;
}

std::optional<continuation> continuation_in(call const& c) {
    auto const read = [secret = c.allowed.secret_of_places()](std::string_view token, std::string const& use) {
        return secret.empty() ? decoded_token(token) : opened_token(token, use, secret);
    };
    auto const& q = c.what.query;
    auto const partition = q.find("NextPartitionKey");
    if (!partition) return std::nullopt;
    continuation from{.partition_key = read(*partition, use_for_partition())};
    if (auto const row = q.find("NextRowKey")) from.row_key = read(*row, use_for_row_in(from.partition_key));
    return from;
}

void append_continuation(http_response& answer, continuation const& next, std::string_view secret) {
    auto const add = [&](char const* name, std::string const& text, std::string const& use) {
        answer.headers.emplace_back(name, secret.empty() ? encoded_token(text) : sealed_token(text, use, secret));
    };
    add("x-ms-continuation-NextPartitionKey", next.partition_key, use_for_partition());
    if (next.row_key) add("x-ms-continuation-NextRowKey", *next.row_key, use_for_row_in(next.partition_key));
}

// --- writes ----------------------------------------------------------------------------------------------------------

std::string url_of(call const& c, row_write const& w) {
    auto url = c.what.base;
    append_entity_path(url, w.table, w.partition_key, w.row_key);
    return url;
}

/// The entity as it was inserted. A store's etag holds the time that it was given.
http_response inserted(call const& c, row_write const& w, etag const& left) {
    auto row = *w.content;
    row.etag = left;
    row.timestamp = left.timestamp().value_or(ticks{});
    auto frame = frame_of(c, w.level);
    frame.table = w.table;
    return in_json(201, w.level, entity_json(row, frame));
}

}  // namespace

http_response read_row(call const& c) {
    auto const& t = c.what;
    c.allowed.require_row(action::query, t.table, t.partition_key, t.row_key);
    auto const level = read_metadata(c.request, t.query);
    auto const select = selected(t.query);
    auto r = execute(c, get_entity{.table = t.table,
                                   .partition_key = t.partition_key,
                                   .row_key = t.row_key,
                                   .select = select,
                                   .current = !t.secondary});
    auto answer = in_json(200, level, entity_json(std::move(r.body), frame_of(c, level, select)));
    answer.headers.emplace_back("ETag", r.etag.text());
    return answer;
}

http_response query_rows(call const& c) {
    auto const& t = c.what;
    c.allowed.require(action::query, t.table);
    auto const level = read_metadata(c.request, t.query);
    auto const select = selected(t.query);
    auto const filter = filter_of(c);
    auto const rest = filter ? filter->visit(without_bounds{*filter}) : std::nullopt;
    auto const from = continuation_in(c);
    auto r = execute(c, query_page{.table = t.table,
                                   .partition = filter ? filter::narrowing(*filter, partition_key_name) : key_bounds{},
                                   .row = filter ? filter::narrowing(*filter, row_key_name) : key_bounds{},
                                   .where = rest ? &*rest : nullptr,
                                   .select = select,
                                   .top = number_in(t.query, "$top"),
                                   .from = from ? &*from : nullptr,
                                   .current = !t.secondary});
    auto answer = in_json(200, level, page_json(std::move(r.body), frame_of(c, level, select)));
    if (r.next) append_continuation(answer, *r.next, c.allowed.secret_of_places());
    return answer;
}

void require_write(rights const& allowed, row_write const& w) {
    allowed.require_row(action_of_write(w.kind), w.table, w.partition_key, w.row_key);
    // Of a body with a key twice a store could take the one that was not checked.
    if (allowed.has_range() && w.kind != write_kind::erase) accepted(read_body(w.operation()));
}

http_response written(call const& c, row_write const& w, etag const& left) {
    if (w.kind == write_kind::erase) return bare(204);
    bool const has_content = w.content.has_value();
    auto answer = has_content ? inserted(c, w, left) : bare(204);
    if (w.kind == write_kind::insert) {
        if (w.has_preference)
            answer.headers.emplace_back("Preference-Applied", has_content ? "return-content" : "return-no-content");
        answer.headers.emplace_back("Location", url_of(c, w));
        if (!has_content) answer.headers.emplace_back("DataServiceId", url_of(c, w));
    }
    answer.headers.emplace_back("ETag", left.text());
    return answer;
}

http_response write_row(call const& c) {
    auto const w = read_row_write(c.request, c.what);
    require_write(c.allowed, w);
    auto const r = execute(c, write_entity{w.table, w.operation()});
    return written(c, w, r.etag);
}

}  // namespace tablemap::detail::serve
