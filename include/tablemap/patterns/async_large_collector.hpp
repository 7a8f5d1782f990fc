// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/large_collection.hpp"
#include "tablemap/detail/store/async_start.hpp"

#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `large_collector` for callers that do not block. Each takes a Boost.Asio completion token last,
/// which may be preceded by `call_options`: `void(std::exception_ptr, large_report)`. Values and errors are those of
/// `large_collector`; handlers of tokens run as those of `async_table`.
///
///     tablemap::async_large_collector const collector{store, "Documents", "document-values", {.per_second = 100}};
///     auto const done = co_await collector.sweep(asio::use_awaitable);
///
/// `large_collector_options::progress` runs on the thread that brings a response, and must not wait there for another
/// operation of the store. What it throws reaches the handler.
///
/// \par Round trips
/// As `large_collector`.
/// \par Thread safety
/// Full.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_large_collector {
public:
    /// \pre `s` is not null
    /// \throws error as the constructor of `large_collector`
    async_large_collector(store_ptr s, std::string table, std::string container, large_collector_options options = {})
        : core_(detail::make_large_collection(std::move(s), std::move(table), std::move(container),
                                              std::move(options))) {}

    template <class... Last> auto sweep(Last&&... last) const {
        return start(std::string{}, std::forward<Last>(last)...);
    }
    template <detail::is_text Cursor, class... Last> auto sweep_from(Cursor&& cursor, Last&&... last) const {
        return start(detail::kept_text(std::forward<Cursor>(cursor)), std::forward<Last>(last)...);
    }

private:
    template <class... Last> auto start(std::string cursor, Last&&... last) const {
        return detail::start_with(core_->rows->store, detail::sweep_call(core_, std::move(cursor)),
                                  std::forward<Last>(last)...);
    }

    detail::large_collection_ptr core_;
};

}  // namespace tablemap
