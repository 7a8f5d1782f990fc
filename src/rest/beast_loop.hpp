// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/process_number.hpp"
#include "rest/beast_core.hpp"

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Carries out requests on a thread of its own, which the first one starts. The thread keeps the loop alive, so that a
/// receiver may close it.
class beast_loop : public std::enable_shared_from_this<beast_loop> {
public:
    explicit beast_loop(std::shared_ptr<beast_core> core) : core_(std::move(core)) {}

    /// Thread safety: full. Throws if there can be no thread, and if it is closed; then the receiver is not called.
    void send(http_request const& r, time_limit until, std::stop_token const& stop, http_receiver& to);

    /// Ends what is outstanding, and the thread, unless this is called on it. Does nothing in a child of fork().
    void close() noexcept;

private:
    class flight;
    using flight_ptr = std::shared_ptr<flight>;

    // All on the loop's thread.
    std::vector<flight_ptr> empty_inbox();
    void take_inbox();
    void take_off(flight_ptr const& f);
    void begin(flight_ptr const& f, std::unique_ptr<beast_connection> idle);
    void proceed(flight_ptr const& f, need n);
    void wait(flight_ptr const& f, need n);
    void look_up(flight_ptr const& f);
    void set_limit(flight_ptr const& f);
    void abort(flight_ptr const& f, std::error_code why, std::string reason = {});
    void land(flight_ptr const& f);
    void set_timer(time_point at);
    void time_is_up();
    void end_all();

    std::shared_ptr<beast_core> const core_;
    std::uint64_t const process_ = process_number();
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    boost::asio::steady_timer timer_{io_};
    std::optional<time_point> timer_at_;
    std::multimap<time_point, flight_ptr> flights_;  // by their limits

    std::mutex mutex_;
    std::vector<flight_ptr> inbox_;
    bool closed_ = false;
    std::thread thread_;
};

}  // namespace tablemap::detail
