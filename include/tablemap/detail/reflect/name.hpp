// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A string literal that can be a template argument, as in `unique_index<"by_email">`.
///
/// Two of them are the same template argument when their characters are equal.
template <std::size_t N> struct fixed_string {
    char text[N]{};

    constexpr fixed_string(char const (&literal)[N]) {
        // A loop: <algorithm> would cost every user's build more than the rest of this header.
        for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
    }

    /// The characters without the terminating zero; the view lives as long as this object.
    constexpr std::string_view view() const { return {text, N - 1}; }
};

/// The parts of a pointer to member: `owner`, the class that declares the member, and `type`, the member's type.
///
/// The owner of an inherited member is the base class, because that is the type of `&derived::inherited`.
template <auto Member> struct member_traits;

template <class Owner, class Type, Type Owner::*Member> struct member_traits<Member> {
    using owner = Owner;
    using type = Type;
};

template <auto Member> using member_owner = typename member_traits<Member>::owner;

template <auto Member> using member_type = typename member_traits<Member>::type;

/// A text in which the compiler spells `Values`, among other things.
///
/// The return type is deduced on purpose: g++ appends the type that an alias stands for when the alias is written out.
///
/// The length is given: the compiler would count the characters of a long text one by one, which is slow.
template <auto... Values> constexpr auto spelling_of() {
    return std::string_view{__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

constexpr bool is_identifier_character(char c) {
    // Bytes above 0x7f belong to identifiers written in UTF-8.
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// The last identifier of `text`, empty if there is none.
constexpr std::string_view last_identifier(std::string_view text) {
    auto end = text.size();
    while (end > 0 && !is_identifier_character(text[end - 1])) --end;
    auto begin = end;
    while (begin > 0 && is_identifier_character(text[begin - 1])) --begin;
    return text.substr(begin, end - begin);
}

// The text that the compiler writes between the addresses of two members, up to the spelling of their object, and the
// character before a name.
#if defined(__clang__)
inline constexpr std::string_view between_addresses = "}, {&";
inline constexpr char before_name = '.';
#else
inline constexpr std::string_view between_addresses = "), (& never_defined_object<";
inline constexpr char before_name = ':';
#endif

/// The place where the text between two addresses begins, at or before `from`, where it has to be. No member functions
/// of texts: each call costs the compiler more than a step of a loop, and every struct is read here.
constexpr char const* find_back(char const* from) {
    constexpr auto const* what = between_addresses.data();
    constexpr auto size = between_addresses.size();
    for (;; --from) {
        if (*from != *what) continue;
        std::size_t same = 1;
        while (same != size && from[same] == what[same]) ++same;
        if (same == size) return from;
    }
}

/// Reads `count` names from the spelling of member addresses in one object.
constexpr void read_names(std::string_view text, std::string_view* names, std::size_t count) {
    auto const last = last_identifier(text);
    names[count - 1] = last;
    if (count == 1) return;
    auto const* begin = last.data();
    // The text from one name to the next is the same everywhere, so its length is found once: the spelling of a type
    // may be long, and evaluation at compile time is slow.
    auto const between = begin - find_back(begin);
    for (auto at = count - 1; at > 0; --at) {
        auto const* const end = begin - between;
        begin = end;
        while (begin[-1] != before_name) --begin;
        names[at - 1] = {begin, static_cast<std::size_t>(end - begin)};
    }
}

/// The name of the member that `Member` points to, as it is written in the source.
///
/// Works for data members of any class, inherited ones too; a pointer to a reference member or to a bit-field does not
/// exist in C++. The view refers to static storage.
template <auto Member> inline constexpr std::string_view member_name = last_identifier(spelling_of<Member>());

// The code above relies on the form of a text that no standard fixes, so a known name is read first.
struct name_probe {
    int the_probed_name;
};

static_assert(
    member_name<&name_probe::the_probed_name> == "the_probed_name",
    "tablemap[M0]: this compiler spells a pointer to member in a form that member names cannot be read from; "
    "use g++ 12, clang 14 or newer, or teach last_identifier() in tablemap/detail/reflect/name.hpp the form that "
    "__PRETTY_FUNCTION__ has here");

}  // namespace tablemap::detail
