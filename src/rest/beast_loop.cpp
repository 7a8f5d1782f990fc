// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_loop.hpp"

#include <boost/asio/post.hpp>

#include <new>
#include <utility>

namespace tablemap::inline v0_1::detail {

namespace asio = boost::asio;

/// One request on its way. Used by the loop's thread alone, but for `granted`.
class beast_loop::flight final : public connection_pool::waiter, public std::enable_shared_from_this<flight> {
public:
    flight(beast_loop& of, http_request const& r, time_limit until, std::stop_token s, http_receiver& receiver)
        : loop(of),
          exchange(of.core_->settings, r, until.at, until.code),
          limit(until.at),
          stop(std::move(s)),
          to(&receiver) {}

    /// Called by the thread that gave back the connection, which may be any.
    /// Ends the program if there is no memory for it: otherwise the place would be lost.
    void granted(std::unique_ptr<beast_connection> idle) noexcept override {
        asio::post(loop.io_,
                   [f = shared_from_this(), c = std::move(idle)]() mutable { f->loop.begin(f, std::move(c)); });
    }

    /// On another thread than the one that requests the stop, so that request_stop() calls no receiver.
    struct abort_soon {
        std::weak_ptr<flight> weak;
        void operator()() const noexcept try {
            if (auto const f = weak.lock()) asio::post(f->loop.io_, [f] { f->loop.abort(f, library_errc::cancelled); });
        } catch (std::exception const&) {
            // Out of memory: the deadline ends it.
        }
    };

