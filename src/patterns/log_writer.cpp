// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/log_writer.hpp"

#include "patterns/log_sender.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace tablemap::inline v0_1 {
namespace detail {
namespace {

failure bad_option(char const* member, char const* reason) {
    return fail(library_errc::value_out_of_range, {.reason = reason, .member = member});
}

result<void> check_options(log_options const& o) {
    if (o.buffer_bytes == 0) return bad_option("buffer_bytes", "a writer needs room for a line");
    if (o.file_bytes == 0) return bad_option("file_bytes", "a file holds a line at least");
    if (o.file_appends == 0 || o.file_appends > limits::blocks)
        return bad_option("file_appends", "a file takes 1 to 50,000 appends");
    if (o.last_flush < std::chrono::nanoseconds{0})
        return bad_option("last_flush", "the destructor cannot wait for a negative time");
    if (o.last_flush == std::chrono::nanoseconds{0} && !o.on_lost)
        return bad_option("last_flush", "lines would be lost without notice; set on_lost, or let the destructor flush");
    return {};
}

log_options checked_options(std::string const& container, log_options&& o) {
    if (auto const good = check_options(o); !good) throw good.error().in("open log", container);
    if (!o.now) o.now = &ticks::now;
    return std::move(o);
}

log_sender::settings sending(std::string const& container, log_format const& f, log_options const& o) {
    return {.container = container,
            .names = log_names{container, f.name, f.per},
            .file_bytes = o.file_bytes,
            .file_appends = o.file_appends,
            .content_type = o.content_type};
}

/// The turns of the threads that use a writer.
class log_turns {
public:
    /// True within what the writer calls in this thread's turn.
    bool is_mine() const noexcept { return holder_.load() == std::this_thread::get_id(); }

    void lock() {
        mutex_.lock();
        holder_ = std::this_thread::get_id();
    }
    void unlock() {
        holder_ = std::thread::id{};
        mutex_.unlock();
    }

private:
    std::mutex mutex_{};
    std::atomic<std::thread::id> holder_{};
};

}  // namespace

/// A writer without its threads.
class log_writing {
public:
    log_writing(store_ptr s, std::string container, log_format f, log_options&& o)
        : store_(std::move(s)),
          container_(std::move(container)),
          breaks_(f.breaks),
          options_(checked_options(container_, std::move(o))),
          names_(container_, f.name, f.per),
          waiting_(options_.buffer_bytes, options_.file_bytes),
          sender_(sending(container_, f, options_)) {}

    log_turns& turns() const noexcept { return turns_; }
    std::string const& container() const noexcept { return container_; }
    log_options const& options() const noexcept { return options_; }
    log_buffer const& waiting() const noexcept { return waiting_; }

    result<line_outcome> write(std::optional<ticks> time, std::string_view line, call_options const& o) {
        auto r = take(time ? *time : options_.now(), line, o);
        if (!r) return failure{r.error().in("write line", container_)};
        if (*r != line_outcome::taken) ++refused_;
        return r;
    }

    result<void> flush(call_options const& o) {
        if (waiting_.empty()) return {};
        return run(*store_, service_call<void>{store_, "flush log", container_, sender_.flush(waiting_)}, o);
    }

    result<void> close(call_options const& o) {
        auto r = flush(o);
        closed_ = closed_ || r.has_value();
        return r;
    }

    log_status status() const {
        auto const& file = sender_.last_file();
        return {.written_lines = sender_.written_lines(),
                .refused_lines = refused_,
                .waiting_lines = waiting_.lines(),
                .waiting_bytes = waiting_.bytes(),
                .in_doubt = !waiting_.empty() && waiting_.front().in_doubt,
                .file = file ? file->name : std::string{},
                .file_size = file ? file->size : 0};
    }

private:
    result<line_outcome> take(ticks time, std::string_view line, call_options const& o) {
        if (auto const good = check(time); !good) return failure{good.error()};
        auto const stored = stored_line(line, breaks_);
        if (!stored) return failure{stored.error()};
        if (stored->size() > waiting_.longest_line())
            return fail(service_errc::request_body_too_large,
                        {.reason = "a line has at most " + std::to_string(waiting_.longest_line()) +
                                   " bytes with its line break: the size of the buffer, and 4 MiB"});
        auto const period = names_.start_of(time);
        if (options_.late == late_lines::refused && newest_ && period < *newest_) return line_outcome::late;
        if (!waiting_.has_room_for(stored->size())) {
            if (options_.full == when_full::refuse) return line_outcome::no_room;
            if (auto const flushed = flush(o); !flushed) return failure{flushed.error()};
        }
        newest_ = std::max(newest_.value_or(period), period);
        waiting_.add(*newest_, *stored);
        return line_outcome::taken;
    }

