// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/log_calls.hpp"
#include "tablemap/detail/store/async_start.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// The operations of `log_writer` for callers that do not block. Each takes a Boost.Asio completion token last, which
/// `call_options` may precede.
///
///     async_log_writer requests{store, "logs", {.name = "requests"}, {.on_lost = report}};
///     co_await requests.write("GET /index.html 200", asio::use_awaitable);
///     co_await requests.flush(asio::use_awaitable);
///     co_await requests.close(asio::use_awaitable);
///
/// Values and errors are those of `log_writer`; the signature is `void(std::exception_ptr, V)`, or
/// `void(std::exception_ptr)` where there is no value. Handlers run as `detail/store/async_task.hpp` says. Lines are
/// copied before the call returns; a `std::string` that is passed as an rvalue is moved.
///
/// Operations take turns, in the order in which they are called. One that waits for its turn is ended by its deadline
/// and its stop: `library_errc::deadline_exceeded`, `cancelled`. With `when_full::refuse` the lines that wait for their
/// turns have at most `log_options::buffer_bytes`; a line beyond that is `line_outcome::no_room`. With
/// `when_full::flush` nothing but their deadlines bounds them. `log_options::now` and `on_lost` may be called on any
/// thread, and must not wait there for an operation of the writer or its store.
///
/// \par Round trips
/// As `log_writer`. A `write` takes none while the buffer has room.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies share the writer. May be destroyed while operations are under way. The destructor sends nothing: call `close`
/// before. When all copies are destroyed and their operations have ended, `log_options::on_lost` receives the lines
/// that still wait.
class async_log_writer {
public:
    /// Nothing is sent. The container is created by the first flush if it is not there. `log_options::last_flush` means
    /// nothing here.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `log_writer`; `library_errc::value_out_of_range` without
    /// `log_options::on_lost`
    async_log_writer(store_ptr s, std::string container, log_format const& f, log_options o)
        : log_(detail::open_shared_log(std::move(s), std::move(container), f, std::move(o))) {}

    template <detail::is_text Line, class... Last> auto write(Line&& line, Last&&... last) const {
        return start(detail::write_call(log_, {}, detail::kept_text(std::forward<Line>(line))),
                     std::forward<Last>(last)...);
    }
    template <detail::is_text Line, class... Last> auto write_at(ticks time, Line&& line, Last&&... last) const {
        return start(detail::write_call(log_, time, detail::kept_text(std::forward<Line>(line))),
                     std::forward<Last>(last)...);
    }
    template <class... Last> auto flush(Last&&... last) const {
        return start(detail::flush_call(log_), std::forward<Last>(last)...);
    }
    template <class... Last> auto close(Last&&... last) const {
        return start(detail::close_call(log_), std::forward<Last>(last)...);
    }

    /// The state of the writer after the operation that ended last: `void(std::exception_ptr, log_status)`. Waits
    /// for no turn.
    template <class... Last> auto status(Last&&... last) const {
        return start(detail::status_call(log_), std::forward<Last>(last)...);
    }

private:
    template <class V, class... Last> static auto start(detail::service_call<V> call, Last&&... last) {
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }

    detail::shared_log_ptr log_;
};

}  // namespace tablemap
