// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/patterns/rolling_span.hpp"
#include "tablemap/patterns/log_options.hpp"
#include "tablemap/patterns/period.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

namespace detail {
class log_lines_reading;
struct log_source;
}  // namespace detail

/// The lines of the files of a span of time: the files in the order of their names, and the lines of each in the order
/// in which they were written. An input range.
///
/// It holds the names of one page of a list, one part of a file and one line in memory. `begin` and `++` throw errors;
/// `try_next` returns them, and the next call goes on where it was. A file that is deleted meanwhile ends there.
///
/// \par Round trips
/// Those of `log_reader::files`, as the lines are reached, and one for each `line_options::part_bytes` of a file that
/// is not empty.
/// \par Thread safety
/// One thread at a time.
class log_lines {
public:
    using value_type = logged_line;

    class iterator {
    public:
        using value_type = logged_line;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        value_type& operator*() const { return *of_->current_; }
        value_type* operator->() const { return &**this; }
        iterator& operator++() {
            of_->advance();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return i.is_at_end(); }

    private:
        friend log_lines;
        explicit iterator(log_lines* of) : of_(of) {}
        bool is_at_end() const noexcept { return !of_ || !of_->current_; }
        log_lines* of_ = nullptr;
    };

    log_lines(log_lines&&) noexcept;
    log_lines& operator=(log_lines&&) noexcept;
    ~log_lines();

    /// The next line, or nothing once the end is reached.
    ///
    /// \return the line, or an error: those of the store; `library_errc::value_too_large` for a line that is longer
    /// than `line_options::longest_line`; `invalid_cursor` if a file is shorter than the position to go on from;
    /// `service_errc::invalid_range` if another program has made a file shorter while it is read
    result<std::optional<logged_line>> try_next();

    /// The lines that were not taken yet.
    ///
    /// \throws error as `try_next`
    iterator begin() & {
        advance();
        return iterator{this};
    }
    iterator begin() && = delete;  // it would outlive what it reads
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The place behind the line that was taken last, for `line_options::from` in this process or another. Nothing
    /// before the first line.
    std::optional<log_position> position() const;

private:
    friend class log_reader;
    explicit log_lines(std::shared_ptr<detail::log_lines_reading> impl);
    void advance() { current_ = value_or_throw(try_next()); }

    std::shared_ptr<detail::log_lines_reading> impl_;
    std::optional<logged_line> current_{};
};

/// Finds and reads the files of a log.
///
///     log_reader const requests{store, "logs", {.name = "requests"}};
///     auto lines = requests.lines(since(monday).before(tuesday));
///     for (logged_line const& line : lines) use(line.text);
///
/// A span finds the files of all periods that have an instant in it, by their names; a time within a line is not looked
/// at. Blobs whose names are not exactly those that a `log_writer` of the same format gives are left out.
///
/// \throws error from every operation: those of the store
/// \par Thread safety
/// All members may be called from any number of threads.
class log_reader {
public:
    /// Nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `service_errc::invalid_resource_name` for a name of the container or of the log
    log_reader(store_ptr s, std::string container, log_format f);

    /// The files of a span, the oldest period first: `files(since(monday))`, `files()`. A missing container has none.
    ///
    /// \par Round trips
    /// One list for each day of a span of at most 31 days, else for each month of at most 24 months, else for each year
    /// of at most 24 years, else one for all; and one more for each further 5,000 blobs of a list. Of a day of which
    /// the span needs one hour, only this hour is listed.
    template <class From, class To>
    std::vector<log_file> files(period<From, To> const& when, call_options const& o = {}) const {
        return value_or_throw(try_files(when, o));
    }
    template <class From, class To>
    result<std::vector<log_file>> try_files(period<From, To> const& when, call_options const& o = {}) const {
        return list(detail::span_of(when), o);
    }
    std::vector<log_file> files(call_options const& o = {}) const { return files(period<>{}, o); }

    /// The lines of a span. The first request is sent when they are read.
    ///
    /// \throws error `library_errc::invalid_cursor` for a position in a blob that is no file of this log;
    /// `value_out_of_range` for an option
    template <class From, class To>
    log_lines lines(period<From, To> const& when, line_options how = {}, call_options const& o = {}) const {
        return read(detail::span_of(when), std::move(how), o);
    }

private:
    friend class async_log_reader;

    result<std::vector<log_file>> list(detail::rolling_span const& span, call_options const& o) const;
    log_lines read(detail::rolling_span const& span, line_options&& how, call_options const& o) const;

    std::shared_ptr<detail::log_source const> source_;
};

}  // namespace tablemap
