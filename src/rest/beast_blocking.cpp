// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_core.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <ctime>
#include <system_error>

namespace tablemap::inline v0_1::detail {
namespace {

enum class waited { ready, late, stopped };

/// A descriptor for poll(), or none.
class event {
public:
    explicit event(bool wanted) : descriptor_(wanted ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1) {
        if (wanted && descriptor_ < 0)
            throw std::system_error{errno, std::generic_category(), "no stop can be waited for"};
    }
    ~event() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    event(event const&) = delete;
    event& operator=(event const&) = delete;

    int descriptor() const noexcept { return descriptor_; }

private:
    int const descriptor_;
};

/// Makes a stop visible to poll(). Throws `std::system_error` if that cannot be: a stop must not be overlooked.
class stop_signal {
public:
    explicit stop_signal(std::stop_token const& stop)
        : event_(stop.stop_possible()), callback_(stop, raise{event_.descriptor()}) {}

    int descriptor() const noexcept { return event_.descriptor(); }

private:
    struct raise {
        int to;
        void operator()() const noexcept { ::eventfd_write(to, 1); }
    };

    event const event_;
    std::stop_callback<raise> callback_;  // ends before the event does
};

timespec until(time_point limit) noexcept {
    constexpr std::chrono::nanoseconds longest = std::chrono::hours{1};  // then it is looked at again
    auto const left = std::clamp<std::chrono::nanoseconds>(limit - std::chrono::steady_clock::now(), {}, longest);
    auto const seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

short events(need what) noexcept {
    switch (what) {
    case need::readable: return POLLIN;
    case need::writable: return POLLOUT;
    default: return POLLIN | POLLOUT;
    }
}

/// Looks at the limit even if the socket is ready: a server that sends a little now and then makes it so for ever.
waited wait_for_socket(int socket, need what, time_point limit, stop_signal const& stop) noexcept {
    pollfd watched[2]{};
    watched[0].fd = socket;
    watched[0].events = events(what);
    watched[1].fd = stop.descriptor();
    watched[1].events = POLLIN;
    for (;;) {
        auto const time = until(limit);
        auto const n = ::ppoll(watched, stop.descriptor() < 0 ? 1 : 2, &time, nullptr);
        if (n > 0 && watched[1].revents != 0) return waited::stopped;
        bool const is_past = time.tv_sec == 0 && time.tv_nsec == 0;
        if (n > 0) return is_past ? waited::late : waited::ready;
        if (n == 0 && std::chrono::steady_clock::now() >= limit) return waited::late;
        if (n < 0 && errno != EINTR) return waited::ready;  // the fault shows when it is used
    }
}

/// The response of an address book; shared, because that may come after everyone has gone.
struct awaited_addresses {
    std::mutex mutex;
    std::condition_variable_any come;
    address_list found;
};

waited wait_for_addresses(address_book& book, time_point limit, std::stop_token const& stop, address_list& to) {
    auto const shared = std::make_shared<awaited_addresses>();
    book.ask([shared](address_list const& found) {
        std::lock_guard const lock{shared->mutex};
        shared->found = found;
        shared->come.notify_one();
    });
    std::unique_lock lock{shared->mutex};
    if (!shared->come.wait_until(lock, stop, limit, [&] { return shared->found != nullptr; }))
        return stop.stop_requested() ? waited::stopped : waited::late;
    to = shared->found;
    return waited::ready;
}

waited look_at_the_time(time_point limit, std::stop_token const& stop) noexcept {
    if (stop.stop_requested()) return waited::stopped;
    return std::chrono::steady_clock::now() >= limit ? waited::late : waited::ready;
}

/// Carries out an exchange that has its connection.
void drive(beast_core& core, beast_exchange& x, need first, std::stop_token const& stop, stop_signal const& signal) {
    for (auto n = first; n != need::nothing;) {
        address_list found;
        auto const w = n == need::addresses ? wait_for_addresses(core.settings.addresses, x.limit(), stop, found)
                       : n == need::turn    ? look_at_the_time(x.limit(), stop)
                                            : wait_for_socket(x.connection().socket(), n, x.limit(), signal);
        if (w == waited::stopped)
            return x.end(library_errc::cancelled);
        else if (w == waited::late)
            n = x.time_is_up(std::chrono::steady_clock::now());
        else
            n = found ? x.go_on_with(found) : x.go_on();
    }
}

}  // namespace

http_result call_blocking(beast_core& core, http_request const& r, time_limit until, std::stop_token const& stop) {
    std::unique_ptr<beast_connection> idle;
    beast_exchange x{core.settings, r, until.at, until.code};
    switch (core.pool.wait(until.at, stop, idle)) {
    case connection_pool::turn::come: break;
    case connection_pool::turn::late: x.end(until.code); return x.take_result();
    case connection_pool::turn::stopped: x.end(library_errc::cancelled); return x.take_result();
    case connection_pool::turn::closed:
        x.end(library_errc::cancelled, "the transport was closed");
        return x.take_result();
    }
    try {
        stop_signal const signal{stop};  // before anything is sent
        if (idle) idle->unwatch();
        drive(core, x, x.begin(std::move(idle)), stop, signal);
    } catch (std::exception const& e) {
        x.end(transport_errc::failed, e.what());
    }
    core.pool.release(x.take_connection());
    return x.take_result();
}

}  // namespace tablemap::detail
