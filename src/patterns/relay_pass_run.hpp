// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/outbox_rows.hpp"
#include "patterns/relay_pass.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// One run of `relay_partition`: takes the lease, reads the pending effects page by page, applies them, parks those
/// that cannot be applied, and gives the lease back. All is borrowed.
class relay_pass {
public:
    relay_pass(relay_core const& relay, std::string_view partition_key, message_hold& message, environment const& env)
        : relay_(relay),
          partition_key_(partition_key),
          message_(message),
          env_(env),
          lease_(relay, partition_key, env) {}

    task<pass_result> run();

private:
    enum class next_step : std::uint8_t { go_on, stop };

    // ---- pages, and the end -----------------------------------------------------------------------------------------

    task<> work();
    query_page page_after(std::string const& after, std::optional<continuation> const& from) const;

    /// False if no commit came since the head was written last, and all rows were seen.
    bool may_be_more(std::size_t rows) const noexcept;

    /// Gives the lease back. After a fault it is tried as well, so that others need not wait.
    task<> end();
    void note_age(effect_row const& effect);

    // ---- one effect -------------------------------------------------------------------------------------------------

    task<next_step> take(stored_entity const& row);
    task<next_step> apply(effect_row const& effect);
    task<next_step> move(effect_row const& effect, effect_handler const& handler);

    /// Marks an effect as done, or notes its failure. `trace`: a row that is erased with the effect.
    task<next_step> settle(effect_row const& effect, effect_handler const& handler, handled outcome,
                           std::optional<encoded_write> trace = {});
    effect_handler const* handler_of(std::string_view type) const noexcept;

    /// True if an earlier effect of the entity is parked.
    task<result<bool>> is_blocked(std::string_view entity);

    // ---- effects that are not done ----------------------------------------------------------------------------------

    task<next_step> failed(effect_row effect, error const& why);

    /// Puts a message into the poison queue, if there is one. False if that failed, nothing if the pass is to end. A
    /// relay that has lost its lease must put none: the other relay may succeed.
    task<std::optional<bool>> tell_of(effect_row const& effect);
    task<next_step> park(effect_row effect, std::string reason);
    task<next_step> park_rows(std::vector<encoded_write> rows);

    /// A row that cannot be read is parked as it is, so that it does not hold up the rows behind it in every pass.
    task<next_step> bad_row(stored_entity row, error const& why);

    /// The same for a row with an effect that the relay cannot apply.
    task<next_step> bad_effect(effect_row effect, error const& why);
    task<next_step> set_aside(effect_row const& known, std::string const& entity, error const& why,
                              std::vector<encoded_write> rows);

    /// Later effects of the entity must not overtake this one.
    next_step waits(std::string const& entity);

    /// The effect waits, and is no nearer to being parked.
    next_step waits_for_rights(effect_row const& effect, error const& why);
    next_step stopped_by(error const& why);
    next_step step_after(result<partition_lease::writing> const& written);

    relay_core const& relay_;
    std::string_view partition_key_;
    message_hold& message_;
    environment const& env_;
    partition_lease lease_;
    pass_result done_{};
    std::optional<error> refused_{};  ///< the last fault that effects wait for: of the poison queue, of rights
    std::unordered_set<std::string> waiting_{};  ///< entities whose effects wait for a later pass
    std::size_t left_ = 0;                       ///< effects that were read and stay pending
    bool has_age_ = false;
    std::int64_t seen_below_ = 0;  ///< every effect with a lower number was seen; 0: not known
    std::size_t seen_ = 0;
};

}  // namespace tablemap::detail
