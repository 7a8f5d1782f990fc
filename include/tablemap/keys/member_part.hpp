// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_conversion.hpp"
#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/detail/reflect/name.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The forms of a member in a key. `key.hpp` describes the text of each.
namespace tablemap::inline v0_1 {

/// The member types that a key can hold. A double needs `.ordered()` or `.descending()`. A type with a `converter` has
/// the forms of what that stores, which is not tablemap::bytes.
template <class V>
concept key_value = detail::plain_key_value<V> || detail::converted_key_value<V>;

namespace detail {

template <class V> constexpr bool is_named_enum() {
    if constexpr (declared_enum<V>)
        return is_stored_by_name<V>;
    else
        return false;
}

template <class V> inline constexpr bool is_numbered_enum = declared_enum<V> && !is_named_enum<V>();

/// The type whose form a part has: of a std::optional its value type, since the key of an index leaves out entities
/// without a value.
template <class V> struct part_type { using type = V; };
template <class V> struct part_type<std::optional<V>> { using type = V; };
template <class V> using part_type_of = typename part_type<V>::type;

/// The layout of a part of this type, for all members of the type.
template <class V> constexpr part_layout layout_of_member(part_options const& o, std::string_view name) {
    auto p = lay_out(plain_layout<key_form_of<V>>(), o);
    p.name = name;
    if constexpr (key_value<V>) p.ops = &part_ops_of<V>;
    if constexpr (converted_key_value<V>) p.unsorted = !converter_keeps_order<V>();
    return p;
}

}  // namespace detail

template <auto Member> class hashed_part;

/// A member's place in a key. Made by `part<&T::member>`. Each modifier returns a changed copy.
template <auto Member> class member_part {
public:
    using owner = detail::member_owner<Member>;
    using value_type = detail::member_type<Member>;
    using part_type = detail::part_type_of<value_type>;
    using form_type = detail::key_form_of<part_type>;
    static constexpr auto member = Member;
    static constexpr bool is_key_part = true;

    /// Exactly `digits` decimal digits, zeros in front. Values that are negative or need more digits are refused when a
    /// key is made (`library_errc::key_part_does_not_fit`).
    constexpr member_part width(std::size_t digits) const {
        static_assert(detail::key_integer<form_type> || detail::is_numbered_enum<form_type>,
                      "tablemap[K2]: width(n) pads numbers; this member is no integer and no enum declared by_number");
        auto p = *this;
        p.options_.width = digits;
        return p;
    }

    /// The values from `low` to `high`, none of them negative, in as many digits as `high` has. Others are refused when
    /// a key is made (`library_errc::key_part_does_not_fit`) and when one is read (`library_errc::unreadable_key`).
    template <std::integral Low, std::integral High> constexpr member_part range(Low low, High high) const {
        static_assert(detail::key_integer<form_type>,
                      "tablemap[K2]: range(low, high) declares the values of a number; this member is no integer");
        auto p = *this;
        auto& o = p.options_;
        o.has_range = true;
        o.low = static_cast<std::uint64_t>(low);
        o.high = static_cast<std::uint64_t>(high);
        if constexpr (detail::key_integer<form_type>)
            if (!std::in_range<form_type>(low) || !std::in_range<form_type>(high))
                o.fault = detail::part_fault::range_beyond_type;
        if (std::cmp_less(low, 0) || std::cmp_less(high, 0)) o.fault = detail::part_fault::range_of_negatives;
        return p;
    }

    /// A form whose order in keys is the order of values, for every value of the type.
    constexpr member_part ordered() const {
        refuse_names<form_type>();
        return with(&detail::part_options::ordered);
    }

    /// A form whose order in keys is the reverse of the order of values.
    constexpr member_part descending() const {
        refuse_names<form_type>();
        return with(&detail::part_options::descending);
    }

    /// Text of any characters, in order; any part may follow it.
    constexpr member_part escaped() const {
        static_assert(std::same_as<form_type, std::string>,
                      "tablemap[K5]: escaped() is for text; use ordered() for numbers, times and guids");
        return with(&detail::part_options::escaped);
    }

    /// A hash of the value: short, and of no use for ranges. It cannot be read back, so the member must be
    /// `.also_stored()` or stand in the keys in another form too.
    constexpr hashed_part<Member> hashed() const { return hashed_part<Member>{*this}; }

    /// Stores the member as a property too.
    constexpr member_part also_stored() const { return with(&detail::part_options::also_stored); }

    /// Permits a key that is empty because its text is. Without this an empty key is refused: most likely its member
    /// was forgotten.
    constexpr member_part may_be_empty() const {
        static_assert(std::same_as<form_type, std::string>,
                      "tablemap[K9]: only text makes a key empty; leave out may_be_empty()");
        return with(&detail::part_options::may_be_empty);
    }

    /// Replaces a nil guid by a random one when the value is inserted.
    constexpr member_part generated() const {
        static_assert(std::same_as<value_type, guid>,
                      "tablemap[K3]: only a guid can be generated; add a tablemap::guid member as the unique suffix");
        return with(&detail::part_options::generated);
    }

    constexpr detail::part_layout layout() const {
        return detail::layout_of_member<part_type>(options_, detail::member_name<Member>);
    }

private:
    template <class V> static constexpr void refuse_names() {
        static_assert(!detail::is_named_enum<V>(),
                      "tablemap[K2]: an enum stored by name sorts by its names, not by its values; declare it "
                      "by_number, or leave this part without order");
    }

    constexpr member_part with(bool detail::part_options::*option) const {
        auto p = *this;
        p.options_.*option = true;
        return p;
    }

    detail::part_options options_{};
};

/// The hash of a member in a key. Made by `part<&T::member>.hashed()`.
template <auto Member> class hashed_part {
public:
    static constexpr bool is_key_part = true;

    constexpr explicit hashed_part(member_part<Member> p) : source_(p) {}

    constexpr hashed_part also_stored() const { return hashed_part{source_.also_stored()}; }

    template <class... None> constexpr hashed_part descending() const {
        static_assert(sizeof...(None) != 0, "tablemap[K2]: hashes have no order; leave out descending() or hashed()");
        return *this;
    }

    constexpr member_part<Member> const& source() const noexcept { return source_; }

    constexpr detail::part_layout layout() const {
        auto p = source_.layout();
        p.form = detail::part_form::hashed;
        p.fault = detail::part_fault::none;
        p.width = detail::hash_key_length;
        return p;
    }

private:
    member_part<Member> source_;
};

/// A member's hash bucket in a key. Made by `spread<N>(part<&T::member>)`.
template <std::size_t Buckets, auto Member> class spread_part {
public:
    static constexpr bool is_key_part = true;

    constexpr explicit spread_part(member_part<Member> p) : source_(p) {}

    constexpr member_part<Member> const& source() const noexcept { return source_; }

    constexpr detail::part_layout layout() const {
        auto p = source_.layout();
        p.form = detail::part_form::bucket;
        p.fault = detail::part_fault::none;
        p.buckets = Buckets;
        p.width = detail::count_digits(Buckets - 1);
        return p;
    }

private:
    member_part<Member> source_;
};

/// The period in which a member's time lies, in a key. Made by `expiry_in`. It cannot be read back.
template <auto Member> class period_part {
public:
    static constexpr bool is_key_part = true;

    /// \pre the member is a time, or a std::optional of one
    constexpr period_part(member_part<Member> p, std::uint64_t ticks_of_period)
        : source_(p), period_(ticks_of_period) {}

    constexpr member_part<Member> const& source() const noexcept { return source_; }

    constexpr detail::part_layout layout() const {
        auto p = source_.layout();
        p.form = detail::part_form::period;
        p.descending = false;
        p.period = period_;
        return p;
    }

private:
    member_part<Member> source_;
    std::uint64_t period_;
};

}  // namespace tablemap
