// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/moves_operations.hpp"
#include "tablemap/patterns/move_to.hpp"
#include "tablemap/patterns/on_move.hpp"
#include "tablemap/table/table.hpp"

#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {

/// Reads entities that `move_to` moves from one table to another, or within one. A relay needs two writes for a move;
/// this class tells at every moment which of the two rows is the entity.
///
///     tablemap::moves<employee, former_employee> const moves{employees, former};
///     auto const don = moves.find({"Sales", 212}, {212});
///     if (don.target) std::cout << don.target->value.name << " has left\n";
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class From, class To> class moves {
    static_assert(detail::check_source_of_find<From>() && detail::check_move_target<To>());

public:
    /// Names the tables; nothing is sent.
    ///
    /// \throws error `service_errc::invalid_input` if the tables are of two store objects
    moves(table<From> const& from, table<To> const& to) : operations_(from, to) {}

    /// Reads the entity at the place where it is.
    ///
    /// \return the entity at the key that it comes from or, once it was moved, at the other one; nothing if it is at
    /// neither. A row with the mark of a move is the entity only once the move is past its commit. If entities move to
    /// From as well, a row of From with a mark is returned if the other row does not count: see `is_tentative`
    /// \throws error those of the store; `too_many_conflicts` if moves began and ended between all reads
    /// \par Round trips
    /// One if it was not moved; two if it was; three or more while a move is under way. If From has a mark, two more
    /// for an entity that is nowhere.
    moved_entity<From, To> find(key_of<From> const& from, key_of<To> const& to, call_options const& o = {}) const {
        return value_or_throw(try_find(from, to, o));
    }
    result<moved_entity<From, To>> try_find(key_of<From> const& from, key_of<To> const& to,
                                            call_options const& o = {}) const {
        auto call = operations_.find(from, to);
        return detail::run(*call.store(), call, o);
    }

private:
    detail::moves_operations<From, To> operations_;
};

}  // namespace tablemap
