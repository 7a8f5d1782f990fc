// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/table_client.hpp"

#include "testing/contract/answers.hpp"

#include "tablemap/detail/wire/writer.hpp"

#include <iterator>

namespace tablemap::inline v0_1::testing::contract {
namespace {

std::string encoded(dynamic_entity const& e) {
    std::string text;
    detail::append_entity(text, e);
    return text;
}

}  // namespace

dynamic_entity entity(std::string partition, std::string row, std::initializer_list<property> properties) {
    dynamic_entity e{std::move(partition), std::move(row)};
    for (auto const& p : properties) e.set_value(p.name, p.value);
    return e;
}

std::string body(std::string_view partition, std::string_view row, std::string_view members) {
    std::string text;
    detail::begin_entity(text, partition, row);
    if (!members.empty()) text.append(",").append(members);
    return text + "}";
}

owned_operation operation(write_kind kind, dynamic_entity const& e, std::string if_match) {
    if (if_match.empty() && is_conditional(kind)) if_match = any_etag;
    return {kind, e.partition_key, e.row_key, encoded(e), std::move(if_match)};
}

owned_operation erasure(std::string partition, std::string row, std::string if_match) {
    return {write_kind::erase, std::move(partition), std::move(row), {}, std::move(if_match)};
}

response table_client::write(write_kind kind, dynamic_entity const& e, std::string_view if_match) {
    return write_body(kind, e.partition_key, e.row_key, encoded(e), if_match);
}

response table_client::write_body(write_kind kind, std::string_view partition, std::string_view row,
                                  std::string_view body, std::string_view if_match) {
    write_operation const o{
        .kind = kind, .partition_key = partition, .row_key = row, .body = body, .if_match = if_match};
    return store_->execute(write_entity{table_, o}, {});
}

response table_client::erase(std::string_view partition, std::string_view row, std::string_view if_match) {
    return write_body(write_kind::erase, partition, row, {}, if_match);
}

response table_client::transact(std::vector<owned_operation> const& operations) {
    std::vector<write_operation> views;
    views.reserve(operations.size());
    for (auto const& o : operations)
        views.push_back({.kind = o.kind,
                         .partition_key = o.partition_key,
                         .row_key = o.row_key,
                         .body = o.body,
                         .if_match = o.if_match});
    return store_->execute(tablemap::transact{table_, views}, {});
}

response table_client::get(std::string_view partition, std::string_view row,
                           std::vector<std::string_view> const& select) {
    return store_->execute(get_entity{table_, partition, row, select}, {});
}

response table_client::page(query_page q) {
    q.table = table_;
    return store_->execute(q, {});
}

std::vector<detail::stored_entity> table_client::all(query_page q, std::size_t* pages) {
    std::vector<detail::stored_entity> found;
    std::optional<continuation> next;
    do {
        q.from = next ? &*next : nullptr;
        auto r = page(q);
        auto entities = entities_in(r);
        std::move(entities.begin(), entities.end(), std::back_inserter(found));
        next = std::move(r.next);
        if (pages) ++*pages;
    } while (next);
    return found;
}

}  // namespace tablemap::testing::contract
