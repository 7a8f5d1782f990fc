// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/expiry_core.hpp"
#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/table/async_table.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `expiry_sweeper` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which may be preceded by `call_options`: `void(std::exception_ptr, expiry_report)`. Values and errors are those of
/// `expiry_sweeper`; handlers of tokens run as those of `async_table`.
///
///     tablemap::async_expiry_sweeper const sweeper{sessions, {.rows_per_second = 25}};
///     auto const done = co_await sweeper.sweep(asio::use_awaitable);
///
/// `expiry_options::progress` runs on the thread that brings a response, and must not wait there for another operation
/// of the store. What it throws reaches the handler.
///
/// \par Round trips
/// As `expiry_sweeper`.
/// \par Thread safety
/// Full.
/// \par Lifetime
/// May be destroyed while operations are under way.
template <class T> class async_expiry_sweeper {
    using checked = std::bool_constant<detail::check_expiring<T>()>;  // a static_assert would add an error
    static constexpr bool is_expiring = checked::value;

public:
    /// \throws error as the constructor of `expiry_sweeper`
    explicit async_expiry_sweeper(async_table<T> const& of, expiry_options options = {}) {
        if constexpr (is_expiring)
            core_ = detail::make_expiry_core<T>(
                detail::table_internals::shared_state(detail::async_table_access::blocking(of)), std::move(options));
    }

    template <class... Last> auto sweep(Last&&... last) const {
        return start(std::string{}, std::forward<Last>(last)...);
    }
    template <detail::is_text Cursor, class... Last> auto sweep_from(Cursor&& cursor, Last&&... last) const {
        return start(detail::kept_text(std::forward<Cursor>(cursor)), std::forward<Last>(last)...);
    }

private:
    template <class... Last> auto start(std::string cursor, Last&&... last) const {
        detail::table_call<expiry_report> call{core_->entities, "sweep",
                                               detail::sweep_expired(core_, std::move(cursor))};
        return detail::start_with(core_->entities->store, std::move(call), std::forward<Last>(last)...);
    }

    detail::expiry_core_ptr core_{};
};

}  // namespace tablemap
