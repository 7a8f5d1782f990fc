// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/edm/converter.hpp"

#include <concepts>
#include <string>
#include <utility>

/// The member types that keys can hold, and parts of types with a converter.
namespace tablemap::inline v0_1::detail {

/// A type that has a form of its own in keys. An enum with a converter is written as the converter says.
template <class V>
concept plain_key_value = std::same_as<V, std::string> || std::same_as<V, bool> || std::same_as<V, double> ||
    std::same_as<V, guid> || key_integer<V> || is_key_time<V>() ||(declared_enum<V> && !has_converter<V>);

template <class V> constexpr bool is_converted_for_keys() {
    if constexpr (converter_fault_of<V> == converter_fault::none)
        return plain_key_value<stored_of<V>>;
    else
        return false;
}

/// A type that a key holds in the form that its converter stores.
template <class V>
concept converted_key_value = !plain_key_value<V> && has_converter<V> && is_converted_for_keys<V>();

/// The type whose form a value has in keys.
template <class V> struct key_form { using type = V; };
template <converted_key_value V> struct key_form<V> { using type = stored_of<V>; };
template <class V> using key_form_of = typename key_form<V>::type;

template <converted_key_value V> result<void> convert_part(V const& v, parsed_part& to) {
    auto stored = convert_to(v);
    if (!stored) return failure{std::move(stored).error()};
    if constexpr (std::same_as<stored_of<V>, std::string>) {
        to.decoded = *std::move(stored);
        to.text = to.decoded;
        to.is_decoded = true;
    } else {
        static_cast<part_value&>(to) = part_value_of(*stored);
    }
    return {};
}

/// Refuses a stored value that the converter reads but writes in another way: an entity that was read would be written
/// under another key.
template <converted_key_value V> result<void> assign_converted_part(V& to, parsed_part& from) {
    // The assignment of the type may throw like its converter.
    return guarded_conversion<void>([&]() -> result<void> {
        stored_of<V> stored{};
        assign_part(stored, from);
        result<V> v = converter<V>::from_property(stored);
        if (!v) return failure{std::move(v).error()};
        result<stored_of<V>> const again = converter<V>::to_property(*v);
        if (!again) return failure{again.error()};
        if (*again != stored)
            return fail(library_errc::unreadable_key,
                        {.reason = "the converter of the member's type writes this value in another way"});
        to = *std::move(v);
        return {};
    });
}

template <converted_key_value V>
inline constexpr part_ops part_ops_of<V>{
    nullptr, nullptr,
    [](void const* member, parsed_part& to) { return convert_part(*static_cast<V const*>(member), to); },
    [](void* member, parsed_part& from) { return assign_converted_part(*static_cast<V*>(member), from); }};

}  // namespace tablemap::detail
