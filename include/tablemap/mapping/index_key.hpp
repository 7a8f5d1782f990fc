// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/// Indexes by their names, and the keys of entities in a unique one.
namespace tablemap::inline v0_1 {
namespace detail {

template <class T, fixed_string Name> constexpr bool check_index_name() {
    static_assert(!is_variant<T>,
                  "tablemap[P1]: an index belongs to one type; ask the table of that type, which may have "
                  "the name of the same stored table");
    constexpr bool found = find_index<T, Name>() < count_indexes<T>();
    static_assert(found || is_variant<T>,
                  "tablemap[P1]: the mapping of this type declares no index of this name; name one of "
                  "static constexpr auto indexes = tablemap::indexes(...)");
    return found;
}

template <class T, fixed_string Name> constexpr bool check_unique_index() {
    if constexpr (check_index_name<T, Name>()) {
        constexpr bool unique = index_rule_of<T, find_index<T, Name>()>::unique;
        static_assert(unique,
                      "tablemap[P1]: several entities may have one value in an index that is not unique; ask for all "
                      "of them, query_by<\"name\">(partition(...), leading(value)), or declare it unique_index");
        return unique;
    }
    return false;
}

template <class T, fixed_string Name> inline constexpr bool has_unique_index = check_unique_index<T, Name>();

template <class T, fixed_string Name> constexpr auto list_index_values() {
    if constexpr (has_unique_index<T, Name>)
        return key_members<mapping<T>::partition_key, index_key_of<T, find_index<T, Name>()>>{};
    else
        return member_list<>{};
}

}  // namespace detail

/// The key by which a unique index finds an entity: one value for each member of the partition key and of the index's
/// key, in their order in the keys, a member of both keys once. Wrong numbers and types do not compile.
template <class T, detail::fixed_string Name> class index_key {
public:
    using members = decltype(detail::list_index_values<T, Name>());
    using values_type = typename detail::member_values<members>::type;
    static constexpr std::size_t number = detail::find_index<T, Name>();

    template <class... Arguments>
    requires(!(sizeof...(Arguments) == 1 && (std::same_as<std::remove_cvref_t<Arguments>, index_key> && ...)))
        index_key(Arguments&&... arguments)
        : values_(make(std::forward<Arguments>(arguments)...)) {}

    /// The value of a member of the keys.
    template <auto Member> auto const& get() const& noexcept {
        return std::get<detail::position_in<Member>(members{})>(values_);
    }
    template <auto Member> auto get() const&& { return std::get<detail::position_in<Member>(members{})>(values_); }

    values_type const& values() const& noexcept { return values_; }
    values_type values() const&& { return values_; }

    friend bool operator==(index_key const&, index_key const&) = default;

private:
    template <class... Arguments> static constexpr bool check_arguments() {
        if constexpr (detail::has_unique_index<T, Name>)
            return detail::check_key_arguments<values_type, Arguments...>();
        else
            return false;  // there is no such index: one message is enough
    }
    template <class... Arguments> static values_type make(Arguments&&... arguments) {
        if constexpr (check_arguments<Arguments...>())
            return values_type{std::forward<Arguments>(arguments)...};
        else
            return values_type{};
    }

    values_type values_;
};

namespace detail {

/// Makes both keys of the index's row.
///
/// \return nothing, or an error as `make_key`
template <class T, fixed_string Name>
result<void> encode_keys(index_key<T, Name> const& key, std::string& partition_key, std::string& row_key) {
    constexpr auto const& row = index_key_of<T, index_key<T, Name>::number>;
    return make_both_keys(key_pair_of<mapping<T>::partition_key, row>, key.values(), partition_key, row_key);
}

/// Makes both keys of a value's row in index number I.
///
/// \return nothing, or an error as `make_key`; `library_errc::missing_property` for a value without a member of the
/// index's key
template <class T, std::size_t I>
result<void> encode_index_keys(T const& value, std::string& partition_key, std::string& row_key) {
    if (!has_parts(value, given_index_key_of<T, I>))
        return fail(library_errc::missing_property, {.reason = "a row of the index lacks a member of its key"});
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    if (auto r = make_key(partition_key, mapping<T>::partition_key, get); !r) return r;
    return make_key(row_key, index_key_of<T, I>, get);
}

/// True if an entity has a row in index number I.
template <class T, std::size_t I> bool is_in_index(T const& value) {
    return has_parts(value, given_index_key_of<T, I>) &&
           std::invoke(std::get<I>(mapping<T>::indexes.rules).condition, value);
}

}  // namespace detail
}  // namespace tablemap
