// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_check.hpp"
#include "tablemap/detail/keys/key_members.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/keys/key.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// Making keys from values and reading values back from keys, for a key template known at compile time.
namespace tablemap::inline v0_1::detail {

template <class V> inline constexpr bool is_optional_part = !std::same_as<V, part_type_of<V>>;

/// The address of what a member holds, of a std::optional's value, too. Precondition: it is not empty.
template <class V> auto* address_of_value(V& v) {
    if constexpr (is_optional_part<std::remove_const_t<V>>)
        return std::addressof(*v);
    else
        return std::addressof(v);
}

/// The address that `get(member_part)` gives for a part's member, null for a literal. A value would be gone before it
/// is read.
template <class Part, class Get> auto* address_of_part(Get const& get) {
    if constexpr (is_literal_part<Part>) {
        return static_cast<void*>(nullptr);
    } else {
        using given = decltype(get(source_part<Part>{}));
        static_assert(std::is_lvalue_reference_v<given>,
                      "tablemap[K1]: the function that gives the members of a key returns references to what outlives "
                      "the call, since a value would be gone before it is written");
        return address_of_value(get(source_part<Part>{}));
    }
}

// ---- writing and reading --------------------------------------------------------------------------------------------

/// Makes a key. `get(member_part)` refers to a member's value. Errors: `library_errc::key_part_does_not_fit`,
/// `library_errc::invalid_key`, `library_errc::key_too_large`, with the member to blame where there is one.
template <class... Parts, class Get>
result<void> make_key(std::string& out, key_template<Parts...> const& k, Get const& get) {
    void const* const members[]{address_of_part<Parts>(get)...};
    return make_key_text(out, k.layouts, members);
}

/// The place for a part's value; null if another part of the key is read in its stead, or none.
template <class Part, class Set> void* place_of_part(part_layout const& layout, Set const& set) {
    if constexpr (is_readable_part<Part>) {
        if (layout.same_as == no_earlier_part) return std::addressof(set(Part{}));
    }
    return nullptr;
}

/// Reads a key. `set(member_part)` gives the place for a member's value, which is assigned only if the whole key can be
/// read. Errors: `library_errc::unreadable_key`, with the member at fault where there is one.
template <class... Parts, class Set>
result<void> read_key(std::string_view text, key_template<Parts...> const& k, Set const& set) {
    auto const* layout = k.layouts.data();
    void* const members[]{place_of_part<Parts>(*layout++, set)...};
    return read_key_text(text, k.layouts, members);
}

}  // namespace tablemap::detail
