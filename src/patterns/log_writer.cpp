// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/log_writer.hpp"

#include "patterns/log_writing.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace tablemap::inline v0_1 {
namespace detail {
namespace {

result<void> check_last_flush(log_options const& o) {
    auto const refuse = [](char const* reason) {
        return fail(library_errc::value_out_of_range, {.reason = reason, .member = "last_flush"});
    };
    if (o.last_flush < std::chrono::nanoseconds{0}) return refuse("the destructor cannot wait for a negative time");
    if (o.last_flush == std::chrono::nanoseconds{0} && !o.on_lost)
        return refuse("lines would be lost without notice; set on_lost, or let the destructor flush");
    return {};
}

log_options checked_blocking_options(std::string const& container, log_options&& o) {
    if (auto const good = check_options(o); !good) throw good.error().in("open log", container);
    if (auto const good = check_last_flush(o); !good) throw good.error().in("open log", container);
    return std::move(o);
}

}  // namespace

/// A writer that blocks, with the turns of the threads that use it.
class blocking_log {
public:
    blocking_log(store_ptr s, std::string const& container, log_format const& f, log_options&& o)
        : writing_(std::move(s), container, f, checked_blocking_options(container, std::move(o))) {}

    log_writing& writing() noexcept { return writing_; }

    result<line_outcome> write(std::optional<ticks> given, std::string_view line, call_options const& o) {
        auto const time = writing_.time_of(given);
        auto taken = writing_.take(time, line);
        if (taken && !*taken) {
            if (auto const flushed = flush(o); !flushed) return failure{flushed.error().in("write line", container())};
            taken = writing_.take(time, line);
        }
        if (!taken) return failure{taken.error()};
        return **taken;
    }

    result<void> flush(call_options const& o) {
        if (writing_.waiting().empty()) return {};
        auto const& s = writing_.store();
        return run(*s, service_call<void>{s, "flush log", container(), writing_.flush()}, o);
    }

    result<void> close(call_options const& o) {
        auto r = flush(o);
        if (r) writing_.close();
        return r;
    }

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

    failure reentered(char const* action) const {
        error const e{library_errc::unsupported,
                      {.reason = "a function that the writer of a log calls, such as an observer of its store, cannot "
                                 "use the writer; let it write to a log of another store"}};
        return failure{e.in(action, container())};
    }

private:
    std::string const& container() const noexcept { return writing_.container(); }

    log_writing writing_;
    std::mutex mutex_{};
    std::atomic<std::thread::id> holder_{};
};

namespace {

/// The error of lines that the destructor of a writer cannot write.
std::optional<error> flush_at_last(blocking_log& log) {
    auto const longest = log.writing().options().last_flush;
    if (longest == std::chrono::nanoseconds{0})
        return error{library_errc::cancelled, {.reason = "the log was not closed", .action = "destroy log"}};
    try {
        auto const flushed = log.flush({.deadline = within(longest)});
        return flushed ? std::nullopt : std::optional{flushed.error()};
    } catch (...) {
        return error{library_errc::cancelled, {.reason = "the store threw an exception", .action = "destroy log"}};
    }
}

}  // namespace
}  // namespace detail

log_writer::log_writer(store_ptr s, std::string const& container, log_format const& f, log_options o)
    : impl_(std::make_unique<detail::blocking_log>(std::move(s), container, f, std::move(o))) {}

log_writer::~log_writer() {
    if (impl_->writing().waiting().empty()) return;
    try {
        std::scoped_lock const turn{*impl_};
        if (auto const why = detail::flush_at_last(*impl_)) impl_->writing().lose(*why);
    } catch (...) {  // nobody is there to take it
    }
}

line_outcome log_writer::write(std::string_view line, call_options const& o) {
    return value_or_throw(try_write(line, o));
}
result<line_outcome> log_writer::try_write(std::string_view line, call_options const& o) {
    if (impl_->is_mine()) return impl_->reentered("write line");
    std::scoped_lock const turn{*impl_};
    return impl_->write({}, line, o);
}

line_outcome log_writer::write_at(ticks time, std::string_view line, call_options const& o) {
    return value_or_throw(try_write_at(time, line, o));
}
result<line_outcome> log_writer::try_write_at(ticks time, std::string_view line, call_options const& o) {
    if (impl_->is_mine()) return impl_->reentered("write line");
    std::scoped_lock const turn{*impl_};
    return impl_->write(time, line, o);
}

void log_writer::flush(call_options const& o) { value_or_throw(try_flush(o)); }
result<void> log_writer::try_flush(call_options const& o) {
    if (impl_->is_mine()) return impl_->reentered("flush log");
    std::scoped_lock const turn{*impl_};
    return impl_->flush(o);
}

void log_writer::close(call_options const& o) { value_or_throw(try_close(o)); }
result<void> log_writer::try_close(call_options const& o) {
    if (impl_->is_mine()) return impl_->reentered("close log");
    std::scoped_lock const turn{*impl_};
    return impl_->close(o);
}

log_status log_writer::status() const {
    if (impl_->is_mine()) return impl_->writing().status();
    std::scoped_lock const turn{*impl_};
    return impl_->writing().status();
}

}  // namespace tablemap
