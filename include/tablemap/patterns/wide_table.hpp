// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/wide_list.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/table/table_administration.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

template <class T> class wide_table;

/// The wide entities of a range of rows, in key order: an input range, made by `wide_table<T>::query`. It holds the
/// entities of one page in memory. They may be moved from.
///
/// `begin` and `++` throw errors; `try_next` returns them. After an error there is no entity to take until `++` or
/// `try_next` goes on: where reading ended, or behind an entity that cannot be read or whose rows something else wrote.
/// An entity whose rows were of different states, because it was written meanwhile, is read again by itself.
///
/// \par Round trips
/// One for each page of at most 20 rows, which are at most 60 MiB of JSON; see `page_size`. One more for each entity
/// that was written while it was read.
/// \par Thread safety
/// One thread at a time.
/// \par Lifetime
/// It keeps its store alive.
template <class T> class wide_range {
public:
    using value_type = entity<T>;

    class iterator {
    public:
        using value_type = entity<T>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        value_type& operator*() const { return list_of(*scan_).first(); }
        value_type* operator->() const { return &list_of(*scan_).first(); }
        iterator& operator++() {
            read_on();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return !i.scan_; }

    private:
        friend wide_range;
        explicit iterator(detail::wide_scan* s) : scan_(s) { read_on(); }
        void read_on() {
            if (!value_or_throw(read(*scan_))) scan_ = nullptr;
        }

        detail::wide_scan* scan_ = nullptr;
    };

    wide_range(wide_range&&) noexcept = default;  // moved, not copied
    wide_range& operator=(wide_range&&) noexcept = default;

    /// Pages of at most so many rows, 1 to 1,000. A page has to fit into one response; see
    /// `transport_options::largest_response`.
    [[nodiscard]] wide_range page_size(std::size_t rows) const {
        auto s = scan_->again();
        s->page_size(rows);
        return wide_range{std::move(s)};
    }

    /// Begins with the first entity, also when it is called again.
    ///
    /// \throws error those of the store; those of a row that cannot be read; as `wide_table<T>::find`
    iterator begin() & {
        scan_ = scan_->again();
        return iterator{scan_.get()};
    }
    iterator begin() && = delete;  // it would outlive what it reads
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next entity, or nothing at the end, or an error that `begin` would throw.
    result<std::optional<value_type>> try_next() {
        auto const more = read(*scan_);
        if (!more) return failure{more.error()};
        if (!*more) return std::nullopt;
        return std::optional<value_type>{std::move(list_of(*scan_).first())};
    }

private:
    friend wide_table<T>;
    template <class> friend class async_wide_range;
    explicit wide_range(std::unique_ptr<detail::wide_scan> s) : scan_(std::move(s)) {}

    static detail::wide_list<T>& list_of(detail::wide_scan& s) {
        return static_cast<detail::wide_list<T>&>(s.entities());
    }
    static result<bool> read(detail::wide_scan& s) {
        detail::table_call<bool> call{s.table(), "query", s.read_on()};
        return detail::run(*s.table()->store, call, s.options());
    }

    std::unique_ptr<detail::wide_scan> scan_;
};

/// Structs that are stored in several rows of one partition, because they have more than 252 properties or more than
/// 1 MiB: written by one transaction, read by one range query, and seen as one value with one etag.
///
///     template <> struct tablemap::mapping<survey> {
///         static constexpr auto partition_key = tablemap::key(tablemap::part<&survey::year>.width(4));
///         static constexpr auto row_key       = tablemap::key("survey_", tablemap::part<&survey::person>.width(8));
///         static constexpr auto wide          = tablemap::next_row_at<&survey::health, &survey::work>;
///     };
///
///     tmap::wide_table<survey> const surveys{store, "Surveys"};
///     surveys.insert(answers);
///     auto found = surveys.find(2024, 7);
///     found->value.health.smokes = false;
///     surveys.merge(*found, tmap::only<&survey::health>);      // the head and one more row
///
/// The etag of an entity is that of its first row, which changes with every write. Writes are conditional on it unless
/// they are upserts. Readers never see parts of two writes: if rows turn out to be of different states they are read
/// again.
///
/// Every operation blocks until it is done and comes in two forms: the plain one throws `tablemap::error`, the one
/// named `try_…` returns a `result`. `async_wide_table` has the same operations for callers that do not block.
///
/// \throws error from every operation: those of `table<T>`; from writes also `service_errc::request_body_too_large` for
/// more than one transaction takes, of which nothing is sent; from reads `library_errc::too_many_conflicts` if writers
/// were faster every time, `malformed_response` if something else than a `wide_table` wrote or erased rows, and
/// `unsupported` on a store that answers in no order
/// \par Round trips
/// One, unless an operation says otherwise.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class wide_table : public table_administration {
    static_assert(detail::check_wide<T>());

