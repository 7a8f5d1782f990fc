// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/blob/async_blob_container.hpp"
#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/patterns/large_table.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `large_table` for callers that do not block. Each takes a Boost.Asio completion token last, which
/// may be preceded by `call_options`. Conditions, values and errors are those of `large_table`; signatures, handlers
/// and the rules for temporaries on g++ 12 are those of `async_table`.
///
///     tablemap::async_large_table<document> const documents{store, "Documents", "document-values"};
///     auto e = co_await documents.insert(draft, asio::use_awaitable);
///     e.value.text = other_text;
///     co_await documents.replace(e, asio::use_awaitable);
///
/// An `entity<T>&` is used and changed while the operation runs: it must live until that ends, and nobody else may
/// read, copy or change it until then. Sources of values, and the function of `read`, run on the thread that brings a
/// response, must not wait there for another operation of the store, and hold up the operation while they run. What
/// they throw reaches the handler.
///
/// \par Round trips
/// As `large_table`.
/// \par Thread safety
/// As `large_table`.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_large_table {
public:
    using value_type = T;
    using key_type = key_of<T>;

    explicit async_large_table(large_table<T> of) : blocking_(std::move(of)) {}

    /// \throws error as the constructor of `large_table`
    async_large_table(store_ptr s, std::string table, std::string container, large_options options = {},
                      table_options rows = {})
        : blocking_(std::move(s), std::move(table), std::move(container), options, rows) {}

    /// See `large_table::rows`.
    async_table<T> rows() const {
        auto const& s = *state()->rows;
        return {s.store, s.name, detail::options_used_by(s)};
    }

    /// The blobs: to create the container.
    async_blob_container blobs() const { return {state()->rows->store, state()->container}; }

    template <class... Last> auto find(key_type const& key, Last&&... last) const {
        return run("find", detail::find_large<T>(state(), key.try_encode()), std::forward<Last>(last)...);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...>
    auto find(Arguments&&... values) const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    template <class... Last> auto load(entity<T>& e, Last&&... last) const {
        return run("load", detail::load_typed_large<T>(state(), e), std::forward<Last>(last)...);
    }

    /// `read<&document::picture>(e, to, token)`: see `large_table::read`. The function is kept in the operation.
    template <auto Member, class To, class... Last>
    requires std::is_invocable_v < std::decay_t<To>
    &, std::span < std::byte const >> auto read(entity<T> const& e, To&& to, Last&&... last) const {
        detail::refuse_unsafe_function<To>();
        std::function<void(std::span<std::byte const>)> kept{std::forward<To>(to)};
        return run("read", detail::stream_typed_large<Member>(state(), e, std::move(kept)),
                   std::forward<Last>(last)...);
    }
    template <auto Member, class To, class... Last> void read(entity<T>&&, To&&, Last&&...) const = delete;

    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto insert(Value&& value, Last&&... last) const {
        return store_value<Value>("insert", write_kind::insert, std::forward<Value>(value),
                                  std::forward<Last>(last)...);
    }
    template <class Value, class... Last>
    requires std::same_as<std::remove_cvref_t<Value>, T>
    auto upsert(Value&& value, Last&&... last) const {
        return store_value<Value>("upsert", write_kind::upsert_replace, std::forward<Value>(value),
                                  std::forward<Last>(last)...);
    }
    template <class... Last> auto replace(entity<T>& e, Last&&... last) const {
        return run("replace", detail::replace_large<T>(state(), e), std::forward<Last>(last)...);
    }
    template <auto... Members, class... Last> auto merge(entity<T>& e, only_t<Members...> only, Last&&... last) const {
        return run("merge", detail::merge_large<T>(state(), e, only), std::forward<Last>(last)...);
    }

    /// See `large_table::modify` and `async_table::modify`.
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, Last&&... last) const {
        return modify(key, std::forward<Change>(change), modify_options{}, std::forward<Last>(last)...);
    }
    template <detail::change_of<T> Change, class... Last>
    auto modify(key_type const& key, Change&& change, modify_options m, Last&&... last) const {
        detail::refuse_unsafe_function<Change>();
        auto kept = detail::kept(std::forward<Change>(change));
        return run("modify", detail::change_large<T>(state(), key.try_encode(), std::move(kept), m),
                   std::forward<Last>(last)...);
    }

    /// `reencrypt({}, token)`: see `large_table::reencrypt`.
    template <class... Last>
    requires(detail::has_encrypted_large_members<T>()) auto reencrypt(
        detail::options_in_braces<rewrite_options> options, Last&&... last) const {
        return reencrypt_with(detail::options_from<rewrite_options>(std::move(options)), std::forward<Last>(last)...);
    }
    template <class Options, class... Last>
    requires(std::same_as<std::remove_cvref_t<Options>, rewrite_options>&&
                 detail::has_encrypted_large_members<T>()) auto reencrypt(Options&& options, Last&&... last) const {
        detail::refuse_unsafe_temporary<Options>();
        return reencrypt_with(rewrite_options(options), std::forward<Last>(last)...);
    }

    template <std::same_as<entity<T>> Entity, class... Last> auto erase(Entity const& e, Last&&... last) const {
        return rows().erase(e, std::forward<Last>(last)...);
    }
    template <class... Last> auto erase_any(key_type const& key, Last&&... last) const {
        return rows().erase_any(key, std::forward<Last>(last)...);
    }

private:
    detail::large_state_ptr const& state() const noexcept { return detail::large_internals::state(blocking_); }

    template <class... Last> auto reencrypt_with(rewrite_options options, Last&&... last) const {
        return run("reencrypt", detail::reencrypt_large(state(), std::move(options)), std::forward<Last>(last)...);
    }

    template <class Value, class... Last>
    auto store_value(std::string_view action, write_kind kind, Value&& value, Last&&... last) const {
        detail::refuse_unsafe_temporary<Value>();
        return run(action, detail::store_large<T>(state(), kind, T(std::forward<Value>(value))),
                   std::forward<Last>(last)...);
    }

    template <class V, class... Last>
    auto run(std::string_view action, detail::task<result<V>> first, Last&&... last) const {
        detail::table_call<V> call{state()->rows, action, std::move(first)};
        return detail::start_with(state()->rows->store, std::move(call), std::forward<Last>(last)...);
    }

    large_table<T> blocking_;
};

}  // namespace tablemap
