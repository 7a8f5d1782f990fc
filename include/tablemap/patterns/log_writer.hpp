// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/patterns/log_options.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/store.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

namespace detail {
class blocking_log;
}

/// Writes lines to append blobs that are named by time.
///
///     log_writer requests{store, "logs", {.name = "requests"}};
///     requests.write("GET /index.html 200");           // waits in memory
///     requests.flush();                                // is stored in logs: requests/2014/07/31/1800/000001.log
///     requests.close();
///
/// Lines wait in a buffer, and are appended in the order in which they were written, many at once. A line is stored
/// once `flush` or `close` after it has returned. Whatever request is lost on the way, it is stored once: an append is
/// conditional on the size of the file, and if its response is lost, the size tells whether it was carried out.
///
/// A file belongs to one writer, which has created it under a number that no other file of the period had. Any number
/// of writers, in several processes, may write to a log: each has files of its own. A new writer begins a new file.
///
/// A file ends with a whole line whenever a process ends. It may then hold lines of a flush that did not return.
///
/// Functions throw `error`; those with `try_` return it. An error names the container in `table()`.
///
/// \throws error from each function that sends requests: those of the store. `outcome()` is `in_doubt` if the first of
/// the waiting lines may be stored; the next flush finds out. If another program has deleted or changed the file, its
/// code is `service_errc::blob_not_found` or `append_position_condition_not_met`: the next flush begins another file,
/// unless lines were in doubt. Then nobody can tell any more, and the writer has failed: every later call has this
/// error, and `log_options::on_lost` receives the lines when the writer is destroyed
/// \par Round trips
/// One for each append of at most 4 MiB. The first append of a file takes two, with others in the same period four or
/// more, the first one of a container four. A lost response takes one more, or two.
/// \par Thread safety
/// All members may be called from any number of threads. They take turns: a call waits while another one sends, and
/// this wait is no part of its deadline. What the writer calls itself, such as observers of its store, may call
/// `status`; other functions return `library_errc::unsupported` there.
/// \par Lifetime
/// A writer keeps its store alive.
class log_writer {
public:
    /// Nothing is sent. The container is created by the first flush if it is not there.
    ///
    /// \pre `s` is not null
    /// \throws error `service_errc::invalid_resource_name` for a name of the container or of the log;
    /// `library_errc::value_out_of_range` for an option
    log_writer(store_ptr s, std::string const& container, log_format const& f, log_options o = {});

    log_writer(log_writer const&) = delete;
    log_writer& operator=(log_writer const&) = delete;

    /// Flushes, for at most `log_options::last_flush`. If that fails, it calls `log_options::on_lost`, and observers of
    /// the store receive an operation that failed. Call `close` to have the error.
    ~log_writer();

    /// Takes a line of the time that `log_options::now` gives. If the buffer has no room for it, the lines that wait
    /// are written first.
    ///
    /// \return `taken`, unless the options let lines be refused
    /// \throws error `service_errc::invalid_input` for a line break in the line, see `line_breaks`;
    /// `request_body_too_large` for a line that is longer than the buffer or 4 MiB; `library_errc::unsupported` after
    /// `close`; those of the flush. The line is not taken then
    line_outcome write(std::string_view line, call_options const& o = {});
    result<line_outcome> try_write(std::string_view line, call_options const& o = {});

    /// The same with a time. The period of the time says which file it goes to.
    ///
    /// \throws error as `write`; `library_errc::value_out_of_range` for a time before 1601
    line_outcome write_at(ticks time, std::string_view line, call_options const& o = {});
    result<line_outcome> try_write_at(ticks time, std::string_view line, call_options const& o = {});

    /// Writes all lines that wait. After an error, those that were not written still wait.
    void flush(call_options const& o = {});
    result<void> try_flush(call_options const& o = {});

    /// Flushes, and takes no more lines. After an error the writer is not closed, and this may be called again.
    void close(call_options const& o = {});
    result<void> try_close(call_options const& o = {});

    log_status status() const;

private:
    std::unique_ptr<detail::blocking_log> impl_;
};

}  // namespace tablemap