    beast_loop& loop;
    beast_exchange exchange;
    time_point limit;  // that it stands under in flights_
    std::multimap<time_point, flight_ptr>::iterator place{};
    std::stop_token const stop;
    std::optional<std::stop_callback<abort_soon>> on_stop{};
    http_receiver* to;
    unsigned waits = 0;
    bool has_place = false;  // of the pool
    bool landed = false;
};

// ---- in and out -----------------------------------------------------------------------------------------------------

void beast_loop::send(http_request const& r, time_limit until, std::stop_token const& stop, http_receiver& to) {
    auto f = std::make_shared<flight>(*this, r, until, stop, to);
    std::lock_guard const lock{mutex_};
    if (closed_) throw error{library_errc::cancelled, {.reason = "the transport was closed"}};
    if (!thread_.joinable()) thread_ = std::thread{[self = shared_from_this()] { self->io_.run(); }};
    inbox_.push_back(std::move(f));
    if (inbox_.size() > 1) return;  // the first one has called for the loop
    try {
        asio::post(io_, [this] { take_inbox(); });
    } catch (...) {
        inbox_.pop_back();
        throw;
    }
}

/// All of them become flights before the first one starts: it may end at once, and its receiver may close the loop,
/// which ends all flights.
std::vector<beast_loop::flight_ptr> beast_loop::empty_inbox() {
    std::vector<flight_ptr> come;
    {
        std::lock_guard const lock{mutex_};
        come.swap(inbox_);
    }
    for (auto const& f : come) f->place = flights_.emplace(f->limit, f);
    return come;
}

void beast_loop::take_inbox() {
    for (auto const& f : empty_inbox())
        if (!f->landed) take_off(f);
}

void beast_loop::take_off(flight_ptr const& f) {
    set_timer(f->limit);
    if (f->stop.stop_possible()) f->on_stop.emplace(f->stop, flight::abort_soon{f});
    std::unique_ptr<beast_connection> idle;
    if (core_->pool.enter(*f, idle)) begin(f, std::move(idle));
}

void beast_loop::begin(flight_ptr const& f, std::unique_ptr<beast_connection> idle) {
    if (f->landed) return core_->pool.release(std::move(idle));
    f->has_place = true;
    proceed(f, f->exchange.begin(std::move(idle)));
}

void beast_loop::proceed(flight_ptr const& f, need n) {
    if (n == need::nothing) return land(f);
    set_limit(f);
    n == need::addresses ? look_up(f) : wait(f, n);
}

void beast_loop::wait(flight_ptr const& f, need n) {
    using descriptor = asio::posix::stream_descriptor;
    // A wait may be over, or its socket closed, while its handler is still to come.
    auto const go_on = [f, number = ++f->waits](boost::system::error_code const& = {}) {
        if (!f->landed && number == f->waits) f->loop.proceed(f, f->exchange.go_on());
    };
    try {
        if (n == need::turn) return asio::post(io_, go_on);
        auto& socket = f->exchange.connection().watched_by(io_, n != need::readable);
        if (n != need::writable) socket.async_wait(descriptor::wait_read, go_on);
        if (n != need::readable) socket.async_wait(descriptor::wait_write, go_on);
    } catch (std::exception const& e) {
        abort(f, transport_errc::failed, e.what());
    }
}

void beast_loop::look_up(flight_ptr const& f) {
    auto const number = ++f->waits;
    try {
        core_->settings.addresses.ask(
            [weak = std::weak_ptr{f}, alive = weak_from_this(), number](address_list const& found) {
                auto const loop = alive.lock();
                if (!loop) return;
                asio::post(loop->io_, [weak, number, found] {
                    auto const x = weak.lock();
                    if (x && !x->landed && number == x->waits) x->loop.proceed(x, x->exchange.go_on_with(found));
                });
            });
    } catch (std::exception const& e) {
        abort(f, transport_errc::failed, e.what());
    }
}

void beast_loop::abort(flight_ptr const& f, std::error_code why, std::string reason) {
    if (f->landed) return;
    f->exchange.end(why, std::move(reason));
    land(f);
}

void beast_loop::land(flight_ptr const& f) {
    f->landed = true;
    flights_.erase(f->place);
    f->on_stop.reset();
    // If its turn has come in this moment, begin() gives back the place.
    if (f->has_place)
        core_->pool.release(f->exchange.take_connection());
    else
        core_->pool.leave(*f);
    f->to->complete(f->exchange.take_result());
}

// ---- time -----------------------------------------------------------------------------------------------------------

void beast_loop::set_limit(flight_ptr const& f) {
    auto const limit = f->exchange.limit();
    if (limit == f->limit) return;
    auto node = flights_.extract(f->place);
    node.key() = f->limit = limit;
    f->place = flights_.insert(std::move(node));
    set_timer(limit);
}

/// The timer stays set when its event has come early: setting it costs more than one needless check.
void beast_loop::set_timer(time_point at) {
    if (timer_at_ && *timer_at_ <= at) return;
    timer_at_ = at;
    timer_.expires_at(at);
    timer_.async_wait([this](boost::system::error_code const& ec) {
        if (!ec) time_is_up();
    });
}

void beast_loop::time_is_up() {
    timer_at_.reset();
    auto const now = std::chrono::steady_clock::now();
    while (!flights_.empty() && flights_.begin()->first <= now) {
        auto const f = flights_.begin()->second;
        ++f->waits;  // the event that it waited for comes too late
        proceed(f, f->exchange.time_is_up(now));
    }
    if (!flights_.empty()) set_timer(flights_.begin()->first);
    if (auto const at = core_->pool.close_old(now)) set_timer(*at + std::chrono::milliseconds{1});
}

// ---- the end --------------------------------------------------------------------------------------------------------

void beast_loop::end_all() {
    empty_inbox();
    while (!flights_.empty())
        abort(flight_ptr{flights_.begin()->second}, library_errc::cancelled, "the transport was closed");
    core_->pool.close();
    timer_.cancel();
    work_.reset();
}

void beast_loop::close() noexcept {
    if (process_number() != process_) {
        // The thread, and the epoll in which a copy of this would meddle, are those of the process that was forked.
        new (std::nothrow) std::shared_ptr<beast_loop>{shared_from_this()};
        return;
    }
    std::thread thread;
    {
        std::lock_guard const lock{mutex_};
        closed_ = true;
        thread.swap(thread_);
    }
    if (!thread.joinable()) return core_->pool.close();
    if (thread.get_id() == std::this_thread::get_id()) {
        end_all();
        return thread.detach();
    }
    asio::post(io_, [this] { end_all(); });
    thread.join();
}

}  // namespace tablemap::detail
