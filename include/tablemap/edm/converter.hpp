// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/edm/types.hpp"

#include <chrono>
#include <concepts>
#include <exception>
#include <new>
#include <ratio>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The stored form of a user's type as one property. Specialise it, at namespace scope of `tablemap`:
///
///     template <> struct tablemap::converter<money> {
///         using stored = std::int64_t;
///         static stored to_property(money const& m) { return m.cents(); }
///         static tablemap::result<money> from_property(stored const& cents);
///     };
///
/// `stored` is std::string, bool, std::int32_t, std::int64_t, double, tablemap::ticks, tablemap::guid or
/// tablemap::bytes. Both functions are static and return their value, or a `result` of it where a value can be refused;
/// an error's reason names neither the value nor the member, which the mapping adds. An exception that they throw
/// becomes such an error too: `value_out_of_range`, or the code of a `tablemap::error`. `from_property` must read back
/// what `to_property` makes. Both may run on several threads at once. The specialisation must stand before any use of a
/// struct that holds the type. Filters compare the stored values: text only for equality, since text rarely sorts as
/// values do, and others with `<` and the like, too. `static constexpr bool keeps_order = true` (or `false`) changes
/// this. Inside `std::optional`, inside `as_json()` members and in keys the same converter applies; there is no form of
/// tablemap::bytes in a key.
template <class T> struct converter;

/// A type that `converter` is specialised for.
template <class T>
concept has_converter = requires {
    sizeof(converter<T>);
};

namespace detail {

template <has_converter T> using stored_of = typename converter<T>::stored;

template <class T> inline constexpr bool is_duration = false;
template <class R, class P> inline constexpr bool is_duration<std::chrono::duration<R, P>> = true;

enum class converter_fault {
    none,
    missing,
    needless,
    real_duration,
    fine_duration,
    no_stored_type,
    stored_type,
    to_property,
    from_property,
};

template <class R, class V>
concept value_or_result = std::same_as<std::remove_cvref_t<R>, V> || std::same_as<std::remove_cvref_t<R>, result<V>>;

template <class T>
concept has_to_property = requires(T const& v) {
    { converter<T>::to_property(v) } -> value_or_result<typename converter<T>::stored>;
};

template <class T>
concept has_from_property = requires(typename converter<T>::stored const& v) {
    { converter<T>::from_property(v) } -> value_or_result<T>;
};

template <class T> constexpr converter_fault find_duration_fault() {
    if constexpr (!std::integral<typename T::rep>)
        return converter_fault::real_duration;
    else if constexpr (!is_whole_ticks<T>)
        return converter_fault::fine_duration;
    else
        return converter_fault::missing;
}

template <class T> constexpr converter_fault find_converter_fault() {
    if constexpr (!has_converter<T>) {
        if constexpr (is_duration<T>)
            return find_duration_fault<T>();
        else
            return converter_fault::missing;
    } else if constexpr (edm_value<T>) {
        return converter_fault::needless;
    } else if constexpr (!requires { typename converter<T>::stored; }) {
        return converter_fault::no_stored_type;
    } else if constexpr (!edm_value<typename converter<T>::stored>) {
        return converter_fault::stored_type;
    } else if constexpr (!has_to_property<T>) {
        return converter_fault::to_property;
    } else if constexpr (!has_from_property<T>) {
        return converter_fault::from_property;
    } else {
        return converter_fault::none;
    }
}

/// The reason why `T` cannot be stored through a converter; `missing` if it has none and is no duration of a refused
/// kind.
template <class T> inline constexpr converter_fault converter_fault_of = find_converter_fault<T>();

/// Refuses a converter that cannot work. `Where` is the address of the member that needs it: the compiler prints it.
template <class T, auto Where> constexpr bool check_converter() {
    constexpr auto fault = converter_fault_of<T>;
    static_assert(fault != converter_fault::missing,
                  "tablemap[M5]: this type has no converter; specialise tablemap::converter<T>, or for the types that "
                  "tablemap ships one for, include its header from tablemap/mapping/converters");
    static_assert(fault != converter_fault::needless,
                  "tablemap[M5]: this type is a property type of its own; convert a type of yours that wraps it");
    static_assert(fault != converter_fault::real_duration,
                  "tablemap[M5]: a duration that counts in floating point would not read back; use one that counts in "
                  "integers, such as std::chrono::milliseconds");
    static_assert(fault != converter_fault::fine_duration,
                  "tablemap[M5]: durations are stored in units of 100 ns, which this period is no multiple of; use "
                  "tablemap::tick_duration or std::chrono::microseconds");
    static_assert(fault != converter_fault::no_stored_type,
                  "tablemap[M5]: a converter names the type it stores; add `using stored = ...;` to it");
    static_assert(
        fault != converter_fault::stored_type,
        "tablemap[M5]: a converter's `stored` is one of std::string, bool, std::int32_t, std::int64_t, double, "
        "tablemap::ticks, tablemap::guid and tablemap::bytes");
    static_assert(fault != converter_fault::to_property,
                  "tablemap[M5]: a converter needs `static stored to_property(T const&)`, or one that returns "
                  "tablemap::result<stored>; the type it returns must be exactly that");
    static_assert(fault != converter_fault::from_property,
                  "tablemap[M5]: a converter needs `static T from_property(stored const&)`, or one that returns "
                  "tablemap::result<T>; the type it returns must be exactly that");
    return fault == converter_fault::none;
}

/// True if stored values sort as the converted ones do.
template <has_converter T> constexpr bool converter_keeps_order() {
    if constexpr (requires { converter<T>::keeps_order; })
        return converter<T>::keeps_order;
    else
        return !std::same_as<stored_of<T>, std::string>;
}

/// An exception of a converter is a fault of the value, so that one row does not prevent the reading of others.
error converter_error(std::exception_ptr thrown);

template <class R, class Convert> result<R> guarded_conversion(Convert convert) {
    try {
        return convert();
    } catch (std::bad_alloc const&) {
        throw;
    } catch (...) {
        return failure{converter_error(std::current_exception())};
    }
}

/// The property value of `v`.
///
/// \return the value, or the converter's error
template <has_converter T> result<stored_of<T>> convert_to(T const& v) {
    using to = converter<T>;
    if constexpr (noexcept(to::to_property(v)))
        return to::to_property(v);
    else
        return guarded_conversion<stored_of<T>>([&]() -> result<stored_of<T>> { return to::to_property(v); });
}

/// The value that a property holds.
///
/// \return the value, or the converter's error
template <has_converter T> result<T> convert_from(stored_of<T> const& v) {
    using from = converter<T>;
    if constexpr (noexcept(from::from_property(v)))
        return from::from_property(v);
    else
        return guarded_conversion<T>([&]() -> result<T> { return from::from_property(v); });
}

}  // namespace detail

}  // namespace tablemap
