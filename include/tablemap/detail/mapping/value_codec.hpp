// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/property.hpp"
#include "tablemap/detail/wire/token.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ratio>
#include <string>
#include <utility>

/// One value of each C++ type to and from one property, in functions that do not depend on the struct that holds it:
/// all members of a type share them, which keeps the compile time of many structs low.
namespace tablemap::inline v0_1::detail {

/// The reason why a value cannot be written or read.
struct value_fault {
    library_errc code{};
    std::string reason{};  ///< empty: the code is enough, or the caller adds one
};

/// The encryption of a value on its way to the store.
enum class sealing : std::uint8_t {
    none,
    sealed,  ///< it is encrypted
    hashed,  ///< a keyed hash takes its place: a blind index
};

/// The operations on a value of one C++ type, through a pointer to it. `write` appends it as JSON, or if it is
/// encrypted its plain bytes.
struct value_ops {
    edm_type type{};
    bool (*write)(std::string& out, void const* from, value_fault& fault) = nullptr;
    bool (*read)(void* to, json_token const& from, value_fault& fault) = nullptr;  ///< null: written only
    bool (*is_empty)(void const* from) = nullptr;                                  ///< null: never
    sealing how = sealing::none;  ///< the encryption of the value that `write` wrote
    bool exact = false;           ///< what `read` makes of that is the same value, of every value
};

// These append a value after checking it. They return its fault, or `nothing_wrong` if it was appended. A plain enum,
// because an empty std::error_code asks the library for its category each time.
inline constexpr library_errc nothing_wrong{};
library_errc append_checked(std::string& out, std::string const& v);
library_errc append_checked(std::string& out, ticks v);
library_errc append_checked(std::string& out, bytes const& v);
template <class V> library_errc append_checked(std::string& out, V const& v) {
    append_value(out, v);
    return nothing_wrong;
}

/// The same for the bytes that are encrypted; `property_cipher.hpp` has their format.
template <edm_value V> library_errc append_plain(std::string& out, V const& v);

/// The form in which a value is appended.
enum class value_form : bool { json, plain };

template <value_form Form, class V> library_errc append_as(std::string& out, V const& v) {
    if constexpr (Form == value_form::json)
        return append_checked(out, v);
    else
        return append_plain(out, v);
}
library_errc append_as(value_form form, std::string& out, property_value const& v);

bool write_enum_name(std::string& out, std::string_view name, value_form form, value_fault& fault);
bool read_enum_name(json_token const& from, enum_entry const* entries, std::size_t count, std::int64_t& number,
                    value_fault& fault);
bool refuse_number(value_fault& fault);
bool refuse_unsigned(value_fault& fault);
bool refuse_time(value_fault& fault);
bool refuse_enum_number(value_fault& fault);
bool refuse_with(value_fault& fault, error const& e);

/// The Edm type in which V is stored, as the C++ type that holds exactly that.
template <class V> constexpr auto stored_type_of() {
    if constexpr (edm_value<V>) {
        return std::type_identity<V>{};
    } else if constexpr (plain_enum<V>) {
        using number = std::underlying_type_t<V>;
        constexpr bool small = sizeof(number) < 4 || (sizeof(number) == 4 && std::is_signed_v<number>);
        if constexpr (is_stored_by_name<V>)
            return std::type_identity<std::string>{};
        else
            return std::type_identity<std::conditional_t<small, std::int32_t, std::int64_t>>{};
    } else if constexpr (std::integral<V>) {
        constexpr bool small = sizeof(V) < 4 || (sizeof(V) == 4 && std::is_signed_v<V>);
        return std::type_identity<std::conditional_t<small, std::int32_t, std::int64_t>>{};
    } else if constexpr (is_storable_time<V>()) {
        return std::type_identity<ticks>{};
    } else {
        return std::type_identity<stored_of<V>>{};
    }
}
template <class V> using stored_form = typename decltype(stored_type_of<V>())::type;

/// The unit of a time point, counted in 64 bits.
template <class V> using wide_unit = std::chrono::duration<std::int64_t, typename V::period>;

/// Makes the stored form of a value. False with the fault if it has none.
template <class V, class S> bool to_stored(V const& v, S& to, value_fault& fault) {
    if constexpr (plain_enum<V>) {
        if (!is_known_value(v)) return refuse_enum_number(fault);
        to = static_cast<S>(number_of(v));
    } else if constexpr (std::integral<V>) {
        if constexpr (std::is_unsigned_v<V> && sizeof(V) == 8)
            if (v > static_cast<V>(std::numeric_limits<S>::max())) return refuse_unsigned(fault);
        to = static_cast<S>(v);
    } else if constexpr (is_storable_time<V>()) {
        // Compared in the member's own unit: a coarse one reaches beyond 64 bits of ticks, and a narrow or unsigned one
        // not as far as the limits.
        constexpr auto first = std::chrono::ceil<wide_unit<V>>(ticks::min().time()).time_since_epoch().count();
        constexpr auto last = std::chrono::floor<wide_unit<V>>(ticks::max().time()).time_since_epoch().count();
        auto const count = v.time_since_epoch().count();
        if (std::cmp_less(count, first) || std::cmp_greater(count, last)) return refuse_time(fault);
        to = ticks{std::chrono::sys_time<wide_unit<V>>{wide_unit<V>{count}}};
    } else {
        auto r = convert_to(v);
        if (!r) return refuse_with(fault, r.error());
        to = std::move(*r);
    }
    return true;
}

/// An exception of the assignment is a fault of the value, like one of its converter.
template <class V> bool assign_converted(V&& v, V& to, value_fault& fault) {
    if constexpr (std::is_nothrow_move_assignable_v<V>) {
        to = std::forward<V>(v);
    } else {
        auto r = guarded_conversion<bool>([&] {
            to = std::forward<V>(v);
            return true;
        });
        if (!r) return refuse_with(fault, r.error());
    }
    return true;
}

/// Makes a value from its stored form. False with the fault if that is invalid.
template <class V, class S> bool from_stored(S const& from, V& to, value_fault& fault) {
    if constexpr (plain_enum<V>) {
        auto const v = enum_of_number<V>(from);
        if (!v) return refuse_enum_number(fault);
        to = *v;
    } else if constexpr (std::integral<V>) {
        if (!std::in_range<V>(from)) return refuse_number(fault);
        to = static_cast<V>(from);
    } else if constexpr (is_storable_time<V>()) {
        auto const t = std::chrono::floor<wide_unit<V>>(from.time());
        auto const count = t.time_since_epoch().count();
        if (t != from.time() || !std::in_range<typename V::rep>(count)) return refuse_time(fault);
        to = V{typename V::duration{static_cast<typename V::rep>(count)}};
    } else {
        auto r = convert_from<V>(from);
        if (!r) return refuse_with(fault, r.error());
        return assign_converted(*std::move(r), to, fault);
    }
    return true;
}

template <class V, value_form Form = value_form::json>
bool write_value(std::string& out, void const* from, value_fault& fault) {
    auto const& v = *static_cast<V const*>(from);
    if constexpr (is_encrypted<V>) {
        return write_value<opened_type<V>, value_form::plain>(out, &v.value(), fault);
    } else if constexpr (edm_value<V>) {
        fault.code = append_as<Form>(out, v);
    } else if constexpr (std::same_as<stored_form<V>, std::string> && plain_enum<V>) {
        return write_enum_name(out, enum_name(v), Form, fault);
    } else {
        stored_form<V> stored{};
        if (!to_stored(v, stored, fault)) return false;
        fault.code = append_as<Form>(out, stored);
    }
    return fault.code == nothing_wrong;
}

/// A single value in its stored form, checked as when it is written. Errors: as `encode`, without a member.
result<property_value> check_property_value(property_value v);
result<property_value> check_text_value(std::string_view text);
error value_error(value_fault const& fault);
result<property_value> refused_value(value_fault const& fault);

template <class V> late_result<V, property_value> to_property_value(V const& v) {
    if constexpr (edm_value<V>) {
        return check_property_value(property_value{std::in_place_type<V>, v});
    } else {
        stored_form<V> stored{};
        value_fault fault;
        if constexpr (std::same_as<stored_form<V>, std::string> && plain_enum<V>) {
            stored = enum_name(v);
            if (stored.empty()) refuse_enum_number(fault);
        } else {
            static_cast<void>(to_stored(v, stored, fault));
        }
        if (fault.code != nothing_wrong) return refused_value(fault);
        return check_property_value(property_value{std::in_place_type<stored_form<V>>, std::move(stored)});
    }
}

template <class V> bool read_value(void* to, json_token const& from, value_fault& fault) {
    auto& v = *static_cast<V*>(to);
    if constexpr (is_encrypted<V>) {
        return read_value<opened_type<V>>(&v.value(), from, fault);
    } else if constexpr (edm_value<V>) {
        if (assign(v, from)) [[likely]]
            return true;
        fault.code = library_errc::type_mismatch;
        return false;
    } else if constexpr (std::same_as<stored_form<V>, std::string> && plain_enum<V>) {
        std::int64_t number{};
        if (!read_enum_name(from, enum_entries<V>.data(), enum_entries<V>.size(), number, fault)) return false;
        v = static_cast<V>(static_cast<std::underlying_type_t<V>>(number));
        return true;
    } else {
        stored_form<V> stored{};
        fault.code = library_errc::type_mismatch;
        return assign(stored, from) && from_stored(stored, v, fault);
    }
}

/// The functions of `value_ops` for a property type and for an optional one.
template <class V> struct value_functions {
    static bool write(std::string& out, void const* from, value_fault& fault);
    static bool read(void* to, json_token const& from, value_fault& fault);
    static bool write_optional(std::string& out, void const* from, value_fault& fault);
    static bool read_optional(void* to, json_token const& from, value_fault& fault);
    static bool is_empty_optional(void const* from);
};

// Defined outside of the class: as inline functions they would be compiled in each program all the same.
template <class V> bool value_functions<V>::write(std::string& out, void const* from, value_fault& fault) {
    return write_value<V>(out, from, fault);
}
template <class V> bool value_functions<V>::read(void* to, json_token const& from, value_fault& fault) {
    return read_value<V>(to, from, fault);
}
template <class V> bool value_functions<V>::write_optional(std::string& out, void const* from, value_fault& fault) {
    return write_value<V>(out, &**static_cast<std::optional<V> const*>(from), fault);
}
template <class V> bool value_functions<V>::read_optional(void* to, json_token const& from, value_fault& fault) {
    return read_value<V>(&static_cast<std::optional<V>*>(to)->emplace(), from, fault);
}
template <class V> bool value_functions<V>::is_empty_optional(void const* from) {
    return !static_cast<std::optional<V> const*>(from)->has_value();
}

// Those of the property types are compiled in the library, and not in every program.
extern template struct value_functions<std::string>;
extern template struct value_functions<bool>;
extern template struct value_functions<std::int32_t>;
extern template struct value_functions<std::int64_t>;
extern template struct value_functions<double>;
extern template struct value_functions<ticks>;
extern template struct value_functions<guid>;
extern template struct value_functions<bytes>;

/// True if a value of type P reads back as it was. What a converter does to it nobody knows.
template <class P> constexpr bool is_stored_exactly() {
    if constexpr (edm_value<P> || plain_enum<P> || std::integral<P>)
        return true;
    else if constexpr (is_storable_time<P>())
        return std::ratio_divide<typename P::period, tick_duration::period>::den == 1;
    else
        return false;
}

template <class V> constexpr value_ops make_value_ops() {
    using P = property_type<V>;
    constexpr auto type = edm_type_of<stored_form<opened_type<P>>>();
    constexpr auto how = is_encrypted<P> ? sealing::sealed : sealing::none;
    constexpr bool exact = is_stored_exactly<opened_type<P>>();
    using functions = value_functions<P>;
    if constexpr (is_optional<V>)
        return {type, &functions::write_optional, &functions::read_optional, &functions::is_empty_optional, how, exact};
    else
        return {type, &functions::write, &functions::read, nullptr, how, exact};
}

/// The operations of a property type or an optional one.
template <class V> inline constexpr value_ops value_ops_of = make_value_ops<V>();

/// The operations of the blind index of an encrypted type.
template <class V>
inline constexpr value_ops blind_ops_of{value_ops_of<V>.type,     value_ops_of<V>.write, nullptr,
                                        value_ops_of<V>.is_empty, sealing::hashed,       value_ops_of<V>.exact};

// ---- JSON columns ---------------------------------------------------------------------------------------------------

template <class V> bool write_json_column(std::string& out, void const* from, value_fault& fault) {
    std::string text;
    if (auto r = append_json(text, *static_cast<V const*>(from)); !r) return refuse_with(fault, r.error());
    fault.code = append_checked(out, text);
    return fault.code == nothing_wrong;
}
template <class V> bool read_json_column(void* to, json_token const& from, value_fault& fault) {
    std::string text;
    fault.code = library_errc::type_mismatch;
    if (!assign(text, from)) return false;
    auto const r = read_json(std::string_view{text}, *static_cast<V*>(to));
    return r || refuse_with(fault, r.error());
}
template <class V>
inline constexpr value_ops json_ops_of{edm_type::string, &write_json_column<V>, &read_json_column<V>, nullptr};
template <class V>
inline constexpr value_ops json_ops_of<std::optional<V>>{
    edm_type::string,
    [](std::string& out, void const* from, value_fault& fault) {
        return write_json_column<V>(out, &**static_cast<std::optional<V> const*>(from), fault);
    },
    [](void* to, json_token const& from, value_fault& fault) {
        return read_json_column<V>(&static_cast<std::optional<V>*>(to)->emplace(), from, fault);
    },
    &value_functions<V>::is_empty_optional};

}  // namespace tablemap::detail
