// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// An action on a table's entities that a shared access signature permits to its holder.
enum class table_permission : std::uint8_t {
    query = 1,
    add = 2,
    update = 4,
    erase = 8,
};

/// A set of permissions: `table_permission::query | table_permission::add`.
class table_permissions {
public:
    constexpr table_permissions() = default;
    constexpr table_permissions(table_permission p) noexcept : bits_(static_cast<std::uint8_t>(p)) {}

    static constexpr table_permissions all() noexcept {
        return table_permissions{table_permission::query} | table_permission::add | table_permission::update |
               table_permission::erase;
    }

    /// Reads the service's letters "raud", in any order.
    ///
    /// \return the permissions, or error `library_errc::invalid_text` for any other letter
    static result<table_permissions> parse(std::string_view letters);

    /// The service's letters, in the order "raud".
    std::string text() const;

    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr bool has(table_permission p) const noexcept { return (bits_ & static_cast<std::uint8_t>(p)) != 0; }

    friend constexpr table_permissions operator|(table_permissions a, table_permissions b) noexcept {
        a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
        return a;
    }
    friend constexpr bool operator==(table_permissions, table_permissions) = default;

private:
    std::uint8_t bits_ = 0;
};

constexpr table_permissions operator|(table_permission a, table_permission b) noexcept {
    return table_permissions{a} | table_permissions{b};
}

/// A stored access policy of a table. A shared access signature may name it instead of stating the same, and becomes
/// invalid as soon as the policy is removed. The signature has to state what the policy leaves out.
struct access_policy {
    std::string id{};               ///< 1 to 64 characters, unique in the table
    std::optional<ticks> start{};   ///< valid from then on
    std::optional<ticks> expiry{};  ///< valid until then
    table_permissions permissions{};

    friend bool operator==(access_policy const&, access_policy const&) = default;
};

namespace detail {
/// Refuses policies that no store takes: more than 5, an id that is empty, too long or given twice, text that XML
/// cannot carry, a time outside `ticks::min()` to `ticks::max()`.
///
/// \return nothing, or error `service_errc::out_of_range_input`, `invalid_input`, which names the policy by its place
result<void> check_access_policies(std::span<access_policy const> policies);
}  // namespace detail

}  // namespace tablemap
