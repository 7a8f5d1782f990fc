// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Writes an entity by an editor; see `write_valued` of the state. The etag, or the error of a key.
template <class State, class Editor>
task<result<typename Editor::value_type>> write_valued_with(std::shared_ptr<State const> table, result<entity_key> key,
                                                            modify_options options, Editor edit) {
    if (!key) co_return failure{std::move(key).error()};
    auto stored = co_await write_valued(*table, *key, options, edit);
    if (!stored) co_return failure{std::move(stored).error()};
    co_return edit.finish(*std::move(stored));
}

/// Makes the operations that tables with unique values and tables with index entities have in common, for their
/// blocking and their asynchronous forms alike.
template <class T, class State, class... Items> class valued_operations {
public:
    template <fixed_string Name>
    using item_named = std::tuple_element_t<find_valued<Name, Items...>(), std::tuple<Items...>>;
    template <fixed_string Name> using type_of = part_type_of<member_type<item_named<Name>::member>>;

    State const& state() const noexcept { return *state_; }

    auto insert(T value, clock& c) const {
        auto key = keys_of_new(value, c);
        return call("insert", std::move(key), {}, valued_insert<T, Items...>{*state_, std::move(value)});
    }

    /// `e` is borrowed until the response.
    auto replace(entity<T>& e) const {
        return call("replace", keys_of(e.value), {}, valued_replace<T, Items...>{*state_, e});
    }

    template <class Change> auto modify(key_of<T> const& key, Change change, modify_options const& o) const {
        auto own = keys_of(key);
        auto const named = own.value_or(entity_key{});
        using editor = valued_modify<T, Change, Items...>;
        return call("modify", std::move(own), o, editor{*state_, std::move(change), named});
    }

    /// The clock of a call, which is also its source of randomness.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

protected:
    explicit valued_operations(std::shared_ptr<State const> state) noexcept : state_(std::move(state)) {}

    static result<entity_key> keys_of_new(T& value, clock& c) {
        write_encoder<T>{false, c, nullptr}.generate_keys(value);
        return keys_of(value);
    }

    template <class Keys> static result<entity_key> keys_of(Keys const& key) {
        result<entity_key> keys;
        if (auto r = encode_keys(key, keys->partition_key, keys->row_key); !r) keys = failure{std::move(r).error()};
        return keys;
    }

    template <fixed_string Name> static result<std::string> key_of_value(type_of<Name> const& value) {
        result<std::string> key;
        if (auto r = make_value_key<item_named<Name>>(*key, value); !r) key = failure{std::move(r).error()};
        return key;
    }

    template <class Editor>
    table_call<typename Editor::value_type> call(std::string_view action, result<entity_key> key,
                                                 modify_options const& o, Editor edit) const {
        return {state_->entities, action, write_valued_with(state_, std::move(key), o, std::move(edit))};
    }

    std::shared_ptr<State const> state_;
};

}  // namespace tablemap::detail
