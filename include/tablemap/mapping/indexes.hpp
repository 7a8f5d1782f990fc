// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/leading_text.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Secondary indexes within a partition, as constants of a mapping:
///
///     static constexpr auto indexes = tablemap::indexes(
///         tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)),
///         tablemap::index<"by_last_name">(tablemap::key("name_", tablemap::part<&employee::last_name>.escaped())));
///
/// For each entity the index holds a row of the same partition under a row key of its own. `table<T>`, `transaction`
/// and `bulk_writer` write it in one group transaction with the entity; queries and scans of T do not see it.
namespace tablemap::inline v0_1 {

namespace detail {

/// Every entity has a row in the index.
struct every_entity {
    template <class T> constexpr bool operator()(T const&) const noexcept { return true; }
};

/// All members are copied into the index.
struct all_members {};

template <class T> inline constexpr bool is_index_rule = false;

}  // namespace detail

/// One index of a mapping. Made by `index` and `unique_index`; each modifier returns a changed copy.
template <detail::fixed_string Name, bool Unique, class Key, class Copied = detail::all_members,
          class Condition = detail::every_entity>
struct index_rule {
    static constexpr std::string_view name = Name.view();
    static constexpr bool unique = Unique;
    using copied = Copied;

    Key key;
    Condition condition{};

    /// Rows hold copies of these members, of the index's own and of the row key's only; `include<>()`: of the keys'
    /// members. Fewer writes change the index then, and each costs less; reading a whole entity by the index costs one
    /// more request.
    template <auto... Members> constexpr auto include() const {
        return index_rule<Name, Unique, Key, only_t<Members...>, Condition>{key, condition};
    }

    /// Only entities that meet a condition have a row: a pointer to a bool member, or a function without captures of
    /// `T const&`. It is called for each write, and must depend on the entity alone.
    template <class Predicate> constexpr auto where(Predicate p) const {
        return index_rule<Name, Unique, Key, Copied, Predicate>{key, p};
    }
};

/// An index with values that several entities may have: its rows are in the order of the key's members, and of the row
/// key where those are equal. Its rows' keys are the given parts, `_`, and the parts of the row key.
template <detail::fixed_string Name, class... Parts> constexpr auto index(key_template<Parts...> const& k) {
    return index_rule<Name, false, key_template<Parts...>>{k};
}

/// An index with values that differ within a partition: a write that would give two entities the same value is refused
/// (`library_errc::unique_value_taken`). Its rows' keys are the given parts.
template <detail::fixed_string Name, class... Parts> constexpr auto unique_index(key_template<Parts...> const& k) {
    return index_rule<Name, true, key_template<Parts...>>{k};
}

/// The indexes of a mapping. Made by `indexes(…)`.
template <class... Rules> struct index_rules { std::tuple<Rules...> rules; };

/// Declares the indexes of a mapping.
template <class... Rules> constexpr auto indexes(Rules const&... rules) {
    static_assert(
        (detail::is_index_rule<Rules> && ...),
        "tablemap[P1]: indexes(...) takes index<\"name\">(key(...)) and unique_index<\"name\">(key(...)); nothing "
        "else can stand in it");
    if constexpr ((detail::is_index_rule<Rules> && ...))
        return index_rules<Rules...>{std::tuple<Rules...>{rules...}};
    else
        return index_rules<>{};  // one message is enough
}

namespace detail {

template <fixed_string Name, bool Unique, class Key, class Copied, class Condition>
inline constexpr bool is_index_rule<index_rule<Name, Unique, Key, Copied, Condition>> = true;

template <class T> inline constexpr bool is_index_rules = false;
template <class... Rules> inline constexpr bool is_index_rules<index_rules<Rules...>> = true;

/// A struct whose mapping declares indexes.
template <class T>
concept indexed = mapped<T> && requires {
    mapping<T>::indexes;
};

template <class T> constexpr std::size_t count_indexes() {
    if constexpr (indexed<T>)
        return std::tuple_size_v<decltype(mapping<T>::indexes.rules)>;
    else
        return 0;
}

template <class T, std::size_t I> using index_rule_of = std::tuple_element_t<I, decltype(mapping<T>::indexes.rules)>;

// ---- keys of an index's rows ----------------------------------------------------------------------------------------

template <class... A, class... B>
constexpr auto join_keys(key_template<A...> const& a, std::string_view between, key_template<B...> const& b) {
    return std::apply([&](auto const&... layouts) { return make_key_template<A..., literal_part, B...>(layouts...); },
                      std::tuple_cat(a.layouts, std::array{literal_layout(between)}, b.layouts));
}

/// The key that a type's index number I was declared with.
template <class T, std::size_t I> inline constexpr auto given_index_key_of = std::get<I>(mapping<T>::indexes.rules).key;

template <class T, std::size_t I> constexpr auto make_index_key() {
    if constexpr (index_rule_of<T, I>::unique)
        return given_index_key_of<T, I>;
    else
        return join_keys(given_index_key_of<T, I>, "_", mapping<T>::row_key);
}

/// The key of the index's rows.
template <class T, std::size_t I> inline constexpr auto index_key_of = make_index_key<T, I>();

/// The beginnings of the keys of the rows of each of a type's indexes.
template <class T> inline constexpr auto index_prefixes_of = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{leading_text<index_key_of<T, I>>...};
}
(std::make_index_sequence<count_indexes<T>()>{});

/// The number of a type's index of that name; the number of all indexes if it has none.
template <class T, fixed_string Name> constexpr std::size_t find_index() {
    if constexpr (indexed<T>) {
        return []<class... Rules>(index_rules<Rules...> const&) {
            std::size_t at = 0;
            static_cast<void>(((Rules::name == Name.view() ? true : (++at, false)) || ...));
            return at;
        }(mapping<T>::indexes);
    } else {
        return 0;
    }
}

}  // namespace detail
}  // namespace tablemap
