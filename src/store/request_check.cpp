// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request_check.hpp"

#include "edm/key_characters.hpp"
#include "store/blob_check.hpp"
#include "store/queue_check.hpp"
#include "store/refusal.hpp"
#include "store/write_rules.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/edm/service_properties.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace {

using namespace detail;

using checked = result<void>;

failure blame(error const& e, std::size_t index) {
    auto details = e.details();
    details.failed_index = index;
    return fail(e.code(), std::move(details));
}

checked check_table(std::string_view name) {
    if (auto const r = check_table_name(name); !r)
        return fail(service_errc::invalid_resource_name, {.reason = r.error().details().reason});
    return {};
}

checked check_key_of(std::string_view key, std::string_view name) {
    auto const [units, forbidden] = look_at_key(key);
    if (!units) return refuse(service_errc::invalid_input, "keys must be valid UTF-8", name);
    if (forbidden) return refuse(service_errc::invalid_input, "keys may not hold / \\ # ? or control characters", name);
    if (*units > limits::key_units)
        return refuse(service_errc::key_value_too_large, "keys have at most 512 UTF-16 code units", name);
    return {};
}

checked check_keys(std::string_view partition, std::string_view row) {
    if (auto r = check_key_of(partition, partition_key_name); !r) return r;
    return check_key_of(row, row_key_name);
}

checked check_bounds(key_bounds const& b, std::string_view name) {
    for (auto const& end : {b.from, b.to})
        if (end && !utf16_length(*end))
            return refuse(service_errc::invalid_input, "bounds of keys must be valid UTF-8", name);
    return {};
}

checked check_top(std::optional<std::size_t> top) {
    if (top && (*top < 1 || *top > limits::page_entities))
        return refuse(service_errc::out_of_range_input, "a page has 1 to 1,000 elements");
    return {};
}

/// Any weak entity tag of HTTP: the tag of another store is a condition that does not hold. Source: RFC 9110, section
/// 8.8.3.
bool is_weak_etag(std::string_view text) noexcept {
    constexpr std::string_view start = "W/\"";
    if (!text.starts_with(start) || text.size() <= start.size() || text.back() != '"') return false;
    auto const inner = text.substr(start.size(), text.size() - start.size() - 1);
    return std::all_of(inner.begin(), inner.end(),
                       [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '"' && c != '\x7F'; });
}

checked check_entity_body(write_operation const& o) {
    if (o.kind == write_kind::erase) {
        if (o.body.empty()) return {};
        return refuse(service_errc::invalid_input, "an erase has no body");
    }
    if (!o.body.starts_with('{') || !o.body.ends_with('}'))
        return refuse(service_errc::invalid_input, "the body is no entity");
    if (o.properties_at == 0 && !utf16_length(o.body))
        return refuse(service_errc::invalid_input, "the body must be valid UTF-8");
    return {};
}

checked check_operation(write_operation const& o) {
    if (auto r = check_condition(o); !r) return r;
    if (auto r = check_keys(o.partition_key, o.row_key); !r) return r;
    return check_entity_body(o);
}

struct checker {
    checked operator()(create_table const& q) const { return check_table(q.table); }
    checked operator()(delete_table const& q) const { return check_table(q.table); }
    checked operator()(list_tables const& q) const {
        if (!is_table_name_prefix(q.prefix))
            return refuse(service_errc::invalid_resource_name, "table names begin with letters and digits");
        return check_top(q.top);
    }
    checked operator()(get_entity const& q) const {
        if (auto r = check_table(q.table); !r) return r;
        return check_keys(q.partition_key, q.row_key);
    }
    checked operator()(query_page const& q) const {
        if (auto r = check_table(q.table); !r) return r;
        if (auto r = check_bounds(q.partition, partition_key_name); !r) return r;
        if (auto r = check_bounds(q.row, row_key_name); !r) return r;
        return check_top(q.top);
    }
    checked operator()(write_entity const& w) const {
        if (auto r = check_table(w.table); !r) return r;
        if (w.operation.body.size() > limits::transaction_bytes)
            return refuse(service_errc::request_body_too_large, "a request has at most 4 MiB");
        return check_operation(w.operation);
    }
    checked operator()(transact const& t) const {
        if (auto r = check_table(t.table); !r) return r;
        if (auto r = check_group(t.operations); !r) return r;
        for (std::size_t i = 0; i < t.operations.size(); ++i)
            if (auto const r = check_operation(t.operations[i]); !r) return blame(r.error(), i);
        return {};
    }
    checked operator()(get_access_policies const& q) const { return check_table(q.table); }
    checked operator()(set_access_policies const& q) const {
        if (auto r = check_table(q.table); !r) return r;
        return check_access_policies(q.policies);
    }
    checked operator()(get_service_properties const&) const { return {}; }
    checked operator()(set_service_properties const& q) const { return check_service_properties(*q.properties); }
    checked operator()(get_service_statistics const&) const { return {}; }
    checked operator()(queue_request const& r) const { return check_queue_request(r); }
    checked operator()(blob_request const& r) const { return check_blob_request(r); }
};

}  // namespace

/// If-Match alone distinguishes an update from an upsert: neither may become the other by accident.
result<void> detail::check_condition(write_operation const& o) {
    if (!is_conditional(o.kind)) {
        if (o.if_match.empty()) return {};
        return refuse(service_errc::invalid_input,
                      "an insert or upsert has no etag: use replace or merge for a condition");
    }
    if (o.if_match.empty()) return refuse(service_errc::invalid_input, "an etag or '*' is needed");
    if (o.if_match != any_etag && !is_weak_etag(o.if_match))
        return refuse(service_errc::invalid_input, "the condition is no weak etag, as stores give them");
    return {};
}

result<void> detail::check_group(std::span<write_operation const> operations) {
    if (operations.empty() || operations.size() > limits::transaction_operations)
        return refuse(service_errc::invalid_input, "a group transaction has 1 to 100 operations");
    std::size_t size = 0;
    std::vector<std::pair<std::string_view, std::size_t>> rows;
    rows.reserve(operations.size());
    for (auto const& o : operations) {
        if (o.partition_key != operations.front().partition_key)
            return blame(error{service_errc::commands_in_batch_act_on_different_partitions,
                               {.reason = "a group transaction acts in one partition"}},
                         rows.size());
        size += o.body.size();
        rows.emplace_back(o.row_key, rows.size());
    }
    if (size > limits::transaction_bytes)
        return refuse(service_errc::request_body_too_large,
                      "the bodies of a group transaction have at most 4 MiB together");
    std::sort(rows.begin(), rows.end());
    auto const twin = std::adjacent_find(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.first == b.first; });
    if (twin != rows.end())
        return blame(error{service_errc::invalid_duplicate_row, {.reason = "each entity may be written once"}},
                     std::next(twin)->second);
    return {};
}

result<void> check_request(request const& r) { return std::visit(checker{}, r); }

result<void> check_call(call_options const& o) {
    auto const why = environment{o}.why_stop();
    if (!why) return {};
    return failure{error{why, {.reason = "the store did not begin with the request"}}};
}

}  // namespace tablemap
