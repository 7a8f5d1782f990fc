// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/names.hpp"
#include "tablemap/keys/key.hpp"
#include "tablemap/keys/text.hpp"
#include "tablemap/reflect/name.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Making keys of values and reading values back from keys, for a key template known at compile time.
namespace tablemap::detail {

template <class Part> inline constexpr bool is_member_part = false;
template <auto Member> inline constexpr bool is_member_part<member_part<Member>> = true;

// ---- the members of keys, each once, in order -----------------------------------------------------------------------

template <auto... Members> struct member_list { static constexpr std::size_t size = sizeof...(Members); };

template <auto A, auto B> constexpr bool same_member() {
    if constexpr (std::is_same_v<decltype(A), decltype(B)>)
        return A == B;
    else
        return false;
}

template <auto Member, class List> inline constexpr bool is_listed = false;
template <auto Member, auto... Members>
inline constexpr bool is_listed<Member, member_list<Members...>> = (same_member<Member, Members>() || ...);

template <class List, class... Parts> struct add_members { using type = List; };
template <auto... Members, class Part, class... Rest> struct add_members<member_list<Members...>, Part, Rest...> {
    using type = typename add_members<member_list<Members...>, Rest...>::type;
};
template <auto... Members, auto Member, class... Rest>
requires(!is_listed<Member, member_list<Members...>>) struct add_members<member_list<Members...>, member_part<Member>,
                                                                         Rest...> {
    using type = typename add_members<member_list<Members..., Member>, Rest...>::type;
};

template <class List, class Key> struct add_key_members;
template <class List, class... Parts>
struct add_key_members<List, key_template<Parts...>> : add_members<List, Parts...> {};

/// The members of one key, each once, in the order in which they stand there.
template <auto const& Key>
using members_of = typename add_key_members<member_list<>, std::remove_cvref_t<decltype(Key)>>::type;

template <class List, auto... Members> constexpr bool has_any_of(member_list<Members...>) {
    return (is_listed<Members, List> || ...);
}

/// True if a member stands in both keys.
template <auto const& A, auto const& B>
inline constexpr bool share_members = has_any_of<members_of<A>>(members_of<B>{});

/// The members of both keys, each once: first the partition key's, in the order in which they stand there.
template <auto const& PartitionKey, auto const& RowKey>
using key_members =
    typename add_key_members<typename add_key_members<member_list<>, std::remove_cvref_t<decltype(PartitionKey)>>::type,
                             std::remove_cvref_t<decltype(RowKey)>>::type;

/// The place of a member in a list; the list's size if it is not there.
template <auto Member, auto... Members> constexpr std::size_t position_in(member_list<Members...>) {
    std::size_t at = 0;
    static_cast<void>(((same_member<Member, Members>() ? true : (++at, false)) || ...));
    return at;
}

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class Part> constexpr bool has_fixed_length(Part const& p) {
    if constexpr (is_member_part<Part>)
        return std::same_as<typename Part::value_type, guid> || p.digits() != 0;
    else
        return true;
}

/// A part of varying length can be read back only if a literal or the key's end comes after it.
template <class... Parts> constexpr bool parts_can_be_told_apart(key_template<Parts...> const& k) {
    bool good = true;
    bool open = false;
    std::apply(
        [&](auto const&... p) {
            (..., [&] {
                if constexpr (is_member_part<std::remove_cvref_t<decltype(p)>>) {
                    good = good && !open;
                    open = !has_fixed_length(p);
                } else {
                    open = open && p.view().empty();
                }
            }());
        },
        k.parts);
    return good;
}

template <class... Parts> constexpr bool literals_are_legal(key_template<Parts...> const& k) {
    bool good = true;
    std::apply(
        [&](auto const&... p) {
            (..., [&] {
                if constexpr (!is_member_part<std::remove_cvref_t<decltype(p)>>)
                    good = good && find_forbidden_in_key(p.view()) == std::string_view::npos;
            }());
        },
        k.parts);
    return good;
}

/// Gives the compiler's "required from" line the member's name.
template <auto Member, class Type> constexpr bool check_part_type() {
    static_assert(
        key_value<Type>,
        "tablemap[K2]: a key part must be a std::string, std::int32_t, std::int64_t or guid; use another member, "
        "or hold the value in one of these types");
    return true;
}

template <auto const& Key, class Owner> constexpr bool check_key_template() {
    using key_type = std::remove_cvref_t<decltype(Key)>;
    []<class... Parts>(key_template<Parts...> const&) {
        (..., [] {
            if constexpr (is_member_part<Parts>) {
                static_assert(std::same_as<typename Parts::owner, Owner>,
                              "tablemap[K1]: the parts of a key must be members of the mapped struct itself");
                check_part_type<Parts::member, typename Parts::value_type>();
            }
        }());
    }(key_type{Key});
    static_assert(literals_are_legal(Key),
                  "tablemap[K5]: a literal in a key may not hold / \\ # ? or control characters");
    static_assert(
        parts_can_be_told_apart(Key),
        "tablemap[K4]: two parts stand side by side in this key and the first varies in length, so the key could "
        "not be read back; put a literal between them, or give the first a width(n)");
    return true;
}

/// True if an earlier part of the key is the same member.
template <std::size_t Index, class... Parts> constexpr bool repeats_member() {
    using part_type = std::tuple_element_t<Index, std::tuple<Parts...>>;
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (std::same_as<part_type, std::tuple_element_t<I, std::tuple<Parts...>>> || ...);
    }
    (std::make_index_sequence<Index>{});
}

