// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

/// Several types in one table: `table<std::variant<employee, department>>` reads every row as the type that its
/// discriminator names.
namespace tablemap::inline v0_1 {

/// The object in a variant as its base class, for kinds of one hierarchy: `as_base<person>(found->value).describe()`.
template <class Base, class... Kinds>
requires(std::is_base_of_v<Base, Kinds>&&...) Base& as_base(std::variant<Kinds...>& kind) {
    return std::visit([](Base& b) -> Base& { return b; }, kind);
}
template <class Base, class... Kinds>
requires(std::is_base_of_v<Base, Kinds>&&...) Base const& as_base(std::variant<Kinds...> const& kind) {
    return std::visit([](Base const& b) -> Base const& { return b; }, kind);
}

template <class Base, class... Kinds> Base const& as_base(std::variant<Kinds...> const&& kind) = delete;

/// The key of one of several types: `key_of<employee>{"Sales", 212}`.
template <class... Ts> class key_of<std::variant<Ts...>> {
public:
    template <class T>
    requires(std::same_as<T, Ts> || ...) key_of(key_of<T> key) : key_(std::move(key)) {}

    std::variant<key_of<Ts>...> const& value() const& noexcept { return key_; }
    std::variant<key_of<Ts>...> value() const&& { return key_; }

    friend bool operator==(key_of const&, key_of const&) = default;

private:
    std::variant<key_of<Ts>...> key_;
};

namespace detail {

template <class... Ts> struct row_types<std::variant<Ts...>> {
    static constexpr std::array<row_type const*, sizeof...(Ts)> list{&row_type_of<Ts>...};

    static void* emplace(void* holder, std::size_t alternative) {
        auto& v = *static_cast<std::variant<Ts...>*>(holder);
        void* made = nullptr;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (..., static_cast<void>(alternative == I && (made = &v.template emplace<I>())));
        }
        (std::index_sequence_for<Ts...>{});
        return made;
    }
};

// ---- rules ----------------------------------------------------------------------------------------------------------

enum class variant_fault { none, mixed, properties, same, no_prefix, prefix, index, index_tag };

/// The text behind a type in the discriminator property of rows of its indexes.
inline constexpr std::string_view index_tag_suffix{"_index"};

constexpr bool are_confusable(discriminator_t const& a, discriminator_t const& b) {
    return a.type == b.type || (a.type.starts_with(b.type) && a.type.substr(b.type.size()).starts_with("_v"));
}

/// True if the discriminator of type A is one that rows of B's indexes have.
template <class A, class B> constexpr bool is_tag_of_index() {
    constexpr auto a = discriminator_of<A>(), b = discriminator_of<B>();
    if (count_indexes<B>() + count_elsewhere<B>() == 0 || b.property.empty() || !a.type.starts_with(b.type))
        return false;
    auto const rest = a.type.substr(b.type.size());
    return rest == index_tag_suffix ||
           (rest.starts_with(index_tag_suffix) && rest.substr(index_tag_suffix.size()).starts_with("_v"));
}

template <class A, class... Ts> constexpr bool is_tag_of_any_index() { return (is_tag_of_index<A, Ts>() || ...); }

constexpr bool begin_alike(std::string_view a, std::string_view b) noexcept {
    return a.starts_with(b) || b.starts_with(a);
}

/// True if a row of an index of A could have the key of a row of B, or of one of its indexes. The rows for relays name
/// the index.
template <class A, class B> constexpr bool can_meet_in_index() {
    for (auto const prefix : index_prefixes_of<A>) {
        if (begin_alike(prefix, leading_text<mapping<B>::row_key>)) return true;
        for (auto const other : index_prefixes_of<B>)
            if (prefix != intent_prefix && begin_alike(prefix, other)) return true;
    }
    return false;
}

template <class A, class... Ts> constexpr bool can_meet_any_in_index() {
    return ((!std::is_same_v<A, Ts> && can_meet_in_index<A, Ts>()) || ...);
}

template <class... Ts> constexpr variant_fault find_variant_fault() {
    constexpr std::array<discriminator_t, sizeof...(Ts)> tags{discriminator_of<Ts>()...};
    constexpr std::array<std::string_view, sizeof...(Ts)> prefixes{leading_text<mapping<Ts>::row_key>...};
    for (std::size_t i = 0; i < tags.size(); ++i) {
        if (tags[i].property.empty() != tags[0].property.empty()) return variant_fault::mixed;
        if (tags[i].property != tags[0].property) return variant_fault::properties;
        if (tags[0].property.empty() && prefixes[i].empty()) return variant_fault::no_prefix;
    }
    for (std::size_t i = 0; i < tags.size(); ++i) {
        for (std::size_t k = 0; k < tags.size(); ++k) {
            if (k == i) continue;
            if (!tags[0].property.empty() && are_confusable(tags[i], tags[k])) return variant_fault::same;
            if (tags[0].property.empty() && prefixes[i].starts_with(prefixes[k])) return variant_fault::prefix;
        }
    }
    if ((is_tag_of_any_index<Ts, Ts...>() || ...)) return variant_fault::index_tag;
    return (can_meet_any_in_index<Ts, Ts...>() || ...) ? variant_fault::index : variant_fault::none;
}

template <class... Ts> constexpr bool check_alternatives(std::variant<Ts...> const*) {
    if constexpr ((check_mapped_entity<Ts>() && ...)) {
        constexpr auto fault = find_variant_fault<Ts...>();
        static_assert(
            fault != variant_fault::mixed,
            "tablemap[M10]: the types of a variant are all told by a discriminator property, or all by what their "
            "row keys begin with; give each a discriminator(\"EntityType\", \"...\")");
        static_assert(
            fault != variant_fault::properties,
            "tablemap[M10]: the types of a variant have their discriminator in one property; give it the same "
            "name in each mapping");
        static_assert(
            fault != variant_fault::same,
            "tablemap[M10]: two types of this variant have one discriminator, or one is a version of the other; "
            "give each its own");
        static_assert(fault != variant_fault::no_prefix,
                      "tablemap[M10]: nothing tells the types of this variant apart; give each a "
                      "discriminator(\"EntityType\", \"...\"), or begin each row key with a literal of its own");
        static_assert(
            fault != variant_fault::prefix,
            "tablemap[M10]: the row key of one type of this variant begins like that of another, so it does not "
            "tell them apart; begin each with a literal of its own, or give each a discriminator property");
        static_assert(
            fault != variant_fault::index,
            "tablemap[P1]: a row of an index of one type of this variant could have the key of a row of another type; "
            "begin the row keys of all types, and the keys of their indexes, with literals of their own");
        static_assert(fault != variant_fault::index_tag, "tablemap[P1]: a discriminator of this variant is that of "
                                                         "another type with _index behind it, which rows of that "
                                                         "type's indexes have; give the type another one");
        return fault == variant_fault::none;
    }
    return false;
}

constexpr bool look_alike(part_layout const& a, part_layout const& b) {
    return a.kind == b.kind && a.form == b.form && a.is_signed == b.is_signed && a.descending == b.descending &&
           a.width == b.width && a.literal == b.literal && a.low == b.low && a.high == b.high &&
           a.buckets == b.buckets && a.entries == b.entries;
}

/// True if the partition keys of two types are the same text for the same values.
template <class A, class B> constexpr bool have_one_partition_key() {
    auto const& a = mapping<A>::partition_key.layouts;
    auto const& b = mapping<B>::partition_key.layouts;
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!look_alike(a[i], b[i])) return false;
    return true;
}

template <class V> constexpr bool check_variant() { return check_alternatives(static_cast<V const*>(nullptr)); }

// ---- encoding -------------------------------------------------------------------------------------------------------

template <class... Ts>
result<void> encode_keys(std::variant<Ts...> const& value, std::string& partition_key, std::string& row_key) {
    return std::visit([&](auto const& v) { return encode_keys(v, partition_key, row_key); }, value);
}

template <class... Ts>
result<void> encode_keys(key_of<std::variant<Ts...>> const& key, std::string& partition_key, std::string& row_key) {
    return std::visit([&](auto const& k) { return encode_keys(k, partition_key, row_key); }, key.value());
}

template <class... Ts>
result<void> encode(std::variant<Ts...> const& value, encoded_entity& out,
                    empty_members empty = empty_members::left_out, property_cipher const* cipher = nullptr) {
    return std::visit([&](auto const& v) { return encode(v, out, empty, cipher); }, value);
}

template <class... Ts>
result<void> encode_state(std::variant<Ts...> const& value, encoded_state& out, faulty_properties faulty,
                          property_cipher const* cipher = nullptr) {
    return std::visit([&](auto const& v) { return encode_state(v, out, faulty, cipher); }, value);
}

}  // namespace detail
}  // namespace tablemap
