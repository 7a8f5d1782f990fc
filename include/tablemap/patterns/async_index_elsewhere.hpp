// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/patterns/index_elsewhere.hpp"
#include "tablemap/read/async_query_range.hpp"
#include "tablemap/table/async_table.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `index_elsewhere` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which may be preceded by `call_options`. Values and errors are those of `index_elsewhere`; signatures, handlers and
/// the rules for temporaries on g++ 12 are those of `async_table`.
///
///     tablemap::async_index_elsewhere<employee, "by_email"> by_email{employees};
///     auto const found = co_await by_email.find_all(tablemap::partition("donh@contoso.com"), asio::use_awaitable);
///
/// \par Thread safety
/// Full.
/// \par Lifetime
/// May be destroyed while operations are under way. It shares the store, not the table.
template <class T, detail::fixed_string Name> class async_index_elsewhere {
public:
    /// \throws error as the constructor of `index_elsewhere`
    explicit async_index_elsewhere(async_table<T> const& of) : blocking_(detail::async_table_access::blocking(of)) {}

    /// `find_all(partition, token)`, `find_all(partition, rows, token)`, each with `call_options` before the token or
    /// not.
    template <class... Values, row_selection Rows, class... Last>
    auto find_all(partition_values<Values...> const& p, Rows const& rows, Last&&... last) const {
        return start(calls::find_all(blocking_, p, rows), std::forward<Last>(last)...);
    }
    template <class... Values, class... Last>
    requires(!row_selection<std::remove_cvref_t<detail::first_argument<Last...>>>) auto find_all(
        partition_values<Values...> const& p, Last&&... last) const {
        return find_all(p, leading(), std::forward<Last>(last)...);
    }

    /// `find_page(partition, page_selection, token)`, `find_page(partition, rows, page_selection, token)`, each with
    /// `call_options` before the token or not.
    template <class... Values, row_selection Rows, class Selection, class... Last>
    requires std::same_as<std::remove_cvref_t<Selection>, page_selection>
    auto find_page(partition_values<Values...> const& p, Rows const& rows, Selection&& which, Last&&... last) const {
        detail::refuse_unsafe_temporary<Selection>();
        return start(calls::find_page(blocking_, p, rows, which), std::forward<Last>(last)...);
    }
    template <class... Values, class Selection, class... Last>
    requires std::same_as<std::remove_cvref_t<Selection>, page_selection>
    auto find_page(partition_values<Values...> const& p, Selection&& which, Last&&... last) const {
        return find_page(p, leading(), std::forward<Selection>(which), std::forward<Last>(last)...);
    }

    /// See `index_elsewhere::copies`.
    template <class... Values>
    auto copies(partition_values<Values...> const& p, call_options const& o = detail::default_call_options()) const {
        return async_query_range{blocking_.copies(p, o)};
    }
    template <class... Values>
    auto copies(partition_values<Values...> const& p, row_selection auto const& rows,
                call_options const& o = detail::default_call_options()) const {
        return async_query_range{blocking_.copies(p, rows, o)};
    }

private:
    using calls = detail::index_elsewhere_internals;

    template <class Call, class... Last> static auto start(Call call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    index_elsewhere<T, Name> blocking_;
};

}  // namespace tablemap
