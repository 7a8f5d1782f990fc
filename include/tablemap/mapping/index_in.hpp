// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/detail/mapping/index_choices.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <string_view>

/// Secondary indexes in other partitions and tables, declared among the others of a mapping:
///
///     static constexpr auto indexes = tablemap::indexes(
///         tablemap::index_in<"by_email", "EmployeesByEmail">(tablemap::key(tablemap::part<&employee::email>),
///                                                            tablemap::key("employee")));
///
/// They are eventually consistent: a write of an entity stores an intent in its partition, in the same group
/// transaction, and an `index_relay` writes the rows elsewhere. `index_elsewhere` reads by them.
namespace tablemap::inline v0_1 {

/// One index in another partition or table. Made by `index_in`; each modifier returns a changed copy.
template <detail::fixed_string Name, detail::fixed_string Table, class PartitionKey, class RowKey,
          class Copied = detail::all_members, class Condition = detail::every_entity>
struct index_in_rule {
    static constexpr std::string_view name = Name.view();
    static constexpr std::string_view table = Table.view();  ///< empty: that of the entities
    using copied = Copied;

    PartitionKey partition_key;
    RowKey row_key;
    Condition condition{};

    /// Rows hold copies of these members, and of those of all keys, only; as `index_rule::include`.
    template <auto... Members> constexpr auto include() const {
        return index_in_rule<Name, Table, PartitionKey, RowKey, only_t<Members...>, Condition>{partition_key, row_key,
                                                                                               condition};
    }

    /// Only entities that meet a condition have a row; as `index_rule::where`.
    template <class Predicate> constexpr auto where(Predicate p) const {
        return index_in_rule<Name, Table, PartitionKey, RowKey, Copied, Predicate>{partition_key, row_key, p};
    }
};

/// An index whose rows lie in another table of the same store, or, without the name of a table, in other partitions of
/// the entities' own. Its rows have the given partition key. Their row keys are the given parts, `_`, the entity's
/// partition key, escaped, ` !_`, and its row key: several entities may have the same values. A row does not tell in
/// which table its entity is, so no two tables of entities in one store may have this index.
template <detail::fixed_string Name, detail::fixed_string Table = "", class... P, class... R>
constexpr auto index_in(key_template<P...> const& partition_key, key_template<R...> const& row_key) {
    return index_in_rule<Name, Table, key_template<P...>, key_template<R...>>{partition_key, row_key};
}

/// Refused: no transaction spans partitions.
template <detail::fixed_string Name, detail::fixed_string Table = "", class... Keys>
constexpr auto unique_index_in(Keys const&...) {
    static_assert(detail::is_right_use<Keys...>,
                  "tablemap[P3]: an index in other partitions is kept after the write, when it is too late to refuse "
                  "a value; use table_with_unique_values, which reserves it first, or unique_index for values that "
                  "differ within a partition");
    return index_in_rule<Name, Table, key_template<>, key_template<>>{};
}

namespace detail {

template <fixed_string Name, fixed_string Table, class PartitionKey, class RowKey, class Copied, class Condition>
inline constexpr bool is_index_in_rule<index_in_rule<Name, Table, PartitionKey, RowKey, Copied, Condition>> = true;

}  // namespace detail
}  // namespace tablemap
