// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/mapping.hpp"

#include <concepts>
#include <type_traits>

/// The parts that a mapping declares: each is made by its function and a constant. This is checked before anything
/// reads them, since the compiler has only words of its own for a part that is neither.
namespace tablemap::inline v0_1::detail {

template <class T> inline constexpr bool is_key_template = false;
template <class... Parts> inline constexpr bool is_key_template<key_template<Parts...>> = true;

template <class T> inline constexpr bool is_member_rules = false;
template <class... Rules> inline constexpr bool is_member_rules<member_rules<Rules...>> = true;

template <class T> inline constexpr bool is_version_chain = false;
template <int Current> inline constexpr bool is_version_chain<version_chain<Current>> = true;

/// Takes a copy, which only a constant gives in a constant expression.
template <class Part> constexpr bool takes_copy(Part) { return true; }

template <class M>
concept has_constant_keys = requires {
    typename std::bool_constant<takes_copy(M::partition_key)>;
    typename std::bool_constant<takes_copy(M::row_key)>;
};
template <class M>
concept has_constant_members = requires {
    typename std::bool_constant<takes_copy(M::members)>;
};
template <class M>
concept has_constant_discriminator = requires {
    typename std::bool_constant<takes_copy(M::discriminator)>;
};
template <class M>
concept has_constant_versions = requires {
    typename std::bool_constant<takes_copy(M::versions)>;
};
template <class M>
concept has_constant_indexes = requires {
    typename std::bool_constant<takes_copy(M::indexes)>;
};

// True if a mapping has a member whose name is nearly that of an optional part: the part would be missing without a
// word.
template <class M> inline constexpr bool has_nearly_members = requires { M::member; }
|| requires { M::Members; }
|| requires { M::membres; }
|| requires { M::memebers; }
|| requires { M::menbers; }
|| requires { M::rules; }
|| requires { M::properties; };
template <class M> inline constexpr bool has_nearly_indexes = requires { M::index; }
|| requires { M::indices; }
|| requires { M::Indexes; }
|| requires { M::index_; }
|| requires { M::indexs; }
|| requires { M::indeces; }
|| requires { M::unique; }
|| requires { M::uniques; }
|| requires { M::unique_index; }
|| requires { M::unique_indexes; };
template <class M> inline constexpr bool has_nearly_a_discriminator = requires { M::discriminater; }
|| requires { M::Discriminator; }
|| requires { M::descriminator; }
|| requires { M::discriminators; }
|| requires { M::discriminant; };
template <class M> inline constexpr bool has_nearly_another_part = requires { M::version; }
|| requires { M::Versions; }
|| requires { M::copy; }
|| requires { M::copied; }
|| requires { M::unknown_column; }
|| requires { M::unknown_properties; };

template <class M> constexpr bool check_members_part() {
    constexpr bool made = is_member_rules<std::remove_cvref_t<decltype(M::members)>> && has_constant_members<M>;
    static_assert(made,
                  "tablemap[M7]: members is static constexpr and made by tablemap::members(...), of one rule, too: "
                  "members(member<&T::m>.named(\"...\"))");
    return made;
}

template <class M> constexpr bool check_discriminator_part() {
    if constexpr (requires { M::discriminator; }) {
        constexpr bool made = std::same_as<std::remove_cvref_t<decltype(M::discriminator)>, discriminator_t> &&
                              has_constant_discriminator<M>;
        static_assert(made, "tablemap[K8]: discriminator is static constexpr and made by "
                            "tablemap::discriminator(\"EntityType\", \"employee\")");
        return made;
    } else {
        return true;
    }
}

template <class M> constexpr bool check_versions_part() {
    if constexpr (requires { M::versions; }) {
        constexpr bool made = is_version_chain<std::remove_cvref_t<decltype(M::versions)>> && has_constant_versions<M>;
        static_assert(made, "tablemap[M11]: versions is static constexpr and made by "
                            "tablemap::versions<n>(upgrade_from<1>(...), ...)");
        return made;
    } else {
        return true;
    }
}

/// Checks what a mapping declares; what stands in its rules is checked with the members.
template <class M> constexpr bool check_parts() {
    static_assert(!has_nearly_members<M>,
                  "tablemap[M13]: this mapping has a part whose name is nearly members, and would be ignored; name it "
                  "members");
    static_assert(!has_nearly_indexes<M>,
                  "tablemap[M13]: this mapping has a part whose name is nearly indexes, and would be ignored; name it "
                  "indexes");
    static_assert(!has_nearly_a_discriminator<M>,
                  "tablemap[M13]: this mapping has a part whose name is nearly discriminator, and would be ignored; "
                  "name it discriminator");
    static_assert(
        !has_nearly_another_part<M>,
        "tablemap[M13]: this mapping has a part whose name is nearly versions, copies or unknown_columns, and "
        "would be ignored; give it that name");
    constexpr bool keys = is_key_template<std::remove_cvref_t<decltype(M::partition_key)>> &&
                          is_key_template<std::remove_cvref_t<decltype(M::row_key)>> && has_constant_keys<M>;
    static_assert(keys, "tablemap[K1]: partition_key and row_key are static constexpr and made by tablemap::key(...)");
    if constexpr (keys) return check_discriminator_part<M>() && check_versions_part<M>();
    return false;
}

}  // namespace tablemap::detail