// ---- writing and reading --------------------------------------------------------------------------------------------

template <class... Parts> constexpr std::string_view literal_after(key_template<Parts...> const& k, std::size_t index) {
    std::string_view found;
    std::size_t i = 0;
    std::apply(
        [&](auto const&... p) {
            (..., [&] {
                if (i++ > index && found.empty()) {
                    if constexpr (!is_member_part<std::remove_cvref_t<decltype(p)>>) found = p.view();
                }
            }());
        },
        k.parts);
    return found;
}

/// Appends the first `Count` parts of a key. `get(part)` gives a member's value.
template <std::size_t Count, class... Parts, class Get>
result<void> append_parts(std::string& out, key_template<Parts...> const& k, Get const& get) {
    std::optional<error> fault;
    auto append = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        if (fault) return;
        auto const& p = std::get<I>(k.parts);
        using part_type = std::remove_cvref_t<decltype(p)>;
        if constexpr (!is_member_part<part_type>) {
            out += p.view();
        } else {
            auto const from = out.size();
            constexpr auto name = member_name<part_type::member>;
            if (!append_key_part(out, get(p), p.digits())) {
                fault = part_does_not_fit(name, p.digits());
                return;
            }
            if constexpr (std::same_as<typename part_type::value_type, std::string>) {
                fault = find_fault_in_part(name, std::string_view{out}.substr(from));
                if (fault) return;
            }
            auto const end = literal_after(k, I);
            if (!has_fixed_length(p) && !end.empty()) {
                auto const size = out.size() - from;
                out += end;
                bool const good = out.find(end, from) == from + size;
                out.resize(from + size);
                if (!good) fault = part_holds_its_end(name, end);
            }
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (..., append(std::integral_constant<std::size_t, I>{})); }
    (std::make_index_sequence<Count>{});
    if (fault) return failure{std::move(*fault)};
    return {};
}

/// Makes a key. Errors: `library_errc::key_part_does_not_fit`, `library_errc::invalid_key`, `library_errc::key_too_large`,
/// with the member to blame where there is one.
template <class... Parts, class Get>
result<void> make_key(std::string& out, key_template<Parts...> const& k, Get const& get) {
    out.clear();
    if (auto r = append_parts<sizeof...(Parts)>(out, k, get); !r) return r;
    return check_key(out);
}

/// Reads a key. `set(part)` gives the place for a member's value. Errors: `library_errc::unreadable_key`.
template <class... Parts, class Set>
result<void> read_key(std::string_view text, key_template<Parts...> const& k, Set const& set) {
    std::optional<error> fault;
    auto read = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
        if (fault) return;
        auto const& p = std::get<I>(k.parts);
        using part_type = std::remove_cvref_t<decltype(p)>;
        if constexpr (!is_member_part<part_type>) {
            if (!text.starts_with(p.view())) {
                fault = key_lacks_literal(p.view());
                return;
            }
            text.remove_prefix(p.view().size());
        } else {
            auto length = text.size();
            if constexpr (std::same_as<typename part_type::value_type, guid>)
                length = guid_key_length;
            else if (p.digits() != 0)
                length = p.digits();
            else if (auto const end = literal_after(k, I); !end.empty())
                length = text.find(end);
            auto good = length <= text.size();
            if constexpr (repeats_member<I, Parts...>()) {
                typename part_type::value_type again{};
                good = good && read_key_part(text.substr(0, length), p.digits(), again) && again == set(p);
            } else {
                good = good && read_key_part(text.substr(0, length), p.digits(), set(p));
            }
            if (!good) {
                fault = part_unreadable(member_name<part_type::member>);
                return;
            }
            text.remove_prefix(length);
        }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (..., read(std::integral_constant<std::size_t, I>{})); }
    (std::index_sequence_for<Parts...>{});
    if (!fault && !text.empty())
        fault = error{library_errc::unreadable_key, {.reason = "there is text after its last part"}};
    if (fault) return failure{std::move(*fault)};
    return {};
}

}  // namespace tablemap::detail
