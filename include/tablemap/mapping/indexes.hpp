// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/leading_text.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/index_in.hpp"
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
/// and `bulk_writer` write it in one group transaction with the entity; queries and scans of T do not see it. Indexes
/// in other partitions and tables stand among them: see `index_in`.
namespace tablemap::inline v0_1 {

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

/// The indexes of a mapping within the partitions of its entities. Made by `indexes(…)`.
template <class... Rules> struct index_rules { std::tuple<Rules...> rules; };

/// The same with those in other partitions and tables.
template <class Rules, class... Elsewhere> struct index_rules_with : Rules { std::tuple<Elsewhere...> elsewhere; };

namespace detail {

template <class... Rules, class... Elsewhere>
constexpr auto make_index_rules(std::tuple<Rules...> const& rules, std::tuple<Elsewhere...> const& elsewhere) {
    if constexpr (sizeof...(Elsewhere) == 0)
        return index_rules<Rules...>{rules};
    else
        return index_rules_with<index_rules<Rules...>, Elsewhere...>{{rules}, elsewhere};
}

template <bool Wanted, class Rule> constexpr auto tuple_if(Rule const& r) {
    if constexpr (Wanted)
        return std::tuple<Rule>{r};
    else
        return std::tuple<>{};
}

}  // namespace detail

/// Declares the indexes of a mapping.
template <class... Rules> constexpr auto indexes(Rules const&... rules) {
    constexpr bool known = ((detail::is_index_rule<Rules> || detail::is_index_in_rule<Rules>)&&...);
    static_assert(known, "tablemap[P1]: indexes(...) takes index<\"name\">(key(...)), unique_index<\"name\">(key(...)) "
                         "and index_in<\"name\", \"Table\">(key(...), key(...)); nothing else can stand in it");
    if constexpr (known)
        return detail::make_index_rules(std::tuple_cat(detail::tuple_if<detail::is_index_rule<Rules>>(rules)...),
                                        std::tuple_cat(detail::tuple_if<detail::is_index_in_rule<Rules>>(rules)...));
    else
        return index_rules<>{};  // one message is enough
}

namespace detail {

template <fixed_string Name, bool Unique, class Key, class Copied, class Condition>
inline constexpr bool is_index_rule<index_rule<Name, Unique, Key, Copied, Condition>> = true;

template <class T> inline constexpr bool is_index_rules = false;
template <class... Rules> inline constexpr bool is_index_rules<index_rules<Rules...>> = true;
template <class Rules, class... Elsewhere>
inline constexpr bool is_index_rules<index_rules_with<Rules, Elsewhere...>> = is_index_rules<Rules>;

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

/// A struct with indexes in other partitions or tables.
template <class T>
concept indexed_elsewhere = indexed<T> && requires {
    mapping<T>::indexes.elsewhere;
};

template <class T> constexpr std::size_t count_elsewhere() {
    if constexpr (indexed_elsewhere<T>)
        return std::tuple_size_v<decltype(mapping<T>::indexes.elsewhere)>;
    else
        return 0;
}

template <class T, std::size_t I> using index_rule_of = std::tuple_element_t<I, decltype(mapping<T>::indexes.rules)>;

// ---- keys of an index's rows ----------------------------------------------------------------------------------------

template <class... A, class... B>
constexpr auto join_keys(key_template<A...> const& a, std::string_view between, key_template<B...> const& b) {
    key_template<A..., literal_part, B...> k{};
    auto* to = k.layouts.data();
    for (auto const& p : a.layouts) *to++ = p;
    *to++ = literal_layout(between);
    for (auto const& p : b.layouts) *to++ = p;
    join_layouts(k.layouts.data(), k.layouts.size());
    return k;
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

// ---- keys of rows elsewhere -----------------------------------------------------------------------------------------

/// The beginning of the row keys of rows that tell a relay which rows elsewhere to bring in step.
inline constexpr std::string_view intent_prefix = "~index_";

template <class T, std::size_t J>
using elsewhere_rule_of = std::tuple_element_t<J, decltype(mapping<T>::indexes.elsewhere)>;

/// The partition key of the rows of a type's index number J elsewhere.
template <class T, std::size_t J>
inline constexpr auto elsewhere_partition_key_of = std::get<J>(mapping<T>::indexes.elsewhere).partition_key;

/// True if index number J elsewhere is that of the times at which entities expire. It has buckets, which its sweeper
/// reads one after the other.
template <class T, std::size_t J>
inline constexpr bool is_expiry_index = has_period_part(elsewhere_partition_key_of<T, J>);

/// The row key that it was declared with, and that with the text before the entity's own keys, which end each row key.
template <class T, std::size_t J>
inline constexpr auto given_elsewhere_key_of = std::get<J>(mapping<T>::indexes.elsewhere).row_key;
template <class T, std::size_t J>
inline constexpr auto elsewhere_row_key_of = join_keys(given_elsewhere_key_of<T, J>, "_", key_template<>{});

// ---- all of them ----------------------------------------------------------------------------------------------------

/// The beginnings of the keys of the rows of each of a type's indexes, and of those for relays.
template <class T>
inline constexpr auto index_prefixes_of = [] {
    constexpr auto elsewhere = count_elsewhere<T>();
    std::array<std::string_view, count_indexes<T>() + elsewhere + (elsewhere > 0 ? 1 : 0)> all{};
    std::size_t at = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) { (..., (all[at++] = leading_text<index_key_of<T, I>>)); }
    (std::make_index_sequence<count_indexes<T>()>{});
    [&]<std::size_t... J>(std::index_sequence<J...>) { (..., (all[at++] = leading_text<elsewhere_row_key_of<T, J>>)); }
    (std::make_index_sequence<elsewhere>{});
    if constexpr (elsewhere > 0) all[at] = intent_prefix;
    return all;
}();

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

/// The same of those elsewhere.
template <class T, fixed_string Name> constexpr std::size_t find_elsewhere() {
    if constexpr (indexed_elsewhere<T>) {
        return []<class... Rules>(std::tuple<Rules...> const&) {
            std::size_t at = 0;
            static_cast<void>(((Rules::name == Name.view() ? true : (++at, false)) || ...));
            return at;
        }(mapping<T>::indexes.elsewhere);
    } else {
        return 0;
    }
}

}  // namespace detail
}  // namespace tablemap
