// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/run.hpp"
#include "tablemap/detail/table/misuse.hpp"
#include "tablemap/detail/table/table_operations.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/table/table_administration.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap {

namespace detail {
/// What the classes beside tables and ranges need of their insides.
struct table_access {
    template <class Table> static table_state const& state(Table const& t) noexcept { return t.operations_.state(); }
    template <class Table> static auto const& shared_state(Table const& t) noexcept {
        return t.operations_.shared_state();
    }
    /// The query of a range, from its beginning.
    template <class Range> static auto query(Range const& r) { return r.fresh(); }
};
}  // namespace detail

/// How a `table<T>` is read. Conventions, errors and thread safety: see there.
template <class T> class table_reading : public table_administration, private detail::misuse_of_reading<T> {
public:
    using value_type = T;
    using key_type = key_of<T>;

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// The entity of a key, or nothing: `find("Sales", 212)`, `find({"Sales", 212}, {.deadline = …})`. A key is given in braces or
    /// as its values one after the other, here as in every call; options in braces need the key in braces.
    /// Errors: `library_errc::type_mismatch`, `unreadable_key` if the row is no T.
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) const {
        std::optional<entity<T>> found;
        value_or_throw(operations_.find_now(key, found, o));
        return found;
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> std::optional<entity<T>> find(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    result<std::optional<entity<T>>> try_find(key_type const& key, call_options const& o = {}) const {
        return run(operations_.find(key), o);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> result<std::optional<entity<T>>>
    try_find(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// The entities of many keys, in the order asked, nothing for those that are not there:
    /// `find_many({{"Sales", 212}, {"Sales", 213}})`. At most `at_once` point reads are under way at once.
    /// Errors: as `find`; the first error ends the call. Round trips: one for each key.
    std::vector<std::optional<entity<T>>> find_many(std::vector<key_type> const& keys, std::size_t at_once = 16,
                                                    call_options const& o = {}) const {
        return value_or_throw(try_find_many(keys, at_once, o));
    }
    result<std::vector<std::optional<entity<T>>>>
    try_find_many(std::vector<key_type> const& keys, std::size_t at_once = 16, call_options const& o = {}) const {
        return run(operations_.find_many(keys, at_once), o);
    }

    /// The entities of one partition, `query(partition("Sales"))`, or those of a range of its rows,
    /// `query(partition("Sales"), row_range(200, 300))`, also `row_between`, `leading`, `starting_with`; or of a list of
    /// partitions, `query(std::vector{partition("Sales"), partition("Audit")})`. Nothing is sent yet; see `query_range` for
    /// what it can be narrowed by. Cost: the store reads the rows of the range. Rows of other types may share the partition if
    /// their row keys begin with another literal, or if a discriminator tells. `o` holds for the whole iteration.
    /// Errors here: a key that cannot be made.
    template <class Partitions> query_range<T> query(Partitions const& p, call_options o = {}) const {
        return value_or_throw(try_query(p, std::move(o)));
    }
    template <class Partitions>
    query_range<T> query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query(p, rows, std::move(o)));
    }
    template <class Partitions> result<query_range<T>> try_query(Partitions const& p, call_options o = {}) const {
        return try_query(p, leading(), std::move(o));
    }
    template <class Partitions>
    result<query_range<T>> try_query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (detail::check_partitions<Partitions>())
            return make_range(operations_.keys_of(p, rows), std::move(o));
    }

    // ---- reading by an index ----------------------------------------------------------------------------------------

    /// The entity with these values of a unique index, or nothing: `find_by<"by_email">("Sales", "donh@contoso.com")`, one for
    /// each member of partition key and index key. Of an index of whole copies it has no etag, which conditional writes want:
    /// `modify` and `find` read one. Of one with `include<...>` the entity itself is read. Errors: as `find`.
    /// Round trips: one; with `include<...>` two, and up to six while the entity is being changed.
    template <detail::fixed_string Name>
    std::optional<entity<T>> find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        return value_or_throw(try_find_by<Name>(key, o));
    }
    template <detail::fixed_string Name, class... Arguments>
    requires detail::key_in_values<index_key<T, Name>, Arguments...> std::optional<entity<T>>
    find_by(Arguments&&... values)
    const {
        return detail::with_key<index_key<T, Name>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find_by<Name>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <detail::fixed_string Name>
    result<std::optional<entity<T>>> try_find_by(index_key<T, Name> const& key, call_options const& o = {}) const {
        if constexpr (detail::has_unique_index<T, Name>)
            return run(operations_.find_by(key), o);
        else
            return failure{error{library_errc::unsupported}};  // not reached: it does not compile
    }
    template <detail::fixed_string Name, class... Arguments>
    requires detail::key_in_values<index_key<T, Name>, Arguments...> result<std::optional<entity<T>>>
    try_find_by(Arguments&&... values)
    const {
        return detail::with_key<index_key<T, Name>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find_by<Name>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// As `query`, of the copies in an index and in its order: `query_by<"by_last_name">(partition("Sales"), starting_with("J"))`;
    /// a selection of rows names the members of the index's key. Entities have no etag, and the timestamps of the index's rows.
    /// Rows of an index with `include<...>` hold some members only: `select<...>` those, and `find_many` whole entities.
    /// Errors when iteration begins: `library_errc::unsupported` for a condition on a member that the index does not copy.
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, call_options o = {}) const {
        return value_or_throw(try_query_by<Name>(p, std::move(o)));
    }
    template <detail::fixed_string Name, class Partitions>
    auto query_by(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query_by<Name>(p, rows, std::move(o)));
    }
    template <detail::fixed_string Name, class Partitions>
    auto try_query_by(Partitions const& p, call_options o = {}) const {
        return try_query_by<Name>(p, leading(), std::move(o));
    }
    template <detail::fixed_string Name, class Partitions>
    auto try_query_by(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (detail::check_index_name<T, Name>()) {
            if constexpr (detail::check_partitions<Partitions>())
                return make_index_range<detail::find_index<T, Name>()>(p, rows, std::move(o));
        } else {
            return result<query_range<T>>{
                failure{error{library_errc::unsupported}}};  // not reached: it does not compile
        }
    }

    // ---- scans ------------------------------------------------------------------------------------------------------

    /// All entities of the table. Cost: the store reads every row, whatever the condition: ask `query` where there is a
    /// partition. Rows of other types are passed over, as far as a discriminator or the literals of their keys tell.
    query_range<T> scan(call_options o = {}) const { return range_of(detail::keys_of_scan<T>(), std::move(o)); }

    /// The entities of the table that meet a condition: `scan(field<&employee::age> > 60)`. Cost: as above.
    template <class Condition> query_range<T> scan(Condition const& c, call_options o = {}) const {
        return range_of(detail::keys_of_scan<T>(), std::move(o)).where(c);
    }

    // ---- refused at compile time ------------------------------------------------------------------------------------

    using detail::misuse_of_reading<T>::find;
    using detail::misuse_of_reading<T>::try_find;
    using detail::misuse_of_reading<T>::find_many;
    using detail::misuse_of_reading<T>::try_find_many;
    using detail::misuse_of_reading<T>::query;
    using detail::misuse_of_reading<T>::try_query;

