// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/table/cache_refresh.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// `cached_table` for callers that do not block. Reads that meet a stale copy at the same time each revalidate it.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// May be destroyed while reads are under way.
template <class T> class async_cached_table {
    using cache = detail::cache_state<T>;

public:
    explicit async_cached_table(table<T> source, std::chrono::nanoseconds fresh_for = std::chrono::seconds{30})
        : state_(std::make_shared<cache>(std::move(source), fresh_for)) {}

    /// The entity of a key, or nothing: `void(std::exception_ptr, std::optional<entity<T>>)`.
    template <class Token> auto find(key_of<T> const& key, Token&& token) {
        return find(key, call_options{}, std::forward<Token>(token));
    }
    template <class Token> auto find(key_of<T> const& key, call_options const& o, Token&& token) {
        result<entity_key> k;
        if (auto r = detail::encode_keys(key, k->partition_key, k->row_key); !r)
            k = failure{r.error().in("find", state_->source().name())};
        return start(found_in(state_, std::move(k)), o, std::forward<Token>(token));
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...>
    auto find(Arguments&&... values) {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// All entities, in the order of their keys as bytes: `void(std::exception_ptr, std::vector<entity<T>>)`.
    template <class Token> auto all(Token&& token) { return all(call_options{}, std::forward<Token>(token)); }
    template <class Token> auto all(call_options const& o, Token&& token) {
        return start(all_of(state_), o, std::forward<Token>(token));
    }

    /// Makes the next read revalidate the copy, however fresh it is.
    void expire() { state_->expire(); }

private:
    static detail::task<result<std::optional<entity<T>>>> found_in(std::shared_ptr<cache> c, result<entity_key> key) {
        if (!key) co_return failure{key.error()};
        auto const rows = co_await detail::fresh_rows(c);
        if (!rows) co_return failure{rows.error()};
        co_return detail::find_in<T>(**rows, *key);
    }

    static detail::task<result<std::vector<entity<T>>>> all_of(std::shared_ptr<cache> c) {
        auto const rows = co_await detail::fresh_rows(c);
        if (!rows) co_return failure{rows.error()};
        co_return detail::list_of<T>(**rows);
    }

    template <class V, class Token>
    auto start(detail::task<result<V>> first, call_options const& o, Token&& token) const {
        return detail::start(detail::table_internals::state(state_->source()).store,
                             detail::plain_call{std::move(first)}, o, std::forward<Token>(token));
    }

    std::shared_ptr<cache> state_;
};

}  // namespace tablemap
