// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/limits.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// Logs in append blobs: the names and the form of their files, and the options of writers and readers.
namespace tablemap::inline v0_1 {

/// The span of time, in UTC, whose lines share files of a log, and the form of their names.
enum class log_per : std::uint8_t {
    hour,  ///< requests/2014/07/31/1800/000001.log
    day,   ///< requests/2014/07/31/000001.log
};

/// The treatment of a line break within a line.
enum class line_breaks : std::uint8_t {
    refused,  ///< such a line is refused; all other bytes are stored as they are
    escaped,  ///< a line break is stored as `\n` and a backslash as `\\`; readers make the line of them again
};

/// The description of a log, for its writers and its readers.
struct log_format {
    std::string name{};  ///< of the log: the beginning of the names of its files; may contain slashes
    log_per per = log_per::hour;
    line_breaks breaks = line_breaks::refused;
};

/// The treatment of a line for which the buffer of a writer has no room.
enum class when_full : std::uint8_t {
    flush,   ///< writes the lines of the buffer first
    refuse,  ///< refuses the line and sends nothing: `line_outcome::no_room`
};

/// The treatment of a line of an earlier period than that of the newest line.
enum class late_lines : std::uint8_t {
    kept,     ///< puts it into the file of the newest line, so that lines stay in the order in which they were written
    refused,  ///< refuses it: `line_outcome::late`
};

/// The result of writing a line.
enum class line_outcome : std::uint8_t {
    taken,    ///< it is in the buffer
    no_room,  ///< refused: the buffer is full; see `when_full::refuse`
    late,     ///< refused: it is of a period that is over; see `late_lines::refused`
};

/// Lines that a writer could not write before it was destroyed.
struct lost_lines {
    std::size_t lines = 0;
    std::size_t bytes = 0;
    error why;                       ///< its outcome is `in_doubt` if the first of them may be stored
    std::string text{};              ///< the lines as a file holds them; empty if there is no memory for it
    std::size_t bytes_in_doubt = 0;  ///< the first bytes of them, which are stored or not
};

/// Options of a `log_writer`.
struct log_options {
    std::size_t buffer_bytes = std::size_t{1} << 20U;    ///< the most that wait in memory, 1 or more
    std::uint64_t file_bytes = std::uint64_t{1} << 27U;  ///< of a file at most, unless one line is longer
    std::size_t file_appends = limits::blocks;           ///< another file begins after so many appends, 1 to 50,000
    when_full full = when_full::flush;
    late_lines late = late_lines::kept;
    std::string content_type = "text/plain; charset=utf-8";

    /// The time of the lines that are written without one. It is called from every thread that writes, and must not
    /// throw or write to the log.
    std::function<ticks()> now = &ticks::now;

    /// The longest time that the destructor takes to write the lines that wait. 0: it sends nothing; `on_lost` must be
    /// set then.
    std::chrono::nanoseconds last_flush = std::chrono::seconds{10};

    /// Called by the destructor if lines are lost. What it throws is ignored. Without it, they are lost without notice
    /// unless the store has an observer.
    std::function<void(lost_lines const&)> on_lost{};
};

/// The state of a `log_writer`.
struct log_status {
    std::uint64_t written_lines = 0;  ///< that are stored
    std::uint64_t refused_lines = 0;  ///< `line_outcome::no_room` and `late`
    std::size_t waiting_lines = 0;    ///< in the buffer
    std::size_t waiting_bytes = 0;
    bool in_doubt = false;        ///< nobody knows yet whether the first of the waiting lines are stored
    std::string file{};           ///< that was written last; empty: none yet
    std::uint64_t file_size = 0;  ///< of that file, as far as it is known
};

/// A file of a log.
struct log_file {
    std::string name{};        ///< of the blob
    ticks start{};             ///< the beginning of its period
    std::uint32_t number = 0;  ///< within its period, from 1
    std::uint64_t size = 0;

    friend bool operator==(log_file const&, log_file const&) = default;
};

/// A place between two lines of a log.
struct log_position {
    std::string file{};        ///< the name of the blob
    std::uint64_t offset = 0;  ///< the bytes of it that lie before the place

    friend bool operator==(log_position const&, log_position const&) = default;
};

/// A line of a log.
struct logged_line {
    std::string text{};  ///< without its line break
    bool whole = true;   ///< false: no line break follows, so another program than a `log_writer` has written it
};

/// Options of `log_reader::lines`.
struct line_options {
    std::optional<log_position> from{};                 ///< goes on behind this place
    std::size_t part_bytes = limits::appended_bytes;    ///< of one read, 1 byte to 64 MiB
    std::size_t longest_line = limits::appended_bytes;  ///< a longer line is an error
};

}  // namespace tablemap
