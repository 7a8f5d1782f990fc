// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/refusals.hpp"
#include "tablemap/detail/patterns/unique_rows.hpp"
#include "tablemap/detail/patterns/unique_write.hpp"
#include "tablemap/mapping/entity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The requests about reservations, their owners and their guards.
namespace tablemap::inline v0_1::detail {

enum class standing : std::uint8_t {
    held,     ///< the owner has the value
    pending,  ///< the owner may still get it
    free,     ///< the owner does not have the value, and no write that has reserved it can be carried out any more
};

/// True if others need not wait for the writer of a reservation or a guard.
bool is_over(ticks until);

entity_key owner_of(reservation const& r);

/// Reads and writes reservations and guards. All is borrowed.
class reservations {
public:
    reservations(unique_state const& table, environment const& env) : table_(table), env_(env) {}

    /// A reservation, if the value has one.
    task<result<std::optional<entity<reservation>>>> find(std::string_view value, bool current) const;
    task<result<std::optional<entity<reservation_guard>>>> find_guard(std::string_view partition, guid token) const;

    /// The values of an entity; nothing if it is not there.
    task<result<std::optional<value_keys>>> values_of(entity_key key) const;

    /// Finds out what became of the owner of a reservation. If `may_take`, a guard that is there is erased, so that the
    /// write that it belongs to is refused from then on. After `free` the reservation may be replaced or erased under
    /// the etag that it was read with.
    task<result<standing>> settle(entity<reservation> const& r, std::size_t number, bool may_take) const;

    encoded_write insert_of(reservation const& r) const;
    encoded_write replace_of(entity<reservation> const& r) const;
    encoded_write confirmation_of(entity<reservation> const& r) const;
    static encoded_write erase_of(entity<reservation> const& r);
    encoded_write insert_of(reservation_guard const& g) const;
    static encoded_write erase_of(entity<reservation_guard> const& g);

    request to_reservations(encoded_write const& w) const {
        return write_entity{table_.reservations->name, w.operation()};
    }
    request to_entities(encoded_write const& w) const { return write_entity{table_.entities->name, w.operation()}; }

    /// The end of the time of a write that begins now.
    ticks end_of_time() const;

private:
    task<result<bool>> owner_has(reservation const& r, std::size_t number) const;
    task<result<bool>> erase_guard(entity<reservation_guard> const& g) const;

    unique_state const& table_;
    environment const& env_;
};

}  // namespace tablemap::detail
