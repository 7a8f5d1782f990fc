// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/unexpired_call.hpp"
#include "tablemap/query/condition.hpp"
#include "tablemap/query/field.hpp"
#include "tablemap/read/query_range.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Reads that pass over expired entities.
namespace tablemap::inline v0_1 {

/// The entities of a query that have not expired when they are taken: an input range over a `query_range`.
///
/// \par Round trips
/// Those of the `query_range`.
/// \par Thread safety
/// One thread at a time.
template <class T> class unexpired_range {
    using shared_now = std::shared_ptr<detail::expiry_clock const>;

public:
    using value_type = entity<T>;

    class iterator {
    public:
        using value_type = entity<T>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        entity<T>& operator*() const { return *at_; }
        entity<T>* operator->() const { return at_.operator->(); }
        iterator& operator++() {
            ++at_;
            pass_over();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return i.at_ == std::default_sentinel; }

    private:
        friend unexpired_range;
        iterator(typename query_range<T>::iterator at, shared_now now) : at_(at), now_(std::move(now)) { pass_over(); }
        void pass_over() {
            while (at_ != std::default_sentinel && detail::is_expired(at_->value, *now_)) ++at_;
        }

        typename query_range<T>::iterator at_{};
        shared_now now_{};
    };

    unexpired_range(query_range<T> of, std::function<ticks()> now)
        : unexpired_range(std::move(of), std::make_shared<std::function<ticks()> const>(std::move(now))) {}

    /// Only entities that meet a condition, too; as `query_range::where`.
    template <class Condition> [[nodiscard]] unexpired_range where(Condition const& c) const {
        return {all_.where(c), now_};
    }

    /// Begins with the first entity; as `query_range::begin`.
    iterator begin() & { return {all_.begin(), now_}; }
    iterator begin() && = delete;  // it would outlive what it reads
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next entity, or nothing once the end is reached, or an error that `begin` would throw.
    result<std::optional<entity<T>>> try_next() {
        for (;;) {
            auto next = all_.try_next();
            if (!next || !*next || !detail::is_expired((*next)->value, *now_)) return next;
        }
    }

    /// The first entity, or nothing. It reads a whole page, since the first rows may have expired.
    std::optional<entity<T>> first() const { return value_or_throw(try_first()); }
    result<std::optional<entity<T>>> try_first() const { return unexpired_range{*this}.try_next(); }

private:
    template <class> friend class async_unexpired_range;

    unexpired_range(query_range<T> of, shared_now now) : all_(std::move(of)), now_(std::move(now)) {}

    query_range<T> all_;
    shared_now now_;  ///< iterators share it: the range may be moved while it is read
};

/// Reads a table whose mapping has `expiry_in`, and passes over the entities that have expired, whether they are erased
/// or not. `table<T>` itself reads all of them, and is for writes.
///
///     tablemap::unexpired_table live{sessions};
///     if (auto const s = live.find("ana", id)) use(s->value);
///
/// An entity has expired when its time is now or before, by the clock of this program. One that expires after it was
/// read is not called back. `async_unexpired_table` has the same operations for callers that do not block.
///
/// \throws error from every operation, as those of `table<T>`
/// \par Round trips
/// As the operation of `table<T>`.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class unexpired_table {
    using checked = std::bool_constant<detail::check_expiring<T>()>;  // a static_assert would add an error
    static constexpr bool is_expiring = checked::value;

public:
    using key_type = key_of<T>;

    /// `now` is called from every thread that reads, several at once, and must not throw.
    explicit unexpired_table(table<T> of, std::function<ticks()> now = &ticks::now)
        : all_(std::move(of)), now_(std::move(now)) {}

    /// All entities, the expired ones, too.
    table<T> const& with_expired() const noexcept { return all_; }

    /// As `table<T>::find`; nothing if the entity has expired.
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
        auto found = all_.try_find(key, o);
        if (found) detail::leave_out_expired(*found, now_);
        return found;
    }

    /// As `table<T>::find_many`, with nothing in the places of expired entities.
    std::vector<std::optional<entity<T>>> find_many(std::vector<key_type> const& keys, std::size_t at_once = 16,
                                                    call_options const& o = {}) const {
        return value_or_throw(try_find_many(keys, at_once, o));
    }
    result<std::vector<std::optional<entity<T>>>>
    try_find_many(std::vector<key_type> const& keys, std::size_t at_once = 16, call_options const& o = {}) const {
        auto found = all_.try_find_many(keys, at_once, o);
        if (found) detail::leave_out_expired(*found, now_);
        return found;
    }

    /// As `table<T>::query`. The store leaves out the rows that have expired when this is called, and with them those
    /// without a time of the member's type. It sends all rows if the time is a std::optional or part of a key, or if a
    /// T as it is made, `T{}`, has not expired: then a row without a time has not expired either.
    template <class Partitions> unexpired_range<T> query(Partitions const& p, call_options o = {}) const {
        return range_of(all_.query(p, std::move(o)));
    }
    template <class Partitions>
    unexpired_range<T> query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return range_of(all_.query(p, rows, std::move(o)));
    }

    /// As `table<T>::scan`, without expired entities; as `query`.
    ///
    /// \par Cost
    /// The store reads every row of the table.
    unexpired_range<T> scan(call_options o = {}) const { return range_of(all_.scan(std::move(o))); }

private:
    unexpired_range<T> range_of(query_range<T> all) const {
        if constexpr (is_expiring) {
            constexpr auto member = detail::expiry_member_of<T>;
            using time = detail::member_type<member>;
            constexpr bool in_keys =
                detail::is_listed<member, detail::key_members<mapping<T>::partition_key, mapping<T>::row_key>>;
            if constexpr (detail::is_key_time<time>() && !in_keys)
                if (detail::is_expired(T{}, now_))
                    return {all.where(field<member> > detail::floor_of<time>(now_())), now_};
        }
        return {std::move(all), now_};
    }

    template <class> friend class async_unexpired_table;

    table<T> all_;
    std::function<ticks()> now_;
};

}  // namespace tablemap
