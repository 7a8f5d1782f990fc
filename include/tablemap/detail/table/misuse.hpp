// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/store/options.hpp"

#include <concepts>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <vector>

/// Calls of a table that are easily written and mean nothing. They are declared, so that a compiler that finds one says
/// what to write instead of listing what does not match. No right program instantiates a body.
namespace tablemap::inline v0_1 {

namespace detail {

template <class Use> [[noreturn]] auto refuse_query_without_partition() {
    static_assert(is_right_use<Use>,
                  "tablemap[Q1]: a query names its partition, query(partition(...)), or several, "
                  "query(std::vector{partition(...), partition(...)}); scan() reads all entities of the table");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_keys_without_list() {
    static_assert(is_right_use<Use>,
                  "tablemap[K7]: find_many(...) takes one list of keys, with each key in braces: find_many({{...}, "
                  "{...}}); or pass a std::vector<key_of<T>>");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_options_after_values() {
    static_assert(is_right_use<Use>,
                  "tablemap[K7]: options in braces need the key in braces, too: find({\"Sales\", 212}, {.deadline = "
                  "...}); after the single values of a key, name the type: call_options{...}, modify_options{...}");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_change() {
    static_assert(is_right_use<Use>,
                  "tablemap[W3]: modify takes a key and a function that is called with the value as T&: "
                  "modify({\"Sales\", 212}, [](employee& e) { ++e.age; })");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_merge_of_all() {
    static_assert(is_right_use<Use>,
                  "tablemap[W2]: merge_any(...) names the members that it sends: merge_any(value, only<&T::m>); to "
                  "send a whole value use replace_any or upsert_merge");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_entity_as_value() {
    static_assert(is_right_use<Use>,
                  "tablemap[W4]: this write takes a value and no etag; pass the entity's value, or use replace or "
                  "merge, which write under the entity's etag");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_to_refresh() {
    static_assert(is_right_use<Use>,
                  "tablemap[W4]: replace and merge refresh the etag of an entity<T> that was read from this table, has "
                  "a name and is not const; for a value alone use replace_any, merge_any, upsert_replace or "
                  "upsert_merge");
    std::abort();
}

template <class Use> [[noreturn]] auto refuse_to_erase_by_key() {
    static_assert(
        is_right_use<Use>,
        "tablemap[W11]: erase(...) takes an entity that was read from this table, and erases the version that "
        "was read; erase_any(...) takes a key, and erases any version");
    std::abort();
}

struct any_option {
    any_option() = default;
    template <class Value> any_option(Value const&) {}
};

/// The type that braces with options make where no parameter of the right type stands. Other options have other types,
/// even if they have the same names.
struct options_in_the_wrong_place {
    any_option attempts{}, first_wait{}, longest_wait{};
    any_option deadline{}, retry{}, stop{}, request_id{}, clock{}, read_from{}, empty_pages{};
};
template <class Options>
concept misplaced_options = std::same_as<Options, options_in_the_wrong_place>;

template <class Argument, class T>
concept no_list_of_keys =
    !std::same_as<std::remove_cvref_t<Argument>, key_of<T>> && !std::convertible_to<Argument, std::vector<key_of<T>>>;

template <class Argument, class T>
concept nothing_to_refresh = !std::convertible_to<Argument, entity<T>&>;

template <class Argument, class T>
concept no_change_of = !std::invocable<Argument, T&>;

/// Refused forms of the reading functions of `table<T>`.
template <class T> class misuse_of_reading {
protected:
    using found = std::optional<entity<T>>;
    using many = std::vector<found>;
    using options = options_in_the_wrong_place;

    template <class None = void> query_range<T> query(call_options const& = {}) const {
        refuse_query_without_partition<None>();
    }
    template <class None> query_range<T> query(std::initializer_list<None>, call_options const& = {}) const {
        refuse_query_without_partition<None>();
    }
    template <class None = void> result<query_range<T>> try_query(call_options const& = {}) const {
        refuse_query_without_partition<None>();
    }

    template <class None>
    result<query_range<T>> try_query(std::initializer_list<None>, call_options const& = {}) const {
        refuse_query_without_partition<None>();
    }

    template <class A, class B, misplaced_options Options = options>
    found find(A const&, B const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, misplaced_options Options = options>
    found find(A const&, B const&, C const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, misplaced_options Options = options>
    result<found> try_find(A const&, B const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, misplaced_options Options = options>
    result<found> try_find(A const&, B const&, C const&, Options const&) const {
        refuse_options_after_values<A>();
    }

    template <no_list_of_keys<T> First, class... More> many find_many(First&&, More const&...) const {
        refuse_keys_without_list<First>();
    }
    template <std::same_as<key_of<T>> Key> many find_many(Key const&) const { refuse_keys_without_list<Key>(); }
    template <std::same_as<key_of<T>> Key = key_of<T>> many find_many(Key const&, Key const&) const {
        refuse_keys_without_list<Key>();
    }
    template <std::same_as<key_of<T>> Key = key_of<T>> many find_many(Key const&, Key const&, Key const&) const {
        refuse_keys_without_list<Key>();
    }
    template <no_list_of_keys<T> First, class... More> result<many> try_find_many(First&&, More const&...) const {
        refuse_keys_without_list<First>();
    }
    template <std::same_as<key_of<T>> Key> result<many> try_find_many(Key const&) const {
        refuse_keys_without_list<Key>();
    }
    template <std::same_as<key_of<T>> Key = key_of<T>> result<many> try_find_many(Key const&, Key const&) const {
        refuse_keys_without_list<Key>();
    }
    template <std::same_as<key_of<T>> Key = key_of<T>>
    result<many> try_find_many(Key const&, Key const&, Key const&) const {
        refuse_keys_without_list<Key>();
    }
};

/// Refused forms of the writing functions of `table<T>`.
template <class T> class misuse_of_writing {
protected:
    using options = options_in_the_wrong_place;

    template <nothing_to_refresh<T> First, class... More> void replace(First&&, More const&...) const {
        refuse_to_refresh<First>();
    }
    template <nothing_to_refresh<T> First, class... More> result<void> try_replace(First&&, More const&...) const {
        refuse_to_refresh<First>();
    }
    template <nothing_to_refresh<T> First, class... More> void merge(First&&, More const&...) const {
        refuse_to_refresh<First>();
    }
    template <nothing_to_refresh<T> First, class... More> result<void> try_merge(First&&, More const&...) const {
        refuse_to_refresh<First>();
    }

    template <class First, class Second, class... More>
    requires(!std::same_as<Second, call_options>) void erase(First const&, Second const&, More const&...) const {
        refuse_to_erase_by_key<First>();
    }
    template <class First, class Second, class... More>
    requires(!std::same_as<Second, call_options>) result<void> try_erase(First const&, Second const&, More const&...)
    const { refuse_to_erase_by_key<First>(); }

    template <class None = void> entity<T> modify(key_of<T> const&) const { refuse_change<None>(); }
    template <no_change_of<T> Change, class... More>
    entity<T> modify(key_of<T> const&, Change&&, More const&...) const {
        refuse_change<Change>();
    }
    template <class A, class B, class Change, misplaced_options Options = options>
    entity<T> modify(A const&, B const&, Change const&, Options const&, options const& = {}) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, class Change, misplaced_options Options = options>
    entity<T> modify(A const&, B const&, C const&, Change const&, Options const&, options const& = {}) const {
        refuse_options_after_values<A>();
    }
    template <class None = void> result<entity<T>> try_modify(key_of<T> const&) const { refuse_change<None>(); }
    template <no_change_of<T> Change, class... More>
    result<entity<T>> try_modify(key_of<T> const&, Change&&, More const&...) const {
        refuse_change<Change>();
    }
    template <class A, class B, class Change, misplaced_options Options = options>
    result<entity<T>> try_modify(A const&, B const&, Change const&, Options const&, options const& = {}) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, class Change, misplaced_options Options = options>
    result<entity<T>> try_modify(A const&, B const&, C const&, Change const&, Options const&,
                                 options const& = {}) const {
        refuse_options_after_values<A>();
    }

    template <class None = void> etag merge_any(T const&, call_options const& = {}) const {
        refuse_merge_of_all<None>();
    }
    template <class Value, class... More> etag merge_any(entity<Value> const&, More const&...) const {
        refuse_entity_as_value<Value>();
    }
    template <class None = void> late_result<T, etag> try_merge_any(T const&, call_options const& = {}) const {
        refuse_merge_of_all<None>();
    }
    template <class Value, class... More>
    late_result<T, etag> try_merge_any(entity<Value> const&, More const&...) const {
        refuse_entity_as_value<Value>();
    }

    template <class A, class B, misplaced_options Options = options>
    bool erase_any(A const&, B const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, misplaced_options Options = options>
    bool erase_any(A const&, B const&, C const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, misplaced_options Options = options>
    late_result<T, bool> try_erase_any(A const&, B const&, Options const&) const {
        refuse_options_after_values<A>();
    }
    template <class A, class B, class C, misplaced_options Options = options>
    late_result<T, bool> try_erase_any(A const&, B const&, C const&, Options const&) const {
        refuse_options_after_values<A>();
    }

    template <class Value> entity<T> replace_any(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
    template <class Value> result<entity<T>> try_replace_any(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
    template <class Value> entity<T> upsert_replace(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
    template <class Value> result<entity<T>> try_upsert_replace(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
    template <class Value> etag upsert_merge(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
    template <class Value> late_result<T, etag> try_upsert_merge(entity<Value> const&, call_options const& = {}) const {
        refuse_entity_as_value<Value>();
    }
};

}  // namespace detail
}  // namespace tablemap
