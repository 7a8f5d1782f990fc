// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/keys/key_codec.hpp"
#include "tablemap/detail/mapping/key_arguments.hpp"
#include "tablemap/detail/mapping/schema.hpp"

#include <array>
#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {
namespace detail {

/// The values that make a key.
template <class List> struct member_values;
template <auto... Members> struct member_values<member_list<Members...>> {
    using type = std::tuple<part_type_of<member_type<Members>>...>;
};

/// A bool or a character in the place of a number: it converts without loss, but is most likely a mistake.
template <class Value, class Argument>
inline constexpr bool is_number_by_accident =
    std::integral<Value> && !std::same_as<Value, bool> &&
    (std::same_as<std::remove_cvref_t<Argument>, bool> || character<std::remove_cvref_t<Argument>>);

/// An aggregate that would be made of its first member's value, which compilers do not agree on.
template <class Value, class Argument>
inline constexpr bool is_aggregate_by_accident =
    std::is_aggregate_v<Value> && !std::derived_from<std::remove_cvref_t<Argument>, Value>;

/// True if an argument becomes a member's value without loss. Braces refuse narrowing conversions, but take a character
/// for a list of characters, which parentheses refuse.
template <class Value, class Argument>
concept exactly_convertible = !is_number_by_accident<Value, Argument> && !is_aggregate_by_accident<Value, Argument> &&
                              std::constructible_from<Value, Argument> && requires(Argument && a) {
    Value{std::forward<Argument>(a)};
};

template <class Value, class Argument> constexpr bool check_key_argument() {
    static_assert(
        exactly_convertible<Value, Argument>,
        "tablemap[K7]: a key value does not convert to its member's type without loss; pass the members' values in "
        "the order in which they stand in partition key and row key, and one of a type of your own as that type: "
        "customer_id{7}");
    return exactly_convertible<Value, Argument>;
}

template <class Tuple, class... Arguments> constexpr bool check_key_arguments() {
    static_assert(
        std::tuple_size_v<Tuple> == sizeof...(Arguments),
        "tablemap[K7]: wrong number of key values; pass one for each member of partition key and row key, in the "
        "order in which they stand there, a member that stands in both once");
    if constexpr (std::tuple_size_v<Tuple> == sizeof...(Arguments))
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (check_key_argument<std::tuple_element_t<I, Tuple>, Arguments>() && ...);
        }
    (std::make_index_sequence<sizeof...(Arguments)>{});
    else return false;
}

/// The values of a key, made of arguments.
template <class Tuple, class... Arguments> Tuple make_key_values(Arguments&&... arguments) {
    if constexpr (check_key_arguments<Tuple, Arguments...>())
        return Tuple{std::forward<Arguments>(arguments)...};
    else
        return Tuple{};
}

}  // namespace detail

/// The key of a T by value: one value for each member in partition key and row key, in their order in the keys. Wrong
/// numbers and types do not compile.
template <class T> class key_of {
    static_assert(detail::check_mapping<T>());

public:
    using values_type = typename detail::member_values<detail::key_members_of<T>>::type;

    template <class... Arguments>
    requires(!(sizeof...(Arguments) == 1 && (std::same_as<std::remove_cvref_t<Arguments>, key_of> && ...)))
        key_of(Arguments&&... arguments)
        : values_(detail::make_key_values<values_type>(std::forward<Arguments>(arguments)...)) {}

    /// The key of an entity: `employees.modify(key_of<employee>::of(found->value), …)`.
    static key_of of(T const& value) {
        return [&]<auto... Members>(detail::member_list<Members...>) { return key_of(value.*Members...); }
        (detail::key_members_of<T>{});
    }

    /// The value of a member of the key.
    template <auto Member> auto const& get() const& noexcept {
        return std::get<detail::position_in<Member>(detail::key_members_of<T>{})>(values_);
    }
    template <auto Member> auto get() const&& {
        return std::get<detail::position_in<Member>(detail::key_members_of<T>{})>(values_);
    }

    values_type const& values() const& noexcept { return values_; }
    values_type values() const&& { return values_; }

    /// The stored partition key and row key, by which a `dynamic_entity` is found.
    ///
    /// \throws error as writing a T with these values
    entity_key encode() const { return value_or_throw(try_encode()); }
    detail::late_result<T, entity_key> try_encode() const;

    friend bool operator==(key_of const&, key_of const&) = default;

private:
    values_type values_;
};

namespace detail {

/// The addresses of the values of a key.
template <class... Values>
std::array<void const*, sizeof...(Values)> addresses_of(std::tuple<Values...> const& values) {
    // No std::apply: it is six functions for each list of types.
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<void const*, sizeof...(Values)>{&std::get<I>(values)...};
    }
    (std::index_sequence_for<Values...>{});
}

template <class... Values>
result<void> make_both_keys(key_pair const& keys, std::tuple<Values...> const& values, std::string& partition_key,
                            std::string& row_key) {
    return make_both_keys(keys, addresses_of(values).data(), partition_key, row_key);
}

/// Makes both keys.
///
/// \throws error as `make_key`
template <class T> result<void> encode_keys(key_of<T> const& key, std::string& partition_key, std::string& row_key) {
    return make_both_keys(key_pair_of<mapping<T>::partition_key, mapping<T>::row_key>, key.values(), partition_key,
                          row_key);
}

}  // namespace detail

template <class T> detail::late_result<T, entity_key> key_of<T>::try_encode() const {
    entity_key made;
    if (auto r = detail::encode_keys(*this, made.partition_key, made.row_key); !r) return failure{std::move(r).error()};
    return made;
}

}  // namespace tablemap
