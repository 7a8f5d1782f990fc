// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/typed_move.hpp"
#include "tablemap/patterns/move_to.hpp"
#include "tablemap/patterns/relay.hpp"
#include "tablemap/table/table.hpp"

#include <memory>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The handler of moves; made by `on_move`.
template <class To, class Function> struct move_handler_of {
    table<To> to;
    Function make;
};

/// The handler that moves entities to a table, which may be that of the outbox: `make` makes the new entity of the old
/// one, with the key that `move_to` named. It may be called more than once for one move.
///
///     tablemap::relay relay{outbox, tablemap::on_move(former, [](employee const& e) {
///                               return former_employee{.id = e.id, .name = e.name};
///                           })};
///
/// The move fails as handlers fail, by an exception of the function, or if another row has the key. One whose source
/// was erased before is done, and moves nothing.
///
/// \par Round trips
/// Six for each move, beside those of the relay: two reads, the tentative row, the group, and two for the mark. More if
/// others write to the entity, for types with indexes, and after a failure.
template <class To, class Function> move_handler_of<To, Function> on_move(table<To> const& to, Function make) {
    return {to, std::move(make)};
}

namespace detail {

template <class To, class F> inline constexpr bool is_handler<move_handler_of<To, F>> = true;
template <class To, class F> inline constexpr bool handles<move_to<To>, move_handler_of<To, F>> = true;

template <class From, class To, class F> constexpr bool check_move_function() {
    constexpr bool callable = std::is_invocable_r_v<To, F const&, From const&>;
    static_assert(callable, "tablemap[P6]: the function of on_move takes the entity that is moved and returns the new "
                            "one: on_move(former, [](employee const& e) { return former_employee{...}; })");
    return callable;
}

template <class From, class To, class F> struct handler_maker<From, move_handler_of<To, F>> {
    static constexpr bool check() { return check_move_function<From, To, F>(); }

    static effect_handler make(outbox_place const& place, move_handler_of<To, F>&& h) {
        auto const& to = table_internals::shared_state(h.to);
        value_or_throw(check_tables(*place.table, *to));
        auto const kind = std::make_shared<move_kind<F> const>(move_kind<F>{place.table, to, std::move(h.make)});
        return {.type = name_of_effect<move_to<To>>(), .move = [kind](move_order const& order) {
                    return std::make_unique<typed_move<From, To, F>>(kind, order);
                }};
    }
};

}  // namespace detail
}  // namespace tablemap
