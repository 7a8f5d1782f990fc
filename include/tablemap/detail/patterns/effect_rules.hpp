// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/leading_text.hpp"
#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/detail/patterns/move_core.hpp"
#include "tablemap/detail/patterns/outbox_core.hpp"
#include "tablemap/detail/reflect/name.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

/// The rules of effects and of the types in whose tables they are stored.
namespace tablemap::inline v0_1 {
template <class To> class move_to;
}
namespace tablemap::inline v0_1::detail {

template <class E> constexpr std::string_view spell_type() {
    std::string_view const text = __PRETTY_FUNCTION__;
#if defined(__clang__)
    return text.substr(0, text.rfind(']'));
#else
    return text.substr(0, text.rfind(';'));
#endif
}

/// The name under which an effect is stored: its `effect_name`, else that of the struct without namespaces.
template <class E> constexpr std::string_view name_of_effect() {
    if constexpr (requires { std::string_view{E::effect_name}; })
        return E::effect_name;
    else
        return last_identifier(spell_type<E>());
}

struct effect_probe {};
static_assert(
    name_of_effect<effect_probe>() == "effect_probe",
    "tablemap[M0]: this compiler spells a type in a form that names of effects cannot be read from; give each "
    "effect a static constexpr std::string_view effect_name, and teach spell_type() the form");

template <class... Effects> constexpr bool have_own_names_as_effects() {
    std::array<std::string_view, sizeof...(Effects)> const names{name_of_effect<Effects>()...};
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (names[i] == names[k]) return false;
    return true;
}

template <class E> constexpr bool check_plain_effect() {
    constexpr bool is_struct = std::is_class_v<E> && json_form<E>;
    static_assert(is_struct, "tablemap[P4]: an effect is a plain struct whose members can be stored as JSON, such as "
                             "struct archive_employee { std::string department; std::int32_t id; }");
    return is_struct;
}

template <class E> inline constexpr bool is_move = false;
template <class To> inline constexpr bool is_move<move_to<To>> = true;

template <class E> constexpr bool check_effect() {
    if constexpr (is_move<E>)
        return true;  // its own class checks it
    else
        return check_plain_effect<E>();
}

/// True if no row key of the type can be one of the rows with this prefix, or before or after them.
template <class T> constexpr bool is_apart_from(std::string_view prefix) {
    constexpr auto text = leading_text<mapping<T>::row_key>;
    return !text.empty() && !text.starts_with(prefix) && !prefix.starts_with(text);
}

/// Puts the type's name into the compiler's "required from" line.
template <class T> constexpr bool check_keeper_of_outbox() {
    static_assert(!std::same_as<T, dynamic_entity>,
                  "tablemap[P4]: a table<dynamic_entity> reads every row as an entity, those of an outbox, too; make "
                  "the outbox of a mapped type");
    if constexpr (!std::same_as<T, dynamic_entity>) {
        if constexpr (check_mapping<T>()) {
            constexpr bool apart = is_apart_from<T>(outbox_prefix);
            static_assert(apart, "tablemap[P4]: the row key of a type with an outbox begins with a literal of its own, "
                                 "which tells its rows from those of the outbox: key(\"empid_\", ...); it does not "
                                 "begin as ~outbox_ does");
            return apart;
        }
    }
    return false;
}
template <class T> struct check_outbox_table {
    static constexpr bool check() { return check_keeper_of_outbox<T>(); }
};
template <class... Ts> struct check_outbox_table<std::variant<Ts...>> {
    static constexpr bool check() { return (check_keeper_of_outbox<Ts>() && ...); }
};

/// Puts the type's name into the compiler's "required from" line.
template <class T> constexpr bool check_source_of_moves() {
    constexpr bool apart = is_apart_from<T>(trace_prefix);
    static_assert(apart,
                  "tablemap[P6]: the row key of a type whose entities are moved begins with a literal that tells "
                  "its rows from the traces of moves; it does not begin as ~moved_ does");
    return apart;
}
template <class T> struct check_move_sources {
    static constexpr bool check() { return check_source_of_moves<T>(); }
};
template <class... Ts> struct check_move_sources<std::variant<Ts...>> {
    static constexpr bool check() { return (check_source_of_moves<Ts>() && ...); }
};

/// The rule of the class that reads entities at both places.
template <class From> constexpr bool check_source_of_find() {
    constexpr bool one_kind = !is_variant<From>;
    static_assert(one_kind,
                  "tablemap[P6]: moves reads one kind of entity, and the row key of a std::variant is that of "
                  "several; make a table of the kind, of the same name, and give that to moves");
    if constexpr (one_kind)
        return check_source_of_moves<From>();
    else
        return false;
}

template <class T, class... Effects> constexpr bool check_outbox() {
    static_assert(sizeof...(Effects) > 0,
                  "tablemap[P4]: an outbox names its effects: outbox<employee, archive_employee, index_employee>");
    if constexpr (check_outbox_table<T>::check() && (check_effect<Effects>() && ...)) {
        constexpr bool own_names = have_own_names_as_effects<Effects...>();
        static_assert(own_names, "tablemap[P4]: two effects of an outbox have one name, under which they are stored; "
                                 "give one of them a static constexpr std::string_view effect_name of its own");
        if constexpr ((is_move<Effects> || ...)) return own_names && check_move_sources<T>::check();
        return own_names && sizeof...(Effects) > 0;
    }
    return false;
}

}  // namespace tablemap::detail