protected:
    friend detail::table_access;

    explicit table_reading(detail::table_operations<T> operations)
        : table_administration(operations.shared_state()), operations_(std::move(operations)) {}

    template <class Op> static auto run(Op op, call_options const& o) { return detail::run(*op.store(), op, o); }

    detail::table_operations<T> operations_;

private:
    query_range<T> range_of(detail::query_keys keys, call_options o) const {
        auto const& shared = operations_.state();
        return query_range<T>{std::make_shared<detail::query_state<T>>(shared.store, shared.name, std::move(keys),
                                                                       std::move(o), shared.cipher)};
    }
    result<query_range<T>> make_range(result<detail::query_keys> keys, call_options o) const {
        if (!keys) return failure{std::move(keys).error()};
        return range_of(*std::move(keys), std::move(o));
    }

    template <std::size_t I, class Partitions>
    auto make_index_range(Partitions const& p, row_selection auto const& rows, call_options o) const {
        using range = query_range<T, detail::entity_of_index<T, I>>;
        auto keys = operations_.template keys_of<detail::by_index<T, I>>(p, rows);
        if (!keys) return result<range>{failure{std::move(keys).error()}};
        auto const& shared = operations_.state();
        return result<range>{range{std::make_shared<detail::query_state<T>>(
            shared.store, shared.name, *std::move(keys), std::move(o), shared.cipher, detail::index_rows<T, I>)}};
    }
};

}  // namespace tablemap
