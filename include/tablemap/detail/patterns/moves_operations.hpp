// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/move_core.hpp"
#include "tablemap/detail/patterns/move_mark.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/table/table.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// An entity that was looked for at both places of a move: at one of them, or at neither.
template <class From, class To> struct moved_entity {
    std::optional<entity<From>> source{};  ///< it was not moved, or not yet
    std::optional<entity<To>> target{};    ///< it was moved
};

namespace detail {

template <class T>
result<std::optional<guid>> read_row_of_move(std::string& row, void* found, property_cipher const* cipher) {
    auto& e = static_cast<std::optional<entity<T>>*>(found)->emplace();
    if (auto r = decode_into(row, e, cipher); !r) return failure{std::move(r).error()};
    return mark_of(e.value);
}

/// A call that reads an entity at the place where it is. The task is no template: it fills what this object holds.
template <class From, class To> class find_moved_call {
public:
    using value_type = moved_entity<From, To>;

    find_moved_call(move_look look, result<entity_key> from, result<entity_key> to)
        : look_(std::move(look)), from_(std::move(from)), to_(std::move(to)) {}

    store_ptr const& store() const noexcept { return look_.from_table->store; }
    operation_label label() const noexcept { return {"find", look_.from_table->name}; }

    task<result<move_place>> const& first() {
        return first_.emplace(find_moved(look_, std::move(from_), std::move(to_), &found_.source, &found_.target));
    }

    result<value_type> take() {
        auto const place = first_->take();
        if (!place) return failure{place.error().in("find", look_.from_table->name)};
        if (*place != move_place::source) found_.source.reset();
        if (*place != move_place::target) found_.target.reset();
        return std::move(found_);
    }

private:
    move_look look_;
    result<entity_key> from_;
    result<entity_key> to_;
    value_type found_{};
    std::optional<task<result<move_place>>> first_{};
};

/// The operations of `moves`, for all of its forms.
template <class From, class To> class moves_operations {
public:
    moves_operations(table<From> const& from, table<To> const& to)
        : look_{table_internals::shared_state(from), table_internals::shared_state(to), &read_row_of_move<From>,
                &read_row_of_move<To>, has_move_mark<From>()} {
        value_or_throw(check_tables(*look_.from_table, *look_.to_table));
    }

    find_moved_call<From, To> find(key_of<From> const& from, key_of<To> const& to) const {
        return {look_, from.try_encode(), to.try_encode()};
    }

private:
    move_look look_;
};

}  // namespace detail
}  // namespace tablemap
