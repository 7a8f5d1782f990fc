// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/effect_rules.hpp"
#include "tablemap/detail/patterns/move_mark.hpp"
#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <array>
#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {
namespace detail {

template <class To> struct move_name {
    static constexpr std::string_view beginning = "move_to_";
    static constexpr auto text = [] {
        constexpr auto name = name_of_effect<To>();
        std::array<char, beginning.size() + name.size()> t{};
        auto* at = t.data();
        for (char const c : beginning) *at++ = c;
        for (char const c : name) *at++ = c;
        return t;
    }();
};

template <class To> constexpr bool has_stored_mark() {
    if constexpr (has_move_mark<To>()) return !is_ignored_member<To, mapping<To>::move_mark>();
    return true;  // another message covers this
}

/// Puts the type's name into the compiler's "required from" line.
template <class To> constexpr bool check_move_target() {
    if constexpr (check_mapping<To>()) {
        constexpr bool marked = has_move_mark<To>();
        static_assert(marked, "tablemap[P6]: the type that entities are moved to has a member for the mark of a move "
                              "that is not done yet, std::optional<tablemap::guid> arriving{}, and names it in its "
                              "mapping: static constexpr auto move_mark = &former_employee::arriving");
        constexpr bool stored = has_stored_mark<To>();
        static_assert(stored, "tablemap[P6]: the member that move_mark names is ignored(), so no reader could tell a "
                              "tentative row; store it");
        return marked && stored;
    }
    return false;
}

}  // namespace detail

/// The effect of an outbox that an entity is moved to another partition, table or type:
///
///     using employee_outbox = tablemap::outbox<employee, tablemap::move_to<former_employee>>;
///     auto leave = employees.transaction();
///     leave.replace(don);
///     outbox.commit(leave, tablemap::move_to<former_employee>{212});
///
/// The entity is that of the operation that the effect belongs to. It is moved as it is stored when a relay applies the
/// effect; `on_move` makes the handler. Until the move is done, the new row carries a mark, in the member that
/// `mapping<To>::move_mark` names; see `is_tentative`. `docs/patterns/moves.md` describes the protocol.
///
/// It is stored as an effect with the name of To after `move_to_`.
template <class To> class move_to {
    static_assert(detail::check_move_target<To>());

public:
    static constexpr std::string_view effect_name{detail::move_name<To>::text.data(),
                                                  detail::move_name<To>::text.size()};

    /// Takes what makes the key of the new row, as `key_of<To>` does.
    template <class... Arguments>
    requires(!(sizeof...(Arguments) == 1 &&
               (std::same_as<std::remove_cvref_t<Arguments>, move_to> && ...))) explicit move_to(Arguments&&... key)
        : key_(std::forward<Arguments>(key)...) {}

    key_of<To> const& key() const& noexcept { return key_; }
    key_of<To> key() const&& { return key_; }

private:
    key_of<To> key_;
};

/// True if the row belongs to a move that is not done yet. Usually the entity is still where it comes from; `moves`
/// tells.
template <class To> bool is_tentative(entity<To> const& e) noexcept {
    if constexpr (detail::check_move_target<To>())
        return (e.value.*mapping<To>::move_mark).has_value();
    else
        return false;
}

}  // namespace tablemap
