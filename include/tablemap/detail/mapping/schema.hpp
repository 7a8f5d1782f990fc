// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_check.hpp"
#include "tablemap/detail/keys/leading_text.hpp"
#include "tablemap/detail/mapping/columns.hpp"
#include "tablemap/detail/mapping/member_fault.hpp"
#include "tablemap/detail/mapping/name_fault.hpp"
#include "tablemap/detail/mapping/part_check.hpp"
#include "tablemap/mapping/wide.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

/// The rules of mappings, checked at compile time. A static_assert names the broken rule, and the compiler's
/// instantiation line beside it the member.
namespace tablemap::inline v0_1::detail {

template <class T> struct key_lists { using type = key_members<mapping<T>::partition_key, mapping<T>::row_key>; };

/// The key members of T, each once.
template <class T> using key_members_of = typename key_lists<T>::type;

// ---- one member -----------------------------------------------------------------------------------------------------

template <class S, bool Nested> constexpr bool check_members();

template <class F, storage How, bool Required, bool Renamed, key_use Key, bool Nested>
constexpr member_fault find_fault_with_its_place() {
    if constexpr (Key == key_use::alone)
        return How == storage::plain && !Required && !Renamed ? member_fault::none : member_fault::key_rule;
    else if constexpr (Nested && How == storage::plain && std::same_as<F, extras>)
        return member_fault::nested_extras;
    else
        return find_member_fault<F, How, Required>();
}

template <class F, storage How, key_use Key> constexpr bool can_have_blind_index() {
    return How == storage::plain && Key == key_use::none && is_encrypted<property_type<F>>;
}

/// Puts the member's name into the compiler's "required from" line.
template <class E, auto Where> constexpr bool check_enum_member() { return check_enumeration<E>(); }

template <class E, auto Where> constexpr bool check_series_elements() {
    if constexpr (plain_enum<opened_type<E>>)
        return check_enum_member<opened_type<E>, Where>();
    else
        return true;
}

/// True if a column of the struct is there whenever the struct is.
template <class S> constexpr bool has_mandatory_member() {
    return []<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
        return ([] {
            constexpr auto how = options_of<S>[I].how;
            if constexpr (how == storage::flattened)
                return !is_optional<F> && has_mandatory_member<property_type<F>>();
            else if constexpr (how == storage::numbered)
                return !is_optional<typename F::value_type>;
            else
                return how != storage::ignored && how != storage::prefixed && how != storage::series && !is_optional<F>;
        }() || ...);
    }(field_types<S>{}, std::make_index_sequence<field_count<S>>{});
}

template <class S, std::size_t I, class F, storage How, bool Required, key_use Key, bool Nested>
constexpr bool check_member() {
    constexpr bool renamed = options_of<S>[I].name != field_names<S>[I];
    constexpr auto fault = find_fault_with_its_place<F, How, Required, renamed, Key, Nested>();
    if constexpr (fault != member_fault::none) {
        return refuse_member<F, fault, address_of_field<S, I>()>();
    } else if constexpr (options_of<S>[I].blind_index && !can_have_blind_index<F, How, Key>()) {
        return refuse_member<F, member_fault::blind_index, address_of_field<S, I>()>();
    } else if constexpr (How == storage::flattened) {
        if constexpr (!check_members<property_type<F>, true>()) return false;
        if constexpr (is_optional<F>) {
            constexpr bool tells = has_mandatory_member<property_type<F>>();
            if constexpr (!tells) return refuse_member<F, member_fault::flat_optional, address_of_field<S, I>()>();
        }
        return true;
    } else if constexpr (How == storage::json) {
        return check_json<F, address_of_field<S, I>()>();
    } else if constexpr (How == storage::plain && Key != key_use::alone && plain_enum<opened_type<property_type<F>>>) {
        return check_enum_member<opened_type<property_type<F>>, address_of_field<S, I>()>();
    } else if constexpr (How == storage::series) {
        return check_series_elements<typename F::element_type, address_of_field<S, I>()>();
    } else {
        return true;
    }
}

template <auto Member, class S> constexpr bool check_rule_owner() {
    constexpr bool own = is_member_of<Member, S>;
    static_assert(own, "tablemap[M7]: members(...) of a mapping names members of the mapped struct itself");
    return own;
}

