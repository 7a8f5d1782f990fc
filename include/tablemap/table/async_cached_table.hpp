// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
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
        detail::point_reads_operation::key k;
        auto const good = detail::encode_keys(key, k.partition_key, k.row_key);
        auto look_up = [k = std::move(k)](typename cache::rows const& rows) { return detail::find_in<T>(rows, k); };
        return start(good, std::move(look_up), o, std::forward<Token>(token));
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
        return start(
            {}, [](typename cache::rows const& rows) { return detail::list_of<T>(rows); }, o,
            std::forward<Token>(token));
    }

    /// Makes the next read revalidate the copy, however fresh it is.
    void expire() { state_->expire(); }

private:
    /// Reads the rows and makes the result from them.
    template <class LookUp> class reading {
    public:
        using value_type = std::invoke_result_t<LookUp&, typename cache::rows const&>;

        reading(std::shared_ptr<cache> c, result<void> good, LookUp look_up)
            : name_(c->source().name()), good_(std::move(good)), refresh_(std::move(c)), look_up_(std::move(look_up)) {}

        detail::step start(detail::environment const& env) {
            return good_ ? refresh_.start(env) : detail::step::done();
        }
        detail::step resume(detail::environment const& env, std::span<response> answers) {
            return refresh_.resume(env, answers);
        }
        result<value_type> take() {
            if (!good_) return failure{good_.error().in("find", name_)};
            auto const rows = refresh_.take();
            if (!rows) return failure{rows.error()};
            return look_up_(**rows);
        }

    private:
        std::string name_;
        result<void> good_;
        detail::cache_refresh_operation<T> refresh_;
        LookUp look_up_;
    };

    template <class LookUp, class Token>
    auto start(result<void> good, LookUp look_up, call_options const& o, Token&& token) {
        return detail::start(detail::table_internals::state(state_->source()).store,
                             reading<LookUp>{state_, std::move(good), std::move(look_up)}, o,
                             std::forward<Token>(token));
    }

    std::shared_ptr<cache> state_;
};

}  // namespace tablemap
