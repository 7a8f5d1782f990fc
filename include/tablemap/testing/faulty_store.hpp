// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::testing {

/// The faults that a request can meet on its way. The outcome of a write is `in_doubt` after all of them but `busy`.
enum class fault : std::uint8_t {
    busy,         ///< not carried out: `service_errc::server_busy`
    lost_before,  ///< not carried out, and the caller cannot know: `library_errc::response_lost`
    lost_after,   ///< carried out, but the response is lost: `library_errc::response_lost`
    late_before,  ///< not carried out, and no response comes until the deadline: `library_errc::deadline_exceeded`
    late_after,   ///< carried out, but the response does not come until the deadline: `library_errc::deadline_exceeded`
    truncated,  ///< carried out: the body of a read ends in its middle; of others `transport_errc::response_cut_short`
    reset,      ///< not carried out, the connection ends within the request: `transport_errc::connection_lost`
    overtaken,  ///< a write is carried out after later requests, `library_errc::response_lost`; others as `lost_before`
};

/// A store that passes requests on to another one, unless a fault is due.
///
/// A late response waits for the call's deadline on the call's clock, so that a `fixed_clock` moves on and tests need
/// not wait. In a call without a deadline it fails at once, with `transport_errc::timed_out`. Asynchronous requests
/// meet the same faults and never block the caller.
///
/// A write that is overtaken reaches the inner store after as many further requests as `set_overtaking` says, one by
/// default, and before the next one; or when `carry_out_overtaken` is called. Its response goes to nobody.
///
/// `act_before` takes the work of another client while a call is on its way:
///
///     faulty->fail_next(fault::lost_after);                                      // the insert's response is lost
///     faulty->act_before([&](store&) { others.erase_any({"Sales", 212}); }, 1);  // before the second try
///     auto inserted = employees.try_insert(don, {.retry = policy});
///
/// \par Thread safety
/// Full.
class faulty_store final : public store {
public:
    explicit faulty_store(store_ptr inner) : inner_(std::move(inner)) {}

    /// The request after `skip` others from now on meets this fault.
    void fail_next(fault f, std::size_t skip = 0);

    /// From now on each request meets one of these faults with this probability, by a seeded choice.
    void fail_randomly(double probability, std::uint64_t seed,
                       std::vector<fault> kinds = {fault::busy, fault::lost_before, fault::lost_after});

    /// Sets the number of requests that overtake a write.
    void set_overtaking(std::size_t requests);

    /// Carries out all writes that were overtaken and have not reached the inner store yet.
    void carry_out_overtaken();

    /// Calls `act` with the inner store before the request after `skip` others from now on is passed on, or meets its
    /// fault. `act` may not send anything through this store.
    void act_before(std::function<void(store&)> act, std::size_t skip = 0);

    /// No more faults: neither planned ones that are still to come nor random ones.
    void stop_failing();

    /// From now on pages hold a random number of entities, 1 to what was asked for.
    void shorten_pages(std::uint64_t seed);

    /// Sets the wait that `fault::busy` asks for.
    void set_retry_after(std::optional<std::chrono::milliseconds> wait);

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& options) override;
    void async_execute(request const& r, call_options const& options, receiver& to) override;

    std::size_t requests() const;  ///< so far, faulty ones among them
    std::size_t faults() const;

private:
    class passed_on;
    class kept_write;

    /// The treatment of one request.
    struct turn {
        std::optional<fault> due{};
        std::optional<std::chrono::milliseconds> retry_after{};
        std::optional<std::size_t> page_size{};
        std::vector<std::shared_ptr<kept_write>> overtaken{};  ///< to be carried out before
        std::function<void(store&)> act{};                     ///< to be called before
        std::shared_ptr<round_trip const> trip{};  ///< of a faulty request of a remote store, which was sent
    };

    turn begin(request const& r);
    turn next_turn(request const& r);
    std::optional<fault> next_fault();

    store_ptr inner_;
    mutable std::mutex mutex_;
    std::map<std::size_t, fault> planned_;
    std::map<std::size_t, std::function<void(store&)>> acts_;
    std::multimap<std::size_t, std::shared_ptr<kept_write>>
        overtaken_;  ///< by the request before which they are carried out
    std::size_t overtaking_ = 1;
    std::vector<fault> random_faults_;
    double probability_ = 0;
    std::mt19937_64 random_;
    std::optional<std::mt19937_64> page_sizes_;
    std::optional<std::chrono::milliseconds> retry_after_;
    std::size_t requests_ = 0;
    std::size_t faults_ = 0;
};

}  // namespace tablemap::testing
