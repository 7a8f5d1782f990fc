// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/store/rate_limit.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

namespace detail {

/// The part of a bulk writer that is the same for all types: a bulk write and the thread's own driver of it.
class bulk_engine {
public:
    bulk_engine(std::shared_ptr<table_state const> table, bulk_options options, call_options o);
    ~bulk_engine();
    bulk_engine(bulk_engine&&) noexcept;
    bulk_engine& operator=(bulk_engine&&) noexcept;

    bool is_next_stored() const noexcept;
    std::size_t pass_over();
    std::size_t add(encoded_write w);
    void flush();
    bulk_report finish();
    bulk_progress progress() const noexcept;
    bulk_ledger ledger() const;
    table_state const& table() const noexcept;
    tablemap::clock& clock() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace detail

/// Writes any number of rows into a table. It puts them into group transactions of one partition each and keeps several
/// under way at once, as fast as the store takes them.
///
///     bulk_writer writer{employees};
///     for (auto const& e : read_csv(file)) writer.upsert_replace(e);
///     auto report = writer.finish();
///
/// Each function takes one row, of any kind, and returns its position. When the buffer is full it blocks until there is
/// room. Rows wait for others of their partition; `flush` sends those that wait. Writes of one partition are carried
/// out in the order of the calls. Group transactions only serve speed here: a row that is refused keeps no other from
/// being stored. Errors of rows are in the report, not thrown. If a function of the options throws, the exception
/// leaves the call at hand, which has taken its row by then.
///
/// After a stop request or past the deadline nothing more is sent; the report says so for each row.
///
/// \par Cost
/// Memory for the buffer, the requests under way, and two bits for each row.
/// \par Thread safety
/// One thread at a time.
/// \par Lifetime
/// Keeps the store alive, not the table. Destroyed before `finish` it sends nothing more and waits for the requests
/// under way.
template <class T> class bulk_writer {
public:
    using value_type = T;
    using key_type = key_of<T>;

    explicit bulk_writer(table<T> const& t, bulk_options options = {}, call_options o = {})
        : engine_(detail::table_internals::shared_state(t), std::move(options), std::move(o)) {}

    // ---- rows -------------------------------------------------------------------------------------------------------

    /// Inserts a new entity. Without operation ids it stays in doubt if its response was lost.
    std::size_t insert(T const& value) {
        return add([&](auto const& e) { return e.whole(write_kind::insert, value, {}); });
    }

    /// Stores all of an entity, or merges its members, whether or not it exists.
    std::size_t upsert_replace(T const& value) {
        return add([&](auto const& e) { return e.whole(write_kind::upsert_replace, value, {}); });
    }
    std::size_t upsert_merge(T const& value) {
        return add([&](auto const& e) { return e.upsert_merge(value); });
    }
    template <detail::choosing::choice Choice> std::size_t upsert_merge(T const& value, Choice const& chosen) {
        return add([&](auto const& e) { return e.chosen(write_kind::upsert_merge, value, chosen, {}); });
    }

    /// Replaces an entity that exists, or merges chosen members into it, over any version of it.
    std::size_t replace_any(T const& value) {
        return add([&](auto const& e) { return e.whole(write_kind::replace, value, any_etag); });
    }
    template <detail::choosing::choice Choice> std::size_t merge_any(T const& value, Choice const& chosen) {
        return add([&](auto const& e) { return e.chosen(write_kind::merge, value, chosen, any_etag); });
    }

    /// Erases any version of an entity; it is no error if there is none.
    std::size_t erase_any(key_type const& key) {
        return add([&](auto const& e) { return e.erase_any(key); });
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> std::size_t erase_any(Arguments&&... values) {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return erase_any(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Replaces, merges into or erases the version of an entity that was read. `e` is not refreshed: its new etag is
    /// not known.
    std::size_t replace(entity<T> const& e) {
        return add([&](auto const& encoder) { return encoder.replace(e); });
    }
    template <class... Chosen> std::size_t merge(entity<T> const& e, Chosen const&... chosen) {
        return add([&](auto const& encoder) { return encoder.merge(e, chosen...); });
    }
    std::size_t erase(entity<T> const& e) {
        return add([&](auto const& encoder) { return encoder.erase(e); });
    }

    // ---- the whole --------------------------------------------------------------------------------------------------

    /// Sends the rows that wait, and waits until every row so far has ended.
    void flush() { engine_.flush(); }

    /// Does as `flush`; after that the writer takes no more rows.
    ///
    /// \return the report of all rows
    bulk_report finish() { return engine_.finish(); }

    bulk_progress progress() const noexcept { return engine_.progress(); }

    /// The ledger so far, to be saved before the report is there. Rows that have not ended are in doubt in it, as are
    /// those that come after them.
    ///
    /// \par Cost
    /// A copy, two bits for each row.
    bulk_ledger ledger() const { return engine_.ledger(); }

private:
    template <class Encode> std::size_t add(Encode encode) {
        if (engine_.is_next_stored()) return engine_.pass_over();
        return engine_.add(encode(
            detail::write_encoder<T>{engine_.table().operation_ids, engine_.clock(), engine_.table().cipher.get()}));
    }

    detail::bulk_engine engine_;
};

}  // namespace tablemap