/// The `I`th computed property of a mapping, for the compiler's "required from" line: its name is no template argument.
template <class S, std::size_t I> struct computed_property {};

template <class S, class Function> constexpr bool is_good_computed() {
    if constexpr (std::is_invocable_v<Function const&, S const&>) {
        using V = std::remove_cvref_t<std::invoke_result_t<Function const&, S const&>>;
        return is_property_value<property_type<V>>();
    } else {
        return false;
    }
}

template <class S, class Function> constexpr bool is_encrypted_computed() {
    return is_encrypted<property_type<std::remove_cvref_t<std::invoke_result_t<Function const&, S const&>>>>;
}

template <class S, std::size_t I, class Rule> constexpr bool check_rule() {
    if constexpr (is_member_rule<Rule>) {
        return check_rule_owner<Rule::pointer, S>();
    } else {
        constexpr bool good = is_good_computed<S, decltype(Rule::function)>();
        if constexpr (!good) {
            return refuse_member<decltype(Rule::function), member_fault::computed_type, computed_property<S, I>{}>();
        } else if constexpr (is_encrypted_computed<S, decltype(Rule::function)>()) {
            return refuse_member<decltype(Rule::function), member_fault::computed_encrypted,
                                 computed_property<S, I>{}>();
        } else {
            return true;
        }
    }
}

/// The number of a rule's member; that of all members for a computed property.
template <class S, class Rule> constexpr std::size_t ruled_field() {
    if constexpr (is_member_rule<Rule>)
        return member_index<Rule::pointer, S>;
    else
        return field_count<S>;
}

/// The place of the first rule whose member has one already; the number of rules if there is none.
template <class S, class... Rule> constexpr std::size_t find_second_rule() {
    std::array<bool, field_count<S> + 1> ruled{};
    std::size_t at = 0;
    for (auto const field : std::array<std::size_t, sizeof...(Rule)>{ruled_field<S, Rule>()...}) {
        if (ruled[field] && field != field_count<S>) return at;
        ruled[field] = true;
        ++at;
    }
    return sizeof...(Rule);
}

template <auto Member> constexpr bool refuse_second_rule() {
    static_assert(
        Member == nullptr,
        "tablemap[M7]: members(...) has two rules for this member, of which one would be lost; make them one: "
        "member<&T::m>.named(\"...\").required()");
    return false;
}

template <class S> constexpr bool check_rules() {
    if constexpr (has_member_rules<S>) {
        if constexpr (!check_members_part<mapping<S>>()) return false;
        return []<class... Rule, std::size_t... I>(member_rules<Rule...> const&, std::index_sequence<I...>) {
            if constexpr ((check_rule<S, I, Rule>() && ...)) {
                constexpr auto second = find_second_rule<S, Rule...>();
                if constexpr (second == sizeof...(Rule))
                    return true;
                else
                    return refuse_second_rule<std::tuple_element_t<second, std::tuple<Rule...>>::pointer>();
            }
            return false;
        }(mapping<S>::members, std::make_index_sequence<std::tuple_size_v<decltype(mapping<S>::members.rules)>>{});
    } else {
        return true;
    }
}

/// A member of this type breaks no rule where its mapping says nothing of it.
template <class F>
inline constexpr bool is_ordinary_member = find_plain_fault<F>() == member_fault::none && !std::same_as<F, extras> &&
                                           !plain_enum<opened_type<property_type<F>>>;

template <class... F> constexpr bool are_ordinary_members(type_list<F...>) { return (is_ordinary_member<F> && ...); }

/// True if no rule about the members of S can be broken: nothing more is compiled then for its members.
template <class S> constexpr bool has_ordinary_members() {
    if constexpr (has_member_rules<S>)
        return false;
    else
        return are_ordinary_members(field_types<S>{});
}

template <class S, bool Nested> constexpr bool check_members() {
    static_assert(
        !Nested || !has_computed_columns<S>,
        "tablemap[M7]: computed(...) stands in the mapping of the struct that a table holds; move it there from the "
        "mapping of this nested struct");
    if constexpr (has_ordinary_members<S>()) {
        return true;
    } else if constexpr (!check_rules<S>()) {
        return false;
    } else {
        return []<class... F, std::size_t... I>(type_list<F...>, std::index_sequence<I...>) {
            constexpr auto uses = list_key_uses<S, Nested>();
            return (check_member<S, I, F, options_of<S>[I].how, options_of<S>[I].required, uses[I], Nested>() && ...);
        }(field_types<S>{}, std::make_index_sequence<field_count<S>>{});
    }
}

