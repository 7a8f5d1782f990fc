// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/patterns/copies_check.hpp"
#include "tablemap/detail/patterns/copies_editor.hpp"
#include "tablemap/detail/table/table_operations.hpp"
#include "tablemap/detail/write/table_call.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::inline v0_1::detail {

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class S, class... Types> constexpr bool check_source_is_listed() {
    constexpr bool good = (std::same_as<S, Types> || ...);
    static_assert(good,
                  "tablemap[P6]: a type of this table holds copies of rows of another type, whose writes would leave "
                  "them stale; name that type too: table_with_copies<employee, department>");
    return good;
}

template <class... Types, class... Declarations> constexpr bool check_sources_are_listed(type_list<Declarations...>) {
    return (check_source_is_listed<typename Declarations::source, Types...>() && ...);
}

template <class T> constexpr bool check_no_indexes_beside_copies() {
    static_assert(
        !has_indexes<T>,
        "tablemap[P6]: this type has indexes, and table_with_copies does not keep the rows of indexes; leave out "
        "the one or the other, or write the type through table<T> and call refresh_copies() after it");
    return !has_indexes<T>;
}

template <class... Types> constexpr bool check_types_with_copies() {
    constexpr bool any = (holds_copies<Types> || ...);
    static_assert(any, "tablemap[P6]: none of these types holds copies; declare static constexpr auto copies = "
                       "tablemap::copies(...) in the mapping of the one that does, or use table<T>");
    if constexpr (any && sizeof...(Types) > 1)
        if constexpr (!check_variant<std::variant<Types...>>()) return false;
    if constexpr (any && ((check_copies<Types>() && check_no_indexes_beside_copies<Types>()) && ...))
        return (check_sources_are_listed<Types...>(copy_declarations<Types>{}) && ...);
    return false;
}

template <class T, class... Types> constexpr bool check_type_with_copies() {
    constexpr bool good = (std::same_as<T, Types> || ...);
    static_assert(good,
                  "tablemap[P6]: this table_with_copies does not name this type, so nobody knows what copies of it "
                  "there are; add it to the types of the table, or use table<T>");
    return good;
}

template <class T, class Holder, class... Declarations> constexpr bool can_unlink_all(type_list<Declarations...>) {
    return ((!std::same_as<typename Declarations::source, T> || copies_rule<Holder, Declarations>::can_unlink) && ...);
}

/// Checks that rows of `T` can be erased while other rows hold copies of them.
template <class T, class... Types> constexpr bool check_unlinking() {
    constexpr bool good = (can_unlink_all<T, Types>(copy_declarations<Types>{}) && ...);
    static_assert(good,
                  "tablemap[P6]: copies of this type cannot be cleared, since a row that holds them always links to a "
                  "source; make the linked member a std::optional, or use erase_unless_copied");
    return good;
}

// ---- operations -----------------------------------------------------------------------------------------------------

/// Makes the operations of a table with copies, for its blocking and its asynchronous form alike.
template <class... Types> class copies_operations {
    static_assert(check_types_with_copies<Types...>());

public:
    copies_operations(store_ptr s, std::string name, table_options const& o)
        : state_(make_table_state(std::move(s), std::move(name), o, row_types<std::variant<Types...>>::list)) {}

    table_state const& state() const noexcept { return *state_; }

    template <class T> auto insert(T value, clock& c) const {
        write_encoder<T>{state_->operation_ids, c, state_->cipher.get()}.generate_keys(value);
        entity_key own;
        auto const good = encode_keys(value, own.partition_key, own.row_key);
        using editor = inserting_editor<T, Types...>;
        return call("insert", good, own, own_row::given, {}, editor{*state_, std::move(value), own});
    }

    /// `e` is borrowed until the response.
    template <class T> auto replace(entity<T>& e) const {
        entity_key own;
        auto const good = encode_keys(e.value, own.partition_key, own.row_key);
        using editor = replacing_editor<T, Types...>;
        return call("replace", good, own, own_row::given, {}, editor{*state_, e, own});
    }

    template <class T, class Change> auto modify(key_of<T> const& key, Change change, modify_options const& o) const {
        entity_key own;
        auto const good = encode_keys(key, own.partition_key, own.row_key);
        using editor = modifying_editor<T, Change, Types...>;
        return call("modify", good, own, own_row::read, o, editor{*state_, std::move(change), own});
    }

    template <holders Mode, class T> auto erase(entity<T> const& e) const {
        entity_key own;
        auto const good = encode_keys(e.value, own.partition_key, own.row_key);
        using editor = erasing_editor<Mode, T, Types...>;
        return call("erase", good, own, own_row::given, {}, editor{*state_, e, own});
    }

    template <class... Values>
    table_call<copies_report> check(partition_values<Values...> const& p, bool repairs) const {
        query_keys keys;
        result<std::string> key;
        if (auto r = encode_partition<std::tuple_element_t<0, std::tuple<Types...>>>(keys, p); !r)
            key = failure{std::move(r).error()};
        else
            key = keys.partitions.front();
        std::vector<std::unique_ptr<copies_checker>> checkers;
        (..., add_checker<Types>(checkers, key.value_or(std::string{})));
        return {state_, repairs ? "refresh_copies" : "verify_copies",
                check_copies(state_, std::move(key), std::move(checkers), repairs)};
    }

    /// The clock of a call, which is also its source of randomness.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

private:
    template <class Editor>
    table_call<typename Editor::value_type> call(std::string_view action, result<void> const& good,
                                                 entity_key const& own, own_row how, modify_options const& o,
                                                 Editor edit) const {
        result<entity_key> key = own;
        if (!good) key = failure{good.error()};
        return {state_, action, write_with(state_, std::move(key), how, o, std::move(edit))};
    }

    template <class T>
    void add_checker(std::vector<std::unique_ptr<copies_checker>>& to, std::string const& partition_key) const {
        if constexpr (holds_copies<T>) to.push_back(std::make_unique<copies_checker_of<T>>(*state_, partition_key));
    }

    std::shared_ptr<table_state const> state_;
};

}  // namespace tablemap::detail
