// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/argument_member.hpp"
#include "tablemap/store/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace tablemap::inline v0_1 {

namespace detail {
class thrown_note;
}

/// Retries of failures that may pass. Waits double from `first_wait` to `longest_wait`, each shortened by a random
/// share up to `jitter`; a longer wait that the store asks for (`Retry-After`) is respected up to `longest_asked_wait`.
/// A store that asks for more is not asked again: the call ends with its error, whose reason gives the wait.
struct retry_policy {
    int attempts = 1;  ///< in total; 1: no second try
    std::chrono::milliseconds first_wait{800};
    std::chrono::milliseconds longest_wait{60'000};
    double jitter = 0.5;  ///< 0 to 1
    std::chrono::milliseconds longest_asked_wait{60'000};

    /// Repeats an insert or an `erase_any` after its response was lost. It is carried out twice then if another writer
    /// erased the row between the tries, or inserted it anew.
    bool repeat_in_doubt = false;

    static retry_policy none() noexcept { return {}; }
    static retry_policy exponential(int attempts = 4) noexcept {
        retry_policy p;
        p.attempts = attempts;
        return p;
    }
};

/// The place of reads from an account that has a readable copy in another region. Rows of the copy may be minutes old;
/// writes, and reads that a write depends on, always go to the primary.
enum class read_from : std::uint8_t {
    primary,
    primary_then_secondary,  ///< the copy if the primary fails in a way that may pass
    secondary,               ///< the copy: a missing entity may only not have arrived yet
};

/// The operation and the try that a request belongs to, for observers. Filled in by tablemap where there is one.
struct request_origin {
    std::uint64_t operation = 0;            ///< counted in this process from 1; 0: no observed operation
    int attempt = 1;                        ///< the number of the try of this request
    detail::thrown_note* thrown = nullptr;  ///< keeps an exception of an observer until the operation can throw it
};

/// Options of one call. Safe as a temporary in every expression.
struct call_options {
    std::optional<time_point> deadline{};  ///< for the whole call, with retries and waits
    std::optional<retry_policy> retry{};   ///< unset: the store's own policy
    detail::argument_member<std::stop_token>
        stop{};  ///< a std::stop_token: ends the call before its next request or wait
    /// A std::string. For remote stores, the client request id: up to 1 KiB of visible ASCII and blanks; empty: a
    /// random one for all tries.
    detail::argument_member<std::string> request_id{};
    tablemap::clock* clock = nullptr;                ///< the source of time and randomness; null: the system's
    std::optional<tablemap::read_from> read_from{};  ///< unset: the store's own. Stores without a copy have one place
    std::size_t empty_pages = 10'000;                ///< the most in a row that a query skips before it fails
    request_origin origin{};                         ///< not for callers
};

/// A deadline this long from now: `{.deadline = tablemap::within(std::chrono::seconds{5})}`. A duration too long to add
/// means never. For a call with a clock of its own, add to that clock's time instead.
inline time_point within(std::chrono::nanoseconds d) {
    auto const now = std::chrono::steady_clock::now();
    auto const wanted = std::chrono::duration_cast<time_point::duration>(d);
    return wanted > time_point::max() - now ? time_point::max() : now + wanted;
}

}  // namespace tablemap
