// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/log_calls.hpp"

#include "patterns/log_reading.hpp"
#include "patterns/log_turns.hpp"
#include "patterns/log_writing.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

log_options checked_options(std::string const& container, log_options&& o) {
    auto good = check_options(o);
    if (good && !o.on_lost)
        good = fail(library_errc::value_out_of_range,
                    {.reason = "lines that wait when an asynchronous writer is destroyed would be lost without notice; "
                               "set on_lost",
                     .member = "on_lost"});
    if (!good) throw good.error().in("open log", container);
    return std::move(o);
}

/// The most bytes of lines that wait for their turns.
std::size_t most_waiting_calls(log_options const& o) {
    return o.full == when_full::refuse ? o.buffer_bytes : std::numeric_limits<std::size_t>::max();
}

}  // namespace

/// A writer and the turns of its operations.
class shared_log {
public:
    shared_log(store_ptr s, std::string const& container, log_format const& f, log_options&& o)
        : writing(std::move(s), container, f, checked_options(container, std::move(o))) {}
    shared_log(shared_log const&) = delete;
    shared_log& operator=(shared_log const&) = delete;
    ~shared_log() {
        if (writing.waiting().empty()) return;
        try {
            writing.lose(error{library_errc::cancelled, {.reason = "the log was not closed", .action = "destroy log"}});
        } catch (...) {  // nobody is there to take it
        }
    }

    /// Takes no turn: whoever has it may keep it for long.
    log_status status() const {
        std::scoped_lock const lock{mutex_};
        auto s = status_;
        s.refused_lines += refused_;
        return s;
    }

    /// Called in a turn.
    void keep_status() noexcept {
        try {
            auto s = writing.status();
            std::scoped_lock const lock{mutex_};
            status_ = std::move(s);
        } catch (std::bad_alloc const&) {  // the status stays as it was
        }
    }

    /// Counts a line for which there is no room beside those that wait for their turns.
    line_outcome refuse_line() {
        std::scoped_lock const lock{mutex_};
        ++refused_;
        return line_outcome::no_room;
    }

    log_writing writing;
    std::shared_ptr<log_turns> const turns = std::make_shared<log_turns>(most_waiting_calls(writing.options()));

private:
    mutable std::mutex mutex_{};
    log_status status_{};  ///< after the last turn
    std::uint64_t refused_ = 0;
};

namespace {

/// Keeps the status of the log at the end of a turn.
class status_keeper {
public:
    explicit status_keeper(shared_log& log) noexcept : log_(log) {}
    status_keeper(status_keeper const&) = delete;
    status_keeper& operator=(status_keeper const&) = delete;
    ~status_keeper() { log_.keep_status(); }

private:
    shared_log& log_;
};

task<result<void>> flush_in_turn(log_writing& log) {
    if (log.waiting().empty()) co_return result<void>{};
    auto const flushed = co_await log.flush();
    if (!flushed) co_return failure{flushed.error().in("flush log", log.container())};
    co_return result<void>{};
}

task<result<line_outcome>> write(shared_log_ptr log, std::optional<ticks> given, std::string line) {
    log_turn turn{*log->turns, line.size() + 1};
    auto const mine = co_await turn.wait();
    if (!mine) co_return failure{mine.error()};
    if (!*mine) co_return log->refuse_line();
    status_keeper const keeper{*log};
    auto& writing = log->writing;
    auto const time = writing.time_of(given);
    auto taken = writing.take(time, line);
    if (taken && !*taken) {
        auto const flushed = co_await flush_in_turn(writing);
        if (!flushed) co_return failure{flushed.error()};
        taken = writing.take(time, line);
    }
    if (!taken) co_return failure{taken.error()};
    co_return **taken;
}

task<result<void>> flush(shared_log_ptr log) {
    log_turn turn{*log->turns};
    auto const mine = co_await turn.wait();
    if (!mine) co_return failure{mine.error()};
    status_keeper const keeper{*log};
    auto const flushed = co_await flush_in_turn(log->writing);
    co_return flushed;
}

task<result<void>> close(shared_log_ptr log) {
    log_turn turn{*log->turns};
    auto const mine = co_await turn.wait();
    if (!mine) co_return failure{mine.error()};
    status_keeper const keeper{*log};
    auto const flushed = co_await flush_in_turn(log->writing);
    if (flushed) log->writing.close();
    co_return flushed;
}

task<result<log_status>> read_status(shared_log_ptr log) { co_return log->status(); }

template <class V> service_call<V> call_of(shared_log_ptr const& log, char const* action, task<result<V>> first) {
    return {log->writing.store(), action, log->writing.container(), std::move(first)};
}

}  // namespace

shared_log_ptr open_shared_log(store_ptr s, std::string const& container, log_format const& f, log_options&& o) {
    return std::make_shared<shared_log>(std::move(s), container, f, std::move(o));
}

service_call<line_outcome> write_call(shared_log_ptr const& log, std::optional<ticks> time, std::string line) {
    return call_of(log, "write line", write(log, time, std::move(line)));
}
service_call<void> flush_call(shared_log_ptr const& log) { return call_of(log, "flush log", flush(log)); }
service_call<void> close_call(shared_log_ptr const& log) { return call_of(log, "close log", close(log)); }
service_call<log_status> status_call(shared_log_ptr const& log) { return call_of(log, "log status", read_status(log)); }

// ---- readers --------------------------------------------------------------------------------------------------------

namespace {

task<result<std::vector<log_file>>> list_files(std::shared_ptr<log_source const> source, rolling_span span) {
    auto files = co_await log_files_of(*source, span);
    co_return files;
}

task<result<std::optional<logged_line>>> next_line(std::shared_ptr<log_lines_reading> lines) {
    auto line = co_await lines->read_line();
    co_return line;
}

result<void> check_line_options(log_source const& source, line_options const& how) {
    if (how.from && !source.names.parse(how.from->file))
        return fail(library_errc::invalid_cursor,
                    {.reason = "the position is in a blob that is no file of this log", .member = "from"});
    if (how.part_bytes >= 1 && how.part_bytes <= limits::block_bytes) return {};
    return fail(library_errc::value_out_of_range,
                {.reason = "a file is read in parts of 1 byte to 64 MiB", .member = "part_bytes"});
}

}  // namespace

service_call<std::vector<log_file>> files_call(std::shared_ptr<log_source const> source, rolling_span const& span) {
    auto const& s = *source;
    return {s.store, "list log files", s.container, list_files(std::move(source), span)};
}

std::shared_ptr<log_lines_reading> read_lines(std::shared_ptr<log_source const> source, rolling_span const& span,
                                              line_options&& how, call_options const& o) {
    if (auto const good = check_line_options(*source, how); !good) throw good.error().in("read log", source->container);
    return std::make_shared<log_lines_reading>(std::move(source), span, std::move(how), o);
}

service_call<std::optional<logged_line>> next_line_call(std::shared_ptr<log_lines_reading> lines) {
    auto const& s = lines->source();
    return {s.store, "read log", s.container, next_line(std::move(lines))};
}

call_options const& call_options_of(log_lines_reading const& lines) noexcept { return lines.options(); }
std::optional<log_position> position_of(log_lines_reading const& lines) { return lines.position(); }

}  // namespace tablemap::detail
