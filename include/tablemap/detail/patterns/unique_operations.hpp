// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/unique_rules.hpp"
#include "tablemap/detail/patterns/valued_operations.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Decodes an entity that a reservation names.
template <class T, class Unique>
result<bool> read_unique_owner(std::string& row, std::string_view value, void* found, property_cipher const* cipher) {
    auto& e = static_cast<std::optional<entity<T>>*>(found)->emplace();
    if (auto r = decode_into(row, e, cipher); !r) return failure{std::move(r).error()};
    std::string own;
    if (auto r = add_value_key<Unique, true>(e.value, own); !r) return failure{std::move(r).error()};
    return own == value;
}

template <class T, class Unique>
task<result<std::optional<entity<T>>>> find_by_unique(std::shared_ptr<unique_state const> table,
                                                      result<std::string> value) {
    if (!value) co_return failure{std::move(value).error()};
    std::optional<entity<T>> found;
    auto const there = co_await look_up_unique(*table, *value, &read_unique_owner<T, Unique>, &found);
    if (!there) co_return failure{there.error()};
    if (!*there) found.reset();
    co_return found;
}

/// Makes the operations of a table with unique values, for its blocking and its asynchronous form alike.
template <class T, class... Uniques> class unique_operations : public valued_operations<T, unique_state, Uniques...> {
    static_assert(check_unique_values<T, Uniques...>());
    using base = valued_operations<T, unique_state, Uniques...>;
    using base::call, base::keys_of, base::state_;

public:
    unique_operations(store_ptr s, std::string name, unique_options unique, table_options const& o)
        : base(make_state(std::move(s), std::move(name), std::move(unique), o)) {}

    auto erase(entity<T> const& e) const {
        return call("erase", keys_of(e.value), {}, valued_erase<T, Uniques...>{*state_, e});
    }

    template <fixed_string Name>
    table_call<std::optional<entity<T>>> find_by(typename base::template type_of<Name> const& value) const {
        using unique = typename base::template item_named<Name>;
        return {state_->entities, "find_by",
                find_by_unique<T, unique>(state_, base::template key_of_value<Name>(value))};
    }

    table_call<unique_report> check(bool repairs) const {
        return {state_->entities, repairs ? "repair" : "verify",
                check_unique_values(state_, keys_of_scan<T>(), type_filter_of<T>(), repairs)};
    }

private:
    static std::shared_ptr<unique_state const> make_state(store_ptr s, std::string name, unique_options unique,
                                                          table_options const& o) {
        if (unique.reservations.empty()) unique.reservations = name + "Unique";
        auto reservations = make_table_state(s, std::move(unique.reservations), {}, row_types_of<reservation>());
        auto entities = make_table_state(std::move(s), std::move(name), o, row_types_of<T>());
        return std::make_shared<unique_state const>(unique_state{
            {std::move(entities), valued_type_of<T, Uniques...>}, std::move(reservations), unique.reserved_for});
    }
};

}  // namespace tablemap::detail
