// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <type_traits>
#include <utility>

/// Arguments of asynchronous calls, made safe against a fault of g++ 12.
namespace tablemap::inline v0_1 {

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
/// g++ 12 destroys an aggregate twice that is a temporary in a `co_await` expression: once where it was made, and once
/// where it copied its bytes to. A function object with captures is such an aggregate.
inline constexpr bool aggregate_temporaries_are_safe = false;
#else
inline constexpr bool aggregate_temporaries_are_safe = true;
#endif

namespace detail {

/// A `T` that recognises such a copy by its address: the copy owns nothing, can be read and copied, and is not
/// destroyed.
template <class T> class address_checked : public T {
public:
    using T::T;

    address_checked() = default;
    address_checked(T v) : T(std::move(v)) {}
    address_checked(address_checked const& o) : T(static_cast<T const&>(o)) {}
    address_checked(address_checked&& o) noexcept(is_made_without_throw)
        : T(o.self_ == &o ? T(static_cast<T&&>(o)) : T(static_cast<T const&>(o))) {}
    address_checked& operator=(address_checked const& o) {
        if (this != &o) T::operator=(static_cast<T const&>(o));
        return *this;
    }
    address_checked& operator=(address_checked&& o) noexcept(is_assigned_without_throw) {
        if (o.self_ == &o)
            T::operator=(static_cast<T&&>(o));
        else
            T::operator=(static_cast<T const&>(o));
        return *this;
    }
    ~address_checked() {
        if (self_ != this) ::new (static_cast<void*>(static_cast<T*>(this))) T{};
    }

private:
    static constexpr bool is_made_without_throw =
        std::is_nothrow_move_constructible_v<T> && std::is_nothrow_copy_constructible_v<T>;
    static constexpr bool is_assigned_without_throw =
        std::is_nothrow_move_assignable_v<T> && std::is_nothrow_copy_assignable_v<T>;

    address_checked const* self_ = this;
};

/// A member of an aggregate that is given to asynchronous calls. It is the same with every compiler, since a program of
/// one may use a library of another.
template <class T> using argument_member = address_checked<T>;

}  // namespace detail
}  // namespace tablemap
