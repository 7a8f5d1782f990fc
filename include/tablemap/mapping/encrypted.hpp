// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

/// The type of a member whose property is stored encrypted: `encrypted<std::string> iban`. T is any type that is one
/// property: an Edm type, an integer, a declared enum, a time, a type with a converter. `std::optional<encrypted<T>>`
/// may be absent. The store has to be opened with keys: `open("…", {.keys = ring})`.
///
/// It is made from a T and compares like one, but never converts to one implicitly: code that reads the value says
/// `value()`, `*` or `->`, and nothing prints it. Filters and keys over it do not compile; see `blind_index()`.
///
/// \par Thread safety
/// Like a T.
template <class T> class encrypted {
public:
    using value_type = T;

    constexpr encrypted() = default;
    constexpr encrypted(T v) : value_(std::move(v)) {}
    constexpr encrypted(char const* text) requires std::same_as<T, std::string> : value_(text) {}

    constexpr T const& value() const& noexcept { return value_; }
    constexpr T& value() & noexcept { return value_; }
    constexpr T value() && { return std::move(value_); }
    constexpr T const& operator*() const& noexcept { return value_; }
    constexpr T& operator*() & noexcept { return value_; }
    constexpr T operator*() && { return std::move(value_); }
    constexpr T const* operator->() const noexcept { return &value_; }
    constexpr T* operator->() noexcept { return &value_; }

    friend constexpr bool operator==(encrypted const& a, encrypted const& b) requires std::equality_comparable<T> {
        return a.value_ == b.value_;
    }

private:
    T value_{};
};

namespace detail {

template <class V> inline constexpr bool is_encrypted = false;
template <class T> inline constexpr bool is_encrypted<encrypted<T>> = true;

template <class V> struct encrypted_inner { using type = V; };
template <class T> struct encrypted_inner<encrypted<T>> { using type = T; };
/// The T of an `encrypted<T>`; any other type itself.
template <class V> using opened_type = typename encrypted_inner<V>::type;

}  // namespace detail
}  // namespace tablemap
