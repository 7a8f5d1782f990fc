// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/log_calls.hpp"
#include "tablemap/detail/store/async_start.hpp"
#include "tablemap/patterns/log_reader.hpp"

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// `log_lines` that are read without blocking; made by `async_log_reader::lines`.
///
/// \par Round trips
/// As `log_lines`.
/// \par Thread safety
/// One operation at a time.
/// \par Lifetime
/// It may be destroyed while an operation is under way.
class async_log_lines {
public:
    async_log_lines(async_log_lines&&) noexcept = default;
    async_log_lines& operator=(async_log_lines&&) noexcept = default;
    ~async_log_lines() = default;

    /// The next line, or nothing at the end: `void(std::exception_ptr, std::optional<logged_line>)`. Errors are those
    /// of `log_lines::try_next`; the next call goes on where it was.
    template <class Token> auto next(Token&& token) {
        auto call = detail::next_line_call(lines_);
        auto where = call.store();
        return detail::start(std::move(where), std::move(call), detail::call_options_of(*lines_),
                             std::forward<Token>(token));
    }

    /// As `log_lines::position`. Call it between two operations.
    std::optional<log_position> position() const { return detail::position_of(*lines_); }

private:
    friend class async_log_reader;
    explicit async_log_lines(std::shared_ptr<detail::log_lines_reading> lines) : lines_(std::move(lines)) {}

    std::shared_ptr<detail::log_lines_reading> lines_;
};

/// The operations of `log_reader` for callers that do not block. `files` takes a Boost.Asio completion token last,
/// which `call_options` may precede. Values and errors are those of `log_reader`; handlers run as
/// `detail/store/async_task.hpp` says.
///
///     async_log_reader const requests{store, "logs", {.name = "requests"}};
///     auto lines = requests.lines(since(monday).before(tuesday));
///     while (auto const line = co_await lines.next(asio::use_awaitable)) use(line->text);
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// May be destroyed while operations are under way.
class async_log_reader {
public:
    explicit async_log_reader(log_reader of) : blocking_(std::move(of)) {}

    /// \throws error as the constructor of `log_reader`
    async_log_reader(store_ptr s, std::string container, log_format const& f)
        : blocking_(std::move(s), std::move(container), f) {}

    /// `files(since(monday), token)`, `files(token)`: `void(std::exception_ptr, std::vector<log_file>)`.
    template <class From, class To, class... Last> auto files(period<From, To> const& when, Last&&... last) const {
        auto call = detail::files_call(blocking_.source_, detail::span_of(when));
        auto where = call.store();
        return detail::start_with(std::move(where), std::move(call), std::forward<Last>(last)...);
    }
    template <class... Last>
    requires(!detail::is_period<std::remove_cvref_t<detail::first_argument<Last...>>>) auto files(
        Last&&... last) const {
        return files(period<>{}, std::forward<Last>(last)...);
    }

    /// The lines of a span. The first request is sent when they are read. On g++ 12 the options need a name.
    ///
    /// \throws error as `log_reader::lines`
    template <class From, class To>
    async_log_lines lines(period<From, To> const& when, call_options const& o = detail::default_call_options()) const {
        return read(when, {}, o);
    }
    template <class From, class To>
    async_log_lines lines(period<From, To> const& when, detail::options_in_braces<line_options> how,
                          call_options const& o = detail::default_call_options()) const {
        return read(when, detail::options_from<line_options>(std::move(how)), o);
    }
    template <class From, class To, class Options>
    requires std::same_as<std::remove_cvref_t<Options>, line_options> async_log_lines
    lines(period<From, To> const& when, Options&& how, call_options const& o = detail::default_call_options())
    const {
        detail::refuse_unsafe_temporary<Options>();
        return read(when, line_options(how), o);
    }

private:
    template <class From, class To>
    async_log_lines read(period<From, To> const& when, line_options how, call_options const& o) const {
        return async_log_lines{detail::read_lines(blocking_.source_, detail::span_of(when), std::move(how), o)};
    }

    log_reader blocking_;
};

}  // namespace tablemap
