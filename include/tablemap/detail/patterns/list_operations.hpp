// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/list_editors.hpp"
#include "tablemap/detail/patterns/list_rules.hpp"
#include "tablemap/detail/patterns/valued_operations.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
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
template <class T, class... Indexes> class list_operations : public valued_operations<T, list_state, Indexes...> {
    static_assert(check_index_entities<T, Indexes...>());
    using base = valued_operations<T, list_state, Indexes...>;
    using base::call, base::keys_of, base::keys_of_new, base::state_;

public:
    list_operations(store_ptr s, std::string name, index_entity_options options, table_options const& o)
        : base(make_list_state(
              {make_table_state(std::move(s), std::move(name), o, row_types_of<T>()), valued_type_of<T, Indexes...>},
              tables_of_lists<Indexes...>, leading_text<mapping<T>::row_key>, std::move(options))) {}

    auto upsert(T value, clock& c) const {
        auto key = keys_of_new(value, c);
        return call("upsert_replace", std::move(key), {}, valued_upsert<T, Indexes...>{*state_, std::move(value)});
    }

    auto erase(entity<T> const& e) const {
        return call("erase", keys_of(e.value), {}, valued_erase_of_read<T, Indexes...>{*state_, e});
    }

    template <fixed_string Name>
    table_call<std::vector<entity<T>>> find_all_by(result<std::vector<std::string>> partitions,
                                                   typename base::template type_of<Name> const& value) const {
        using index = typename base::template item_named<Name>;
        return {state_->entities, "find_all_by",
                find_all_listed<T, index>(state_, find_valued<Name, Indexes...>(), std::move(partitions),
                                          base::template key_of_value<Name>(value))};
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

    table_call<put_back_report> put_back() const { return {state_->entities, "put_back", put_back_lists(state_)}; }

    table_call<index_entity_report> check(bool repairs) const {
        return {state_->entities, repairs ? "repair" : "verify",
                check_lists(state_, keys_of_scan<T>(), type_filter_of<T>(), repairs)};
    }

private:
    static task<result<index_entity_relay_report>> relay_each(std::shared_ptr<list_state const> table,
                                                              result<std::vector<std::string>> partitions) {
        if (!partitions) co_return failure{std::move(partitions).error()};
        auto done = co_await relay_lists(std::move(table), *std::move(partitions));
        co_return done;
    }
};

}  // namespace tablemap::detail