// ---- all columns together -------------------------------------------------------------------------------------------

template <class T> constexpr found_name_fault find_name_fault_of() {
    // Without rules and a discriminator the names are those of the members, unless an adapted class lists others.
    constexpr bool members_alone =
        has_plain_members<T>() && discriminator_of<T>().property.empty() && &declared_names_of<T> == &field_names<T>;
    if constexpr (members_alone)
        return find_name_fault(field_names<T>.data(), key_uses_of<T, false>.data(), field_count<T>);
    else
        return find_name_fault(column_table_of<T>);
}

template <class T> struct added_by_the_mapping_of {};

template <class T> constexpr bool check_columns() {
    constexpr auto const& count = column_counts_of<T>;
    static_assert(
        count.columns <= limits::properties,
        "tablemap[M12]: an entity has at most 252 properties beside its keys; split the struct, or store members "
        "with as_json(), or store it in several rows, with next_row_at<...> in its mapping and a wide_table; a series "
        "counts one for each element, so spread a long one over several entities");
    static_assert(slot_count<T> < most_slots && field_count<T> <= most_fields,
                  "tablemap[M12]: a mapped struct has at most 256 members, and 1,023 with those of nested structs");
    static_assert(count.extras <= 1,
                  "tablemap[M8]: one member of type extras keeps all unknown columns; remove the others");
    if constexpr (count.columns <= limits::properties) {
        constexpr auto found = find_name_fault_of<T>();
        if constexpr (found.fault == name_fault::none)
            return true;
        else if constexpr (found.field == no_field)
            return refuse_name<found.fault, added_by_the_mapping_of<T>{}>();
        else
            return refuse_name<found.fault, address_of_field<T, found.field>()>();
    }
    return false;
}

template <class T> constexpr bool check_discriminator() {
    static_assert(!has_discriminator<T> || !discriminator_of<T>().property.empty() ||
                      leading_text<mapping<T>::row_key>.starts_with(discriminator_of<T>().type),
                  "tablemap[K8]: a discriminator without a property stands at the beginning of the row key: "
                  "key(discriminator, \"_\", ...)");
    static_assert(
        !has_versions<T> || !discriminator_of<T>().property.empty(),
        "tablemap[M11]: a type with versions needs a discriminator property to hold them: static constexpr auto "
        "discriminator = tablemap::discriminator(\"EntityType\", \"employee\")");
    return true;
}

/// Refuses a member of a key that the list of an adapted class lacks: its values would be neither written nor read.
template <class T> constexpr bool check_key_members() {
    constexpr auto const& parts = key_parts_of<T>;
    constexpr bool listed = has_all_key_members(parts.data(), parts.size(), key_fields_of<T>.data());
    if constexpr (listed)
        return true;
    else
        return []<auto... Members>(member_list<Members...>) {
            return ((member_index<Members, T> < field_count<T>)&&...);
        }
    (key_members_of<T>{});
}

/// Checks every rule of T's mapping. A static_assert names the broken rule.
template <class T> constexpr bool check_mapping() {
    constexpr bool has_mapping = requires { sizeof(mapping<T>); };
    static_assert(
        mapped<T> || !has_mapping,
        "tablemap[M0]: the mapping of this struct lacks partition_key or row_key; what a table holds has both: "
        "static constexpr auto row_key = key(...)");
    static_assert(
        has_mapping,
        "tablemap[M0]: this struct has no mapping; specialise tablemap::mapping<T> with partition_key and row_key, "
        "at namespace scope of tablemap, before the struct is used");
    if constexpr (mapped<T>) {
        if constexpr (check_parts<mapping<T>>()) {
            if constexpr (check_reflectable<T>()) {
                if constexpr (check_keys<mapping<T>::partition_key, mapping<T>::row_key, T>())
                    if constexpr (check_key_members<T>() && check_members<T, false>()) {
                        // The columns of each row are checked where the rows are made: `check_wide`.
                        if constexpr (divided_mapping<mapping<T>>)
                            return check_discriminator<T>();
                        else
                            return check_discriminator<T>() && check_columns<T>();
                    }
            }
        }
    }
    return false;
}

}  // namespace tablemap::detail
