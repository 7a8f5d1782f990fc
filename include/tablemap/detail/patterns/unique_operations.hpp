// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/unique_rules.hpp"
#include "tablemap/detail/patterns/valued_editors.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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
template <class T, class... Uniques> class unique_operations {
    static_assert(check_unique_values<T, Uniques...>());

public:
    template <fixed_string Name>
    using unique_named = std::tuple_element_t<find_valued<Name, Uniques...>(), std::tuple<Uniques...>>;
    template <fixed_string Name> using type_of = part_type_of<member_type<unique_named<Name>::member>>;

    unique_operations(store_ptr s, std::string name, unique_options unique, table_options const& o)
        : state_(make_state(std::move(s), std::move(name), std::move(unique), o)) {}

    unique_state const& state() const noexcept { return *state_; }

    auto insert(T value, clock& c) const {
        write_encoder<T>{false, c, nullptr}.generate_keys(value);
        auto key = keys_of(value);
        return call("insert", std::move(key), {}, valued_insert<T, Uniques...>{*state_, std::move(value)});
    }

    /// `e` is borrowed until the response.
    auto replace(entity<T>& e) const {
        return call("replace", keys_of(e.value), {}, valued_replace<T, Uniques...>{*state_, e});
    }
    auto erase(entity<T> const& e) const {
        return call("erase", keys_of(e.value), {}, valued_erase<T, Uniques...>{*state_, e});
    }

    template <class Change> auto modify(key_of<T> const& key, Change change, modify_options const& o) const {
        auto own = keys_of(key);
        auto const named = own.value_or(entity_key{});
        using editor = valued_modify<T, Change, Uniques...>;
        return call("modify", std::move(own), o, editor{*state_, std::move(change), named});
    }

    template <fixed_string Name> table_call<std::optional<entity<T>>> find_by(type_of<Name> const& value) const {
        using unique = unique_named<Name>;
        result<std::string> key;
        if (auto r = make_value_key<unique>(*key, value); !r) key = failure{std::move(r).error()};
        return {state_->entities, "find_by", find_by_unique<T, unique>(state_, std::move(key))};
    }

    table_call<unique_report> check(bool repairs) const {
        return {state_->entities, repairs ? "repair" : "verify",
                check_unique_values(state_, keys_of_scan<T>(), type_filter_of<T>(), repairs)};
    }

    /// The clock of a call, which is also its source of randomness.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

private:
    static std::shared_ptr<unique_state const> make_state(store_ptr s, std::string name, unique_options unique,
                                                          table_options const& o) {
        if (unique.reservations.empty()) unique.reservations = name + "Unique";
        auto reservations = make_table_state(s, std::move(unique.reservations), {}, row_types_of<reservation>());
        auto entities = make_table_state(std::move(s), std::move(name), o, row_types_of<T>());
        return std::make_shared<unique_state const>(unique_state{
            {std::move(entities), valued_type_of<T, Uniques...>}, std::move(reservations), unique.reserved_for});
    }

    template <class Keys> static result<entity_key> keys_of(Keys const& key) {
        result<entity_key> keys;
        if (auto r = encode_keys(key, keys->partition_key, keys->row_key); !r) keys = failure{std::move(r).error()};
        return keys;
    }

    template <class Editor>
    table_call<typename Editor::value_type> call(std::string_view action, result<entity_key> key,
                                                 modify_options const& o, Editor edit) const {
        return {state_->entities, action, write_unique_with(state_, std::move(key), o, std::move(edit))};
    }

    std::shared_ptr<unique_state const> state_;
};

}  // namespace tablemap::detail
