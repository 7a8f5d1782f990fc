// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/copies.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "tablemap/query/field.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A query of the rows that may hold copies of a row.
struct copies_query {
    query_keys keys{};
    std::optional<filter::expression> where{};
};

/// True if the values may differ: those of types without `==` always may.
template <class V> bool may_differ(V const& a, V const& b) {
    if constexpr (requires {
                      { a == b } -> std::convertible_to<bool>;
                  })
        return !(a == b);
    else
        return true;
}

/// False for a link that always links to a source.
template <class Part> inline constexpr bool is_optional_link = true;
template <auto Member, auto Linked>
inline constexpr bool is_optional_link<linked_t<Member, Linked>> = is_optional<member_type<Member>>;

/// Carries out a declaration of T's mapping. `Declaration` is a `copies_of_t`.
template <class T, class Declaration> struct copies_rule;

template <class T, class S, class... Parts> struct copies_rule<T, copies_of_t<S, Parts...>> {
    using source = S;

    /// The row key of the source; nothing if a link is empty. Errors: as `make_key`.
    static result<std::optional<std::string>> source_row_key(T const& value) {
        if ((is_empty_link(value, Parts{}) || ...)) return std::optional<std::string>{};
        auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return key_value<M>(value); };
        std::string key;
        if (auto r = make_key(key, mapping<S>::row_key, get); !r) return failure{r.error().at(link_name())};
        return std::optional<std::string>{std::move(key)};
    }

    static void fill(T& value, S const& from) { (..., fill_one(value, from, Parts{})); }
    static void clear(T& value) {
        T const blank{};
        (..., clear_one(value, blank, Parts{}));
    }
    /// Precondition: `can_unlink`.
    static void unlink(T& value) { (..., unlink_one(value, Parts{})); }
    static constexpr bool can_unlink = (is_optional_link<Parts> && ...) && (is_linked<Parts> || ...);

    static bool links_differ(T const& a, T const& b) { return (links_differ_in(a, b, Parts{}) || ...); }
    static bool copies_differ(T const& a, T const& b) { return (copies_differ_in(a, b, Parts{}) || ...); }
    static bool originals_differ(S const& a, S const& b) { return (originals_differ_in(a, b, Parts{}) || ...); }

    /// The member that an error about the source names: the first that links to it, or that holds a copy.
    static constexpr std::string_view link_name() {
        std::string_view link, copy;
        (..., name_one(Parts{}, link, copy));
        return link.empty() ? copy : link;
    }

    /// The rows of T in the partition that may link to a source; `source_row_key` tells. Errors: as `make_key`, and
    /// those of conditions.
    static result<copies_query> holders_of(S const& value, property_cipher const* cipher) {
        copies_query q;
        auto const known = leading_of<0>(value);
        auto const selected = std::apply([](auto const&... v) { return leading(v...); }, known);
        if (auto r = encode_rows<T>(q.keys, selected); !r) return failure{std::move(r).error()};
        q.where = type_filter_of<T>();
        result<void> good;
        (..., add_condition(q, good, value, cipher, Parts{}));
        if (!good) return failure{std::move(good).error()};
        return q;
    }

