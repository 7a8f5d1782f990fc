// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async.hpp"
#include "tablemap/detail/table/async_arguments.hpp"
#include "tablemap/detail/table/service_operations.hpp"

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
/// `void(std::exception_ptr)` where there is no value. Handlers run as `store/async.hpp` says. On g++ 12
/// `set_properties` refuses temporaries: give the value a name.
///
/// \par Thread safety
/// As `table_service`.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_table_service {
public:
    /// \pre `s` is not null
    explicit async_table_service(store_ptr s) : store_(std::move(s)) {}

    // ---- tables -----------------------------------------------------------------------------------------------------

    /// The names of all tables, or, with a text first, of those that begin with it.
    template <class First, class... Last> auto tables(First&& first, Last&&... last) const {
        if constexpr (std::convertible_to<First, std::string_view>)
            return list(first, std::forward<Last>(last)...);
        else
            return list({}, std::forward<First>(first), std::forward<Last>(last)...);
    }

    template <class... Last> auto has_table(std::string_view name, Last&&... last) const {
        return ask<bool>(what::exists, std::string{name}, std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table(std::string_view name, Last&&... last) const {
        return create_table(name, if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table(std::string_view name, if_being_deleted then, Last&&... last) const {
        return run(detail::create_operation{store_, std::string{name}, then}, std::forward<Last>(last)...);
    }
    template <class... Last> auto create_table_if_not_exists(std::string_view name, Last&&... last) const {
        return create_table_if_not_exists(name, if_being_deleted::fail, std::forward<Last>(last)...);
    }
    template <class... Last>
    auto create_table_if_not_exists(std::string_view name, if_being_deleted then, Last&&... last) const {
        return run(detail::create_if_not_exists_operation{store_, std::string{name}, then},
                   std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table(std::string_view name, Last&&... last) const {
        return ask<void>(what::delete_table, std::string{name}, std::forward<Last>(last)...);
    }
    template <class... Last> auto delete_table_if_exists(std::string_view name, Last&&... last) const {
        return ask<own_doing>(what::delete_if_exists, std::string{name}, std::forward<Last>(last)...);
    }

    // ---- the service ------------------------------------------------------------------------------------------------

    template <class... Last> auto properties(Last&&... last) const {
        return ask<service_properties>(what::read_properties, service_properties{}, std::forward<Last>(last)...);
    }
    template <class Properties, class... Last>
    requires std::same_as<std::remove_cvref_t<Properties>, service_properties>
    auto set_properties(Properties&& p, Last&&... last) const {
        detail::refuse_unsafe_temporary<Properties>();
        return ask<void>(what::set_properties, service_properties{p}, std::forward<Last>(last)...);
    }
    template <class... Last> auto statistics(Last&&... last) const {
        return ask<service_statistics>(what::read_statistics, service_properties{}, std::forward<Last>(last)...);
    }

private:
    using what = detail::service_request::kind;

    template <class... Last> auto list(std::string_view prefix, Last&&... last) const {
        return run(detail::list_tables_operation{store_, std::string{prefix}}, std::forward<Last>(last)...);
    }
    template <class V, class About, class... Last> auto ask(what w, About about, Last&&... last) const {
        return run(detail::service_operation<V>{store_, w, std::move(about)}, std::forward<Last>(last)...);
    }

    // The last arguments of a call: a token, or options and a token.
    template <class Op, class Token> static auto run(Op op, Token&& token) {
        return run(std::move(op), call_options{}, std::forward<Token>(token));
    }
    template <class Op, class Token> static auto run(Op op, call_options const& o, Token&& token) {
        auto where = op.store();
        return detail::start(std::move(where), std::move(op), o, std::forward<Token>(token));
    }

    store_ptr store_;
};

}  // namespace tablemap
