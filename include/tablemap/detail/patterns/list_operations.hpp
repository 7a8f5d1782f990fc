// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/list_editors.hpp"
#include "tablemap/detail/patterns/list_rules.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Decodes an entity that a list names. One that does not have the value is left out: the list is not up to date.
template <class T, class Index>
result<void> read_listed(std::string& row, std::string_view value, void* found, property_cipher const* cipher) {
    entity<T> e;
    if (auto r = decode_into(row, e, cipher); !r) return failure{std::move(r).error()};
    std::string own;
    if (auto r = add_value_key<Index, true>(e.value, own); !r) return failure{std::move(r).error()};
    if (own == value) static_cast<std::vector<entity<T>>*>(found)->push_back(std::move(e));
    return {};
}

template <class T, class Index>
task<result<std::vector<entity<T>>>> find_all_listed(std::shared_ptr<list_state const> table, std::size_t index,
                                                     result<std::vector<std::string>> partitions,
                                                     result<std::string> value) {
    if (!partitions) co_return failure{std::move(partitions).error()};
    if (!value) co_return failure{std::move(value).error()};
    std::vector<entity<T>> found;
    auto const done = co_await look_up_list(std::move(table), index, *std::move(partitions), *std::move(value),
                                            &read_listed<T, Index>, &found);
    if (!done) co_return failure{done.error()};
    co_return found;
}

/// Makes the operations of a table with index entities.
template <class T, class... Indexes> class list_operations {
    static_assert(check_index_entities<T, Indexes...>());

public:
    template <fixed_string Name>
    using index_named = std::tuple_element_t<find_valued<Name, Indexes...>(), std::tuple<Indexes...>>;
    template <fixed_string Name> using type_of = part_type_of<member_type<index_named<Name>::member>>;

    list_operations(store_ptr s, std::string name, index_entity_options options, table_options const& o)
        : state_(make_list_state(
              {make_table_state(std::move(s), std::move(name), o, row_types_of<T>()), valued_type_of<T, Indexes...>},
              tables_of_lists<Indexes...>, leading_text<mapping<T>::row_key>, std::move(options))) {}

    list_state const& state() const noexcept { return *state_; }

    auto insert(T value, clock& c) const {
        auto key = keys_of_new(value, c);
        return call("insert", std::move(key), {}, valued_insert<T, Indexes...>{*state_, std::move(value)});
    }
    auto upsert(T value, clock& c) const {
        auto key = keys_of_new(value, c);
        return call("upsert_replace", std::move(key), {}, valued_upsert<T, Indexes...>{*state_, std::move(value)});
    }

    /// `e` is borrowed until the response.
    auto replace(entity<T>& e) const {
        return call("replace", keys_of(e.value), {}, valued_replace<T, Indexes...>{*state_, e});
    }
    auto erase(entity<T> const& e) const {
        return call("erase", keys_of(e.value), {}, valued_erase_of_read<T, Indexes...>{*state_, e});
    }

    template <class Change> auto modify(key_of<T> const& key, Change change, modify_options const& o) const {
        auto own = keys_of(key);
        auto const named = own.value_or(entity_key{});
        using editor = valued_modify<T, Change, Indexes...>;
        return call("modify", std::move(own), o, editor{*state_, std::move(change), named});
    }

    template <fixed_string Name>
    table_call<std::vector<entity<T>>> find_all_by(result<std::vector<std::string>> partitions,
                                                   type_of<Name> const& value) const {
        using index = index_named<Name>;
        result<std::string> key;
        if (auto r = make_value_key<index>(*key, value); !r) key = failure{std::move(r).error()};
        return {
            state_->entities, "find_all_by",
            find_all_listed<T, index>(state_, find_valued<Name, Indexes...>(), std::move(partitions), std::move(key))};
    }

    template <class... Values>
    static result<std::vector<std::string>> partitions_of(partition_values<Values...> const& p) {
        query_keys keys;
        if (auto r = encode_partition<T>(keys, p); !r) return failure{std::move(r).error()};
        return std::move(keys.partitions);
    }

    table_call<index_entity_relay_report> relay(result<std::vector<std::string>> partitions) const {
        return {state_->entities, "relay", relay_each(state_, std::move(partitions))};
    }
    table_call<index_entity_relay_report> relay_until_stopped(std::chrono::milliseconds every) const {
        return {state_->entities, "run_relay", relay_lists_until_stopped(state_, every)};
    }

    table_call<index_entity_report> check(bool repairs) const {
        return {state_->entities, repairs ? "repair" : "verify",
                check_lists(state_, keys_of_scan<T>(), type_filter_of<T>(), repairs)};
    }

    /// The clock of a call, which is also its source of randomness.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

private:
    static task<result<index_entity_relay_report>> relay_each(std::shared_ptr<list_state const> table,
                                                              result<std::vector<std::string>> partitions) {
        if (!partitions) co_return failure{std::move(partitions).error()};
        auto done = co_await relay_lists(std::move(table), *std::move(partitions));
        co_return done;
    }

    static result<entity_key> keys_of_new(T& value, clock& c) {
        write_encoder<T>{false, c, nullptr}.generate_keys(value);
        return keys_of(value);
    }

    template <class Keys> static result<entity_key> keys_of(Keys const& key) {
        result<entity_key> keys;
        if (auto r = encode_keys(key, keys->partition_key, keys->row_key); !r) keys = failure{std::move(r).error()};
        return keys;
    }

    template <class Editor>
    table_call<typename Editor::value_type> call(std::string_view action, result<entity_key> key,
                                                 modify_options const& o, Editor edit) const {
        return {state_->entities, action, write_listed_with(state_, std::move(key), o, std::move(edit))};
    }

    std::shared_ptr<list_state const> state_;
};

}  // namespace tablemap::detail