public:
    using value_type = T;
    using key_type = key_of<T>;
    using range_type = wide_range<T>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `table<T>`
    wide_table(store_ptr s, std::string table, table_options options = {})
        : table_administration(
              detail::make_table_state(std::move(s), std::move(table), options, detail::wide_rows_of<T>)) {}

    /// Reads one entity by its key: `find(2024, 7)`, `find({2024, 7}, {.deadline = …})`.
    ///
    /// \return the entity with its etag; nothing if there is none
    /// \par Round trips
    /// One for each page of its rows; again after each write that came between.
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_find(key, o));
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
        return run("find", detail::find_wide<T>(shared_state(), key.try_encode()), o);
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

    /// Stores a new entity.
    ///
    /// \return the entity with its etag and the generated parts of its key
    /// \throws error `service_errc::entity_already_exists`
    entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return run("insert", detail::store_wide<T>(shared_state(), write_kind::insert, std::move(value)), o);
    }

    /// Stores an entity whether or not there is one with its key, which it replaces in all rows of the mapping.
    entity<T> upsert(T value, call_options const& o = {}) const {
        return value_or_throw(try_upsert(std::move(value), o));
    }
    result<entity<T>> try_upsert(T value, call_options const& o = {}) const {
        return run("upsert", detail::store_wide<T>(shared_state(), write_kind::upsert_replace, std::move(value)), o);
    }

    /// Stores all of an entity that was read, under its etag, which is refreshed.
    ///
    /// \throws error `service_errc::update_condition_not_satisfied` if it was changed, `resource_not_found` if it is
    /// gone; `library_errc::missing_etag`
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        return run("replace", detail::rewrite_wide<T>(shared_state(), write_kind::replace, e, nullptr), o);
    }

    /// Stores chosen members of an entity that was read, under its etag, which is refreshed. Writes the first row, and
    /// those that the members are in: `merge(e, only<&survey::health>)`.
    ///
    /// \throws error as `replace`; `library_errc::merge_cannot_remove` for an empty optional
    template <auto... Members> void merge(entity<T>& e, only_t<Members...> only, call_options const& o = {}) const {
        value_or_throw(try_merge(e, only, o));
    }
    template <auto... Members>
    result<void> try_merge(entity<T>& e, only_t<Members...> only, call_options const& o = {}) const {
        return run("merge", detail::merge_wide<T>(shared_state(), e, only), o);
    }

    /// Reads an entity, lets `change(T&)` change it, and writes the rows that differ; again after a conflict, so the
    /// function may be called several times. Rows that are written lose properties that the struct does not have.
    ///
    /// \return the entity as it is stored
    /// \throws error `service_errc::resource_not_found`; `library_errc::key_changed`, `too_many_conflicts`
    /// \par Round trips
    /// Two for each try.
    template <class Change>
    entity<T> modify(key_type const& key, Change change, call_options const& o = {}, modify_options m = {}) const {
        return value_or_throw(try_modify(key, std::move(change), o, m));
    }
    template <class Change>
    result<entity<T>> try_modify(key_type const& key, Change change, call_options const& o = {},
                                 modify_options m = {}) const {
        static_assert(detail::check_change<T, Change>());
        return run("modify", detail::change_wide<T>(shared_state(), key.try_encode(), std::move(change), m), o);
    }

    /// Erases an entity that was read, with all its rows, under its etag.
    ///
    /// \throws error as `replace`
    /// \par Round trips
    /// Two: the keys of its rows are read first, since a program with another mapping may have written more.
    void erase(entity<T> const& e, call_options const& o = {}) const { value_or_throw(try_erase(e, o)); }
    result<void> try_erase(entity<T> const& e, call_options const& o = {}) const {
        return run("erase", detail::erase_wide_as_read<T>(shared_state(), e), o);
    }

    /// Erases any version of an entity, with all its rows: `erase_any({2024, 7})`. Also one that cannot be read, since
    /// something else wrote or erased rows of it.
    ///
    /// \return true if there was one
    /// \throws error `library_errc::too_many_conflicts`
    /// \par Round trips
    /// Two, or one if there is none; two more for each time that another writer erases rows meanwhile.
    bool erase_any(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_erase_any(key, o));
    }
    result<bool> try_erase_any(key_type const& key, call_options const& o = {}) const {
        return run("erase_any", detail::erase_wide_by_key<T>(shared_state(), key.try_encode()), o);
    }

    /// Selects the entities of a partition, `query(partition(2024))`, or of a range of its rows,
    /// `query(partition(2024), row_range(1, 100))` (also `row_between`, `leading`, `starting_with`).
    ///
    /// \return a range that sends its first request when iteration begins. `o` holds for the whole iteration
    /// \throws error that of a key that cannot be made
    template <class... Values> range_type query(partition_values<Values...> const& p, call_options o = {}) const {
        return value_or_throw(try_query(p, leading(), std::move(o)));
    }
    template <class... Values>
    range_type query(partition_values<Values...> const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query(p, rows, std::move(o)));
    }
    template <class... Values>
    result<range_type> try_query(partition_values<Values...> const& p, call_options o = {}) const {
        return try_query(p, leading(), std::move(o));
    }
    template <class... Values>
    result<range_type> try_query(partition_values<Values...> const& p, row_selection auto const& rows,
                                 call_options o = {}) const {
        detail::query_keys keys;
        auto made = detail::check_order_of_rows(*shared_state());
        if (made) made = detail::encode_partition<T>(keys, p);
        if (made) made = detail::encode_rows<T>(keys, rows);
        if (!made) return failure{made.error().in("query", name())};
        return range_type{std::make_unique<detail::wide_scan>(shared_state(), detail::wide_type_of<T>(),
                                                              std::move(keys.partitions.front()), std::move(keys.rows),
                                                              std::make_unique<detail::wide_list<T>>(), std::move(o))};
    }

private:
    template <class> friend class async_wide_table;
    using table_administration::shared_state;

    template <class V>
    result<V> run(std::string_view action, detail::task<result<V>> first, call_options const& o) const {
        detail::table_call<V> call{shared_state(), action, std::move(first)};
        return detail::run(*shared_state()->store, call, o);
    }
};

}  // namespace tablemap