private:
    using shared = given_members_of<mapping<T>::partition_key>;
    using shared_in_source = given_members_of<mapping<S>::partition_key>;

    template <std::size_t I, auto First, auto... Rest> static constexpr auto member_at(member_list<First, Rest...>) {
        if constexpr (I == 0)
            return First;
        else
            return member_at<I - 1>(member_list<Rest...>{});
    }

    /// The value of a member of the source's row key, as the holder of copies knows it.
    template <auto M> static auto const& key_value(T const& value) {
        if constexpr (find_link<M, Parts...>::found) {
            auto const& linked = value.*find_link<M, Parts...>::member;
            if constexpr (is_optional<std::remove_cvref_t<decltype(linked)>>)
                return *linked;
            else
                return linked;
        } else {
            return value.*member_at<position_in<M>(shared_in_source{})>(shared{});
        }
    }

    // ---- rows that hold copies --------------------------------------------------------------------------------------

    /// The value of a member of T's row key in a tuple, taken from the source; an empty tuple if the source lacks it.
    template <auto M> static auto find_value(S const& from) {
        if constexpr (is_listed<M, shared>)
            return std::tuple{from.*member_at<position_in<M>(shared{})>(shared_in_source{})};
        else if constexpr (find_linked<M, Parts...>::found)
            return std::tuple{from.*find_linked<M, Parts...>::member};
        else
            return std::tuple<>{};
    }

    /// The values of the leading members of T's row key that the source has.
    template <std::size_t I> static auto leading_of(S const& from) {
        using members = given_members_of<mapping<T>::row_key>;
        if constexpr (I < members::size) {
            auto value = find_value<member_at<I>(members{})>(from);
            if constexpr (std::tuple_size_v<decltype(value)> == 0)
                return value;
            else
                return std::tuple_cat(std::move(value), leading_of<I + 1>(from));
        } else {
            return std::tuple<>{};
        }
    }

    /// False if a row may link to a source although its property does not say so: a row of an older version, one whose
    /// property is encrypted, or one without the property if the member's default links to the source.
    template <auto Member, auto Linked> static bool is_told_by_property(S const& from, property_cipher const* cipher) {
        if constexpr (version_of<T>() > 1) return false;
        if (cipher && (cipher->resolver() || cipher->legacy())) return false;
        if constexpr (options_of<T>[member_index<Member, T>].required)
            return true;
        else
            return links_elsewhere(T{}.*Member, from.*Linked);
    }
    template <class Link, class Key> static bool links_elsewhere(Link const& link, Key const& key) {
        if constexpr (is_optional<Link> && !is_optional<Key>)
            return !link || links_elsewhere(*link, key);
        else if constexpr (std::equality_comparable<Key>)
            return !(link == key);
        else
            return false;
    }

    template <auto Member, auto Linked>
    static void add_condition(copies_query& q, result<void>& good, S const& from, property_cipher const* cipher,
                              linked_t<Member, Linked>) {
        if constexpr (key_use_of<T, Member>() != key_use::alone) {
            if (!is_told_by_property<Member, Linked>(from, cipher)) return;
            auto const found = (field_of<T, Member> == from.*Linked).try_expression();
            if (!found)
                good = failure{found.error()};
            else
                q.where = q.where ? *q.where && *found : *found;
        }
    }
    template <auto Member, auto Copied>
    static void add_condition(copies_query&, result<void>&, S const&, property_cipher const*,
                              copied_t<Member, Copied>) {}

    // ---- one part ---------------------------------------------------------------------------------------------------

    template <auto Member, auto Linked> static bool is_empty_link(T const& value, linked_t<Member, Linked>) {
        if constexpr (is_optional<member_type<Member>>)
            return !(value.*Member).has_value();
        else
            return false;
    }
    template <auto Member, auto Copied> static bool is_empty_link(T const&, copied_t<Member, Copied>) { return false; }

    template <auto Member, auto Copied> static void fill_one(T& value, S const& from, copied_t<Member, Copied>) {
        value.*Member = from.*Copied;
    }
    template <auto Member, auto Linked> static void fill_one(T&, S const&, linked_t<Member, Linked>) {}

    template <auto Member, auto Copied> static void clear_one(T& value, T const& blank, copied_t<Member, Copied>) {
        value.*Member = blank.*Member;
    }
    template <auto Member, auto Linked> static void clear_one(T&, T const&, linked_t<Member, Linked>) {}

    template <auto Member, auto Linked> static void unlink_one(T& value, linked_t<Member, Linked>) {
        (value.*Member).reset();
    }
    template <auto Member, auto Copied> static void unlink_one(T&, copied_t<Member, Copied>) {}
    template <auto Member, auto Linked> static bool links_differ_in(T const& a, T const& b, linked_t<Member, Linked>) {
        return may_differ(a.*Member, b.*Member);
    }
    template <auto Member, auto Copied> static bool links_differ_in(T const&, T const&, copied_t<Member, Copied>) {
        return false;
    }
    template <auto Member, auto Copied> static bool copies_differ_in(T const& a, T const& b, copied_t<Member, Copied>) {
        return may_differ(a.*Member, b.*Member);
    }
    template <auto Member, auto Linked> static bool copies_differ_in(T const&, T const&, linked_t<Member, Linked>) {
        return false;
    }
    template <auto Member, auto Copied>
    static bool originals_differ_in(S const& a, S const& b, copied_t<Member, Copied>) {
        return may_differ(a.*Copied, b.*Copied);
    }
    template <auto Member, auto Linked> static bool originals_differ_in(S const&, S const&, linked_t<Member, Linked>) {
        return false;
    }

    template <auto Member, auto Linked>
    static constexpr void name_one(linked_t<Member, Linked>, std::string_view& link, std::string_view&) {
        if (link.empty()) link = member_name<Member>;
    }
    template <auto Member, auto Copied>
    static constexpr void name_one(copied_t<Member, Copied>, std::string_view&, std::string_view& copy) {
        if (copy.empty()) copy = member_name<Member>;
    }
};

}  // namespace tablemap::detail
