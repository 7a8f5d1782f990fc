// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The tries of some requests: those to send again, their times, and the meaning of their responses after
/// a lost one.
///
/// A request is sent again after a failure that may pass, and after a response that was lost, unless it could be
/// carried out twice. Reads and upserts are repeated; a write under an etag, and a group with one, find another etag
/// the second time. But an insert would be made again if another writer erased the row between the tries, and an erase
/// of any version would erase a row that another writer inserted anew. After a lost response these are sent again only
/// if the policy says so (`retry_policy::repeat_in_doubt`). Else the row is read: if it has the write's own operation
/// id, the write was applied; for any other row, and for none, the outcome stays in doubt.
///
/// A conflict of a write that was sent again may be caused by its own first try. With an operation id the row is read,
/// and if it has the id, the write is applied without a known etag; without an id, or for an erase, the outcome stays
/// in doubt. Of a group transaction the rows with operation ids are read one after the other, up to ten: a single one
/// with its id shows that the whole group was applied.
class retry_round {
public:
    explicit retry_round(retry_policy const& policy) noexcept : policy_(policy) {}

    /// Begins with requests that are sent as they are. They are borrowed.
    void begin(std::span<request const> wanted);

    /// The way to go on after a response to each of the pending requests.
    enum class next_step : std::uint8_t {
        end,   ///< `answers()` are final
        look,  ///< send `pending()`, reads that are no further try
        wait,  ///< wait until `next_try()`, then send `pending()`
    };
    next_step take(std::span<response> answers);

    /// The time of the next try, which is counted. Nothing if the call has to end before: `answers()` are final then.
    std::optional<time_point> next_try(environment const& env);

    /// The requests to send now, in the order of `take`, and the positions of those that `begin` had in their place.
    std::span<request const> pending();
    std::span<std::size_t const> open() const noexcept { return pending_; }

    /// The number of times that the requests were sent so far.
    int tries() const noexcept { return tries_; }

    /// True if the response to a write was lost, so that an earlier try may have been applied.
    bool lost_a_write() const noexcept;

    /// One final response for each request.
    std::span<response> answers() noexcept { return answers_; }

private:
    struct attempt {
        bool lost_before = false;             ///< an earlier try of this write may have been applied
        std::optional<std::size_t> looks_at;  ///< the last request was a read of this operation's row, not the write
        int looks = 0;                        ///< reads of rows that may have the operation id
    };

    /// The meaning of a try's response for its request.
    enum class verdict : std::uint8_t {
        settled,
        look,  ///< read a row; this is no further try and does not wait
        again,
    };

    void give_up(std::error_code why);
    verdict settle(std::size_t i, response&& answer, bool may_retry);
    verdict look_after_loss(std::size_t i, error const& loss);
    verdict look_on(std::size_t i, std::size_t from);
    verdict settle_looked(std::size_t i, response&& row, bool may_retry);

    retry_policy policy_;
    std::span<request const> requests_{};
    std::vector<response> answers_{};
    std::vector<attempt> attempts_{};
    std::vector<std::size_t> pending_{};  ///< requests without a final response
    std::vector<request> resend_{};       ///< the outstanding requests of `pending_`, in that order
    std::chrono::milliseconds asked_{0};  ///< the longest wait that a failed response asks for
    int tries_ = 0;
};

/// The time to repeat requests of which it is known that they were not carried out, although a response was lost, after
/// this many rounds of tries; nothing if the policy allows no more, or the call has to end before.
std::optional<time_point> next_repetition(retry_policy const& policy, int rounds, environment const& env);

/// The operation id that an encoded entity holds, if any. `json` may grow in capacity.
std::optional<guid> operation_id_in(std::string& json);

/// The error of a write whose outcome is unknown after a lost response, for this later failure. The code is
/// `library_errc::response_lost`, or the later one if the call had to end. `advice`: the way for the caller to find
/// out.
error doubt(error const& later, std::string_view advice = "read the entity to see, or give the table operation ids");

}  // namespace tablemap::detail
