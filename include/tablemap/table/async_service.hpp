// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_task.hpp"
#include "tablemap/detail/store/async_arguments.hpp"
#include "tablemap/detail/table/service_calls.hpp"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The operations of `table_service` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which `call_options` may precede.
///
///     auto names = co_await service.tables("Log", asio::use_awaitable);
///     service.delete_table_if_exists("Log2025", options, asio::use_future).get();
///
/// Conditions, values and errors are those of `table_service`; the signature is `void(std::exception_ptr, V)`, or
/// `void(std::exception_ptr)` where there is no value. Handlers run as `detail/store/async_task.hpp` says. On g++ 12
/// `set_properties` refuses temporaries: give the value a name.
///
/// \par Thread safety
/// As `table_service`.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_table_service {
public:
    /// \pre `s` is not null
    explicit async_table_service(store_ptr s) : calls_(std::move(s)) {}

    // ---- tables -----------------------------------------------------------------------------------------------------

    /// The names of all tables, or, with a text first, of those that begin with it.
    template <class First, class... Last> auto tables(First&& first, Last&&... last) const {
        if constexpr (std::convertible_to<First, std::string_view>)
            return list(first, std::forward<Last>(last)...);
        else
            return list({}, std::forward<First>(first), std::forward<Last>(last)...);
    }

    template <class... Last> auto has_table(std::string_view name, Last&&... last) const {
        return run(calls_.has_table(std::string{name}), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table(std::string_view name, Last&&... last) const {
        return create_table(name, if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table(std::string_view name, if_being_deleted then, Last&&... last) const {
        return run(calls_.create_table(std::string{name}, then), std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table_if_not_exists(std::string_view name, Last&&... last) const {
        return create_table_if_not_exists(name, if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last>
    auto create_table_if_not_exists(std::string_view name, if_being_deleted then, Last&&... last) const {
        return run(calls_.create_table_if_not_exists(std::string{name}, then), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table(std::string_view name, Last&&... last) const {
        return run(calls_.delete_table(std::string{name}), std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table_if_exists(std::string_view name, Last&&... last) const {
        return run(calls_.delete_table_if_exists(std::string{name}), std::forward<Last>(last)...);
    }

    // ---- the service ------------------------------------------------------------------------------------------------

    template <class... Last> auto properties(Last&&... last) const {
        return run(calls_.properties(), std::forward<Last>(last)...);
    }
    template <class Properties, class... Last>
    requires std::same_as<std::remove_cvref_t<Properties>, service_properties>
    auto set_properties(Properties&& p, Last&&... last) const {
        detail::refuse_unsafe_temporary<Properties>();
        return run(calls_.set_properties(p), std::forward<Last>(last)...);
    }
    template <class... Last> auto statistics(Last&&... last) const {
        return run(calls_.statistics(), std::forward<Last>(last)...);
    }

private:
    template <class... Last> auto list(std::string_view prefix, Last&&... last) const {
        return run(calls_.tables(std::string{prefix}), std::forward<Last>(last)...);
    }

    // The last arguments of a call: a token, or options and a token.
    template <class V, class Token> static auto run(detail::service_call<V> c, Token&& token) {
        return run(std::move(c), call_options{}, std::forward<Token>(token));
    }
    template <class V, class Token> static auto run(detail::service_call<V> c, call_options const& o, Token&& token) {
        auto where = c.store();
        return detail::start(std::move(where), std::move(c), o, std::forward<Token>(token));
    }

    detail::service_calls calls_;
};

}  // namespace tablemap
