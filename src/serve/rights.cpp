// SPDX-License-Identifier: Apache-2.0
#include "serve/rights.hpp"

#include "base/ascii.hpp"
#include "rest/access_text.hpp"
#include "serve/refused.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"

#include <compare>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

/// The permissions that a signature for a table needs; none for actions that no such signature allows.
table_permissions permissions_for(action a) noexcept {
    using p = table_permission;
    switch (a) {
    case action::query: return p::query;
    case action::insert: return p::add;
    case action::update: return p::update;
    case action::upsert: return p::add | p::update;
    case action::erase: return p::erase;
    default: return {};
    }
}

/// The permissions of which a signature for an account needs all, or one if `any`, and the kind of resource.
struct account_need {
    access_set<account_permission> permissions{};
    account_resource resource{};
    bool any = false;
};

account_need need_of(action a) noexcept {
    using p = account_permission;
    using r = account_resource;
    switch (a) {
    case action::list_tables: return {p::list, r::container};
    case action::create_table: return {p::create | p::write, r::container, true};
    case action::delete_table: return {p::erase, r::container};
    case action::query: return {p::read, r::object};
    case action::insert: return {p::add, r::object};
    case action::update: return {p::update, r::object};
    case action::upsert: return {p::add | p::update, r::object};
    case action::erase: return {p::erase, r::object};
    case action::get_settings: return {p::read, r::service};
    case action::set_settings: return {p::write, r::service};
    case action::policies: break;
    }
    return {};
}

bool allows(access_set<account_permission> given, account_need const& need) noexcept {
    bool all = true, one = false;
    for (auto const& letter : account_permission_letters) {
        if (!need.permissions.has(letter.second)) continue;
        all = all && given.has(letter.second);
        one = one || given.has(letter.second);
    }
    return need.any ? one : all;
}

[[noreturn]] void refuse_permission() {
    refuse_authorization("AuthorizationPermissionMismatch", "the signature lacks a permission that it needs.");
}

struct requirement {
    action what;
    std::string_view table;

    void operator()(owner_rights const&) const {}

    void operator()(table_rights const& given) const {
        auto const needed = permissions_for(what);
        if (needed.empty())
            refuse_authorization("AuthorizationFailure", "a signature for a table allows only entities.");
        if (given.table != lower_case(table))
            refuse_authorization("AuthorizationFailure", "the signature is for another table.");
        if ((given.permissions | needed) != given.permissions) refuse_permission();
    }

    void operator()(account_rights const& given) const {
        auto const need = need_of(what);
        if (need.permissions.empty())
            refuse_authorization("AuthorizationFailure", "only the account's key allows access policies.");
        if (!given.resources.has(need.resource))
            refuse_authorization("AuthorizationResourceTypeMismatch",
                                 "the signature is not for this kind of resource (srt).");
        if (!allows(given.permissions, need)) refuse_permission();
    }
};

/// The order of an entity and an end of a range. An end without a row key holds its whole partition.
std::strong_ordering compared(std::string_view partition_key, std::string_view row_key,
                              std::string const& end_partition, std::optional<std::string> const& end_row) {
    auto const order = compare_utf16(partition_key, end_partition);
    if (order != 0 || !end_row) return order;
    return compare_utf16(row_key, *end_row);
}

bool holds(access_range const& r, std::string_view partition_key, std::string_view row_key) {
    return (!r.first_partition || compared(partition_key, row_key, *r.first_partition, r.first_row) >= 0) &&
           (!r.last_partition || compared(partition_key, row_key, *r.last_partition, r.last_row) <= 0);
}

filter::expression key_is(std::string_view name, filter::comparison_operator op, std::string const& key) {
    return filter::comparison{.property = std::string{name}, .op = op, .value = key};
}

/// Entities from, or up to, this place in the order of both keys.
filter::expression end_of_range(std::string const& partition, std::optional<std::string> const& row, bool is_first) {
    using op = filter::comparison_operator;
    auto const at_or_within = is_first ? op::ge : op::le;
    if (!row) return key_is(partition_key_name, at_or_within, partition);
    return key_is(partition_key_name, is_first ? op::gt : op::lt, partition) ||
           (key_is(partition_key_name, op::eq, partition) && key_is(row_key_name, at_or_within, *row));
}

/// The same for both ends in one partition, so that a store reads no rows beyond them.
filter::expression within_partition(access_range const& r) {
    using op = filter::comparison_operator;
    auto all = key_is(partition_key_name, op::eq, *r.first_partition);
    if (r.first_row) all = all && key_is(row_key_name, op::ge, *r.first_row);
    if (r.last_row) all = all && key_is(row_key_name, op::le, *r.last_row);
    return all;
}

}  // namespace

void rights::require(action a, std::string_view table) const { std::visit(requirement{a, table}, of_); }

void rights::require_row(action a, std::string_view table, std::string_view partition_key,
                         std::string_view row_key) const {
    require(a, table);
    auto const* const limited = std::get_if<table_rights>(&of_);
    if (limited && !holds(limited->range, partition_key, row_key))
        refuse_authorization("AuthorizationFailure", "the signature is for other keys (spk, srk, epk, erk).");
}

bool rights::has_range() const noexcept {
    auto const* const limited = std::get_if<table_rights>(&of_);
    return limited && (limited->range.first_partition || limited->range.last_partition);
}

std::string_view rights::secret_of_places() const noexcept {
    auto const* const limited = std::get_if<table_rights>(&of_);
    return limited ? std::string_view{limited->secret} : std::string_view{};
}

std::optional<filter::expression> rights::filter_of_range() const {
    auto const* const limited = std::get_if<table_rights>(&of_);
    if (!limited) return std::nullopt;
    auto const& r = limited->range;
    if (r.first_partition && r.first_partition == r.last_partition) return within_partition(r);
    std::optional<filter::expression> first, last;
    if (r.first_partition) first = end_of_range(*r.first_partition, r.first_row, true);
    if (r.last_partition) last = end_of_range(*r.last_partition, r.last_row, false);
    if (first && last) return *first && *last;
    return first ? first : last;
}

}  // namespace tablemap::detail::serve