    result<void> check(ticks time) const {
        if (closed_) return fail(library_errc::unsupported, {.reason = "the log was closed; use another writer"});
        if (sender_.broken()) return failure{*sender_.broken()};
        if (time.storable()) return {};
        return fail(library_errc::value_out_of_range,
                    {.reason = "a time from 1601 to 9999 says which file a line goes to", .member = "time"});
    }

    store_ptr store_;
    std::string container_;
    line_breaks breaks_;
    log_options options_;
    log_names names_;
    log_buffer waiting_;
    log_sender sender_;
    std::optional<ticks> newest_{};  ///< the period of the newest line
    std::uint64_t refused_ = 0;
    bool closed_ = false;
    mutable log_turns turns_{};
};

namespace {

failure reentered(char const* action, log_writing const& w) {
    error const e{library_errc::unsupported,
                  {.reason = "a function that the writer of a log calls, such as an observer of its store, cannot use "
                             "the writer; let it write to a log of another store"}};
    return failure{e.in(action, w.container())};
}

/// The error of lines that the destructor of a writer cannot write.
std::optional<error> flush_at_last(log_writing& w) {
    if (w.options().last_flush == std::chrono::nanoseconds{0})
        return error{library_errc::cancelled, {.reason = "the log was not closed", .action = "destroy log"}};
    try {
        auto const flushed = w.flush({.deadline = within(w.options().last_flush)});
        return flushed ? std::nullopt : std::optional{flushed.error()};
    } catch (...) {
        return error{library_errc::cancelled, {.reason = "the store threw an exception", .action = "destroy log"}};
    }
}

std::string text_if_there_is_memory(log_buffer const& waiting) {
    try {
        return waiting.text();
    } catch (std::bad_alloc const&) {
        return {};
    }
}

lost_lines lost(log_buffer const& waiting, error const& why) {
    auto const in_doubt = waiting.bytes_in_doubt();
    return {.lines = waiting.lines(),
            .bytes = waiting.bytes(),
            .why = in_doubt > 0 ? why.with(outcome::in_doubt) : why,
            .text = text_if_there_is_memory(waiting),
            .bytes_in_doubt = in_doubt};
}

}  // namespace
}  // namespace detail

log_writer::log_writer(store_ptr s, std::string container, log_format f, log_options o)
    : impl_(std::make_unique<detail::log_writing>(std::move(s), std::move(container), std::move(f), std::move(o))) {}

log_writer::~log_writer() {
    if (impl_->waiting().empty()) return;
    try {
        std::scoped_lock const turn{impl_->turns()};
        auto const why = detail::flush_at_last(*impl_);
        auto const& on_lost = impl_->options().on_lost;
        if (why && on_lost) on_lost(detail::lost(impl_->waiting(), *why));
    } catch (...) {  // nobody is there to take it
    }
}

line_outcome log_writer::write(std::string_view line, call_options const& o) {
    return value_or_throw(try_write(line, o));
}
result<line_outcome> log_writer::try_write(std::string_view line, call_options const& o) {
    if (impl_->turns().is_mine()) return detail::reentered("write line", *impl_);
    std::scoped_lock const turn{impl_->turns()};
    return impl_->write({}, line, o);
}

line_outcome log_writer::write_at(ticks time, std::string_view line, call_options const& o) {
    return value_or_throw(try_write_at(time, line, o));
}
result<line_outcome> log_writer::try_write_at(ticks time, std::string_view line, call_options const& o) {
    if (impl_->turns().is_mine()) return detail::reentered("write line", *impl_);
    std::scoped_lock const turn{impl_->turns()};
    return impl_->write(time, line, o);
}

void log_writer::flush(call_options const& o) { value_or_throw(try_flush(o)); }
result<void> log_writer::try_flush(call_options const& o) {
    if (impl_->turns().is_mine()) return detail::reentered("flush log", *impl_);
    std::scoped_lock const turn{impl_->turns()};
    return impl_->flush(o);
}

void log_writer::close(call_options const& o) { value_or_throw(try_close(o)); }
result<void> log_writer::try_close(call_options const& o) {
    if (impl_->turns().is_mine()) return detail::reentered("close log", *impl_);
    std::scoped_lock const turn{impl_->turns()};
    return impl_->close(o);
}

log_status log_writer::status() const {
    if (impl_->turns().is_mine()) return impl_->status();
    std::scoped_lock const turn{impl_->turns()};
    return impl_->status();
}

}  // namespace tablemap
