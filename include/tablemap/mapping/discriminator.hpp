// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Discriminators, which distinguish the rows of one type from those of others in the same table, and versions of
/// types.
namespace tablemap::inline v0_1 {

/// The type of a row, stored in a property or at the beginning of its row key. Made by `discriminator(…)`.
struct discriminator_t {
    std::string_view property{};  ///< empty: the row key alone identifies the type
    std::string_view type{};

    /// The discriminator as a part of a key: the type's text.
    constexpr std::string_view as_key_part() const noexcept { return type; }
};

/// The rows have a property, `discriminator("EntityType", "employee")`: it is written with every entity, queries ask
/// the store for rows that have it, and a row with another value is refused. From version 2 on the text is
/// `employee_v2` and so on.
template <std::size_t N, std::size_t M>
constexpr discriminator_t discriminator(char const (&property)[N], char const (&type)[M]) {
    return {{property, N - 1}, {type, M - 1}};
}

/// The row key begins with the type: `discriminator("EMPLOYEE")` with `row_key = key(discriminator, "_", part<…>)`.
template <std::size_t M> constexpr discriminator_t discriminator(char const (&type)[M]) { return {{}, {type, M - 1}}; }

/// One step of a chain of upgrades. Made by `upgrade_from<n>(f)`.
template <int From> struct upgrade_step { void (*function)(dynamic_entity&); };

/// Changes the properties of a row of version `From` into those of the next version. The function may read the keys;
/// its changes to them are ignored. It is called on every read of an old row, so it has to give the same outcome every
/// time. If it throws, the row is a bad row (`library_errc::upgrade_failed`).
template <int From> constexpr upgrade_step<From> upgrade_from(void (*function)(dynamic_entity&)) { return {function}; }

/// The current version of a type, and the upgrades of older rows. Made by `versions<n>(…)`.
template <int Current> struct version_chain {
    std::array<void (*)(dynamic_entity&), static_cast<std::size_t>(Current)>
        upgrades{};  ///< [v]: from version v to v + 1
    static constexpr int current = Current;
};

/// Declares version `Current` of a type, with one `upgrade_from<n>` for every older version. Needs a discriminator
/// property, which holds the version. Rows are upgraded as they are read; `migrate` rewrites them in the store.
template <int Current, int... From> constexpr auto versions(upgrade_step<From>... steps) {
    static_assert(Current >= 1, "tablemap[M11]: versions are numbered from 1");
    constexpr auto has = [](int version) { return ((From == version) + ... + 0) == 1; };
    constexpr bool complete = [has] {
        for (int v = 1; v < Current; ++v)
            if (!has(v)) return false;
        return sizeof...(From) == (Current < 1 ? 0 : Current - 1);
    }();
    static_assert(
        complete,
        "tablemap[M11]: versions<n>(...) takes exactly one upgrade_from<v> for every version v from 1 to n - 1; rows "
        "of a version without one could not be read");
    version_chain<Current> chain;
    if constexpr (complete) ((chain.upgrades[static_cast<std::size_t>(From)] = steps.function), ...);
    return chain;
}

}  // namespace tablemap
