// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/reservations.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// A value that the entity gains.
struct wanted_value {
    std::size_t number;  ///< of the unique value
    std::string_view text;
};

/// The wait for the writer of a reservation.
class writer_wait {
public:
    explicit writer_wait(unique_state const& table) : longest_(table.reserved_for) {}

    /// True if the writer of this reservation had its time. Another etag is that of another writer.
    bool is_over(entity<reservation> const& r, environment const& env);

    /// Counts the reservation anew.
    void forget() { of_ = {}; }

    /// The number of writers that were met.
    int writers() const noexcept { return writers_; }

private:
    tick_duration longest_;
    int writers_ = 0;
    etag of_{};
    time_point until_{};
};

/// Reserves the values that an entity gains in one try of a write. All is borrowed.
class value_claims {
public:
    value_claims(unique_state const& table, entity_key const& own, environment const& env)
        : table_(table), own_(own), env_(env), rows_(table, env) {}

    /// Begins another try: its reservations hold this token.
    void begin(guid token);

    /// Reserves a value: inserts its reservation, or waits for its writer and takes it over.
    ///
    /// \return false if the entity itself has the value already. Errors: `library_errc::unique_value_taken`,
    /// `too_many_conflicts`
    task<result<bool>> reserve(wanted_value wanted);

    bool is_ours(reservation const& r) const { return r.token == token_ && owner_of(r) == own_; }

    /// The reservations of this try.
    std::vector<entity<reservation>> const& held() const noexcept { return held_; }

private:
    enum class claim : std::uint8_t { reserved, own_already, again };

    reservation mine(wanted_value wanted) const;
    task<result<bool>> insert(encoded_write const& w, reservation const& mine);
    task<result<claim>> take_over(entity<reservation> const& found, wanted_value wanted, writer_wait& waited);
    task<result<claim>> replace(entity<reservation> const& found, wanted_value wanted, writer_wait& waited);
    task<> confirm(entity<reservation> const& r);
    std::optional<time_point> next_look(int looks) const;
    error taken(wanted_value wanted) const;
    error under_way(wanted_value wanted) const;
    error too_many(wanted_value wanted) const;
    error of_value(wanted_value wanted, std::string_view reason) const;

    unique_state const& table_;
    entity_key const& own_;
    environment const& env_;
    reservations rows_;
    guid token_{};
    std::vector<entity<reservation>> held_{};
};

}  // namespace tablemap::detail
