// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/table/cache_refresh.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A copy in memory of a small table that rarely changes, for reading.
///
/// The values that are read are at most `fresh_for` old. After that time the next read revalidates the copy: it reads
/// the keys and etags of all rows, since the service has no conditional read, and then only the entities that are new
/// or were changed. Other threads wait for that. If it fails the copy stays, and the read fails. `async_cached_table`
/// is for callers that do not block.
///
/// \par Round trips
/// None while the copy is fresh; to revalidate, those of `table::scan` with keys only, and one for each entity that
/// changed.
/// \par Thread safety
/// All members may be called from any number of threads.
template <class T> class cached_table {
public:
    /// Names the table; nothing is read yet.
    explicit cached_table(table<T> source, std::chrono::nanoseconds fresh_for = std::chrono::seconds{30})
        : state_(std::make_shared<detail::cache_state<T>>(std::move(source), fresh_for)) {}

    /// Looks up one entity by its key.
    ///
    /// \return the entity; nothing if there is none
    /// \throws error those of `table::scan` and `table::find`
    std::optional<entity<T>> find(key_of<T> const& key, call_options const& o = {}) {
        return value_or_throw(try_find(key, o));
    }
    result<std::optional<entity<T>>> try_find(key_of<T> const& key, call_options const& o = {}) {
        entity_key k;
        if (auto r = detail::encode_keys(key, k.partition_key, k.row_key); !r)
            return failure{r.error().in("find", state_->source().name())};
        auto const rows = fresh(o);
        if (!rows) return failure{rows.error()};
        return detail::find_in<T>(**rows, k);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...> std::optional<entity<T>> find(Arguments&&... values) {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...> result<std::optional<entity<T>>>
    try_find(Arguments&&... values) {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// Returns all entities, in the order of their keys as bytes.
    ///
    /// \throws error as `find`
    std::vector<entity<T>> all(call_options const& o = {}) { return value_or_throw(try_all(o)); }
    result<std::vector<entity<T>>> try_all(call_options const& o = {}) {
        auto const rows = fresh(o);
        if (!rows) return failure{rows.error()};
        return detail::list_of<T>(**rows);
    }

    /// Makes the next read revalidate the copy, however fresh it is.
    void expire() { state_->expire(); }

private:
    auto fresh(call_options const& o) {
        std::scoped_lock const one_at_a_time{reading_};
        auto& store = *detail::table_internals::state(state_->source()).store;
        return detail::run(store, detail::plain_call{detail::fresh_rows(state_)}, o);
    }

    std::shared_ptr<detail::cache_state<T>> state_;
    std::mutex reading_{};
};

}  // namespace tablemap
