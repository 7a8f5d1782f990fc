// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <utility>

#if defined(TABLEMAP_STD_EXPECTED)
#include <expected>
#else
#include <tl/expected.hpp>
#endif

namespace tablemap::inline v0_1 {

// Chosen when tablemap is configured, not by what the including program's language level has: both must see one type.
#if defined(TABLEMAP_STD_EXPECTED)
/// A value or the error that took its place: `std::expected` where tablemap was built for it, else `tl::expected`.
template <class T> using result = std::expected<T, error>;
using failure = std::unexpected<error>;
#else
/// A value or the error that took its place: `std::expected` where tablemap was built for it, else `tl::expected`.
template <class T> using result = tl::expected<T, error>;
using failure = tl::unexpected<error>;
#endif

namespace detail {

template <class T> struct late { template <class V> using result = tablemap::result<V>; };

/// `result<V>`, for functions that a template over T defines. The return type of a definition must be complete, and one
/// that depends on T need not be before the template is used: what only includes the header does not compile it.
template <class T, class V> using late_result = typename late<T>::template result<V>;

}  // namespace detail

/// A failed result of any type: `return fail(library_errc::invalid_key, {.reason = "…"});`
failure fail(std::error_code code, error_details details = {});

/// The value of a result, or its error thrown. This is the one place where results become exceptions.
template <class T> T value_or_throw(result<T>&& r) {
    if (!r) throw std::move(r).error();
    if constexpr (!std::is_void_v<T>) return *std::move(r);
}
template <class T> T value_or_throw(result<T> const& r) {
    if (!r) throw r.error();
    if constexpr (!std::is_void_v<T>) return *r;
}

}  // namespace tablemap
