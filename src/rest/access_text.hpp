// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/access_signature.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Shared access signatures as texts: what signs them and what checks them read the same terms.
namespace tablemap::inline v0_1::detail {

inline constexpr std::string_view oldest_access_version = "2015-04-05";

// The service's letters, in its order: another order is another signature.
inline constexpr std::array<std::pair<char, account_permission>, 8> account_permission_letters{
    {{'r', account_permission::read},
     {'w', account_permission::write},
     {'d', account_permission::erase},
     {'l', account_permission::list},
     {'a', account_permission::add},
     {'c', account_permission::create},
     {'u', account_permission::update},
     {'p', account_permission::process}}};
inline constexpr std::array<std::pair<char, account_service>, 4> account_service_letters{
    {{'b', account_service::blob},
     {'f', account_service::file},
     {'q', account_service::queue},
     {'t', account_service::table}}};
inline constexpr std::array<std::pair<char, account_resource>, 3> account_resource_letters{
    {{'s', account_resource::service}, {'c', account_resource::container}, {'o', account_resource::object}}};

/// The values whose letters are in a text; other letters are passed over, since later versions have more.
template <class E, std::size_t N>
access_set<E> set_of_letters(std::string_view text, std::array<std::pair<char, E>, N> const& letters) {
    access_set<E> set;
    for (auto const& [letter, value] : letters)
        if (text.find(letter) != std::string_view::npos) set = set | value;
    return set;
}

/// The terms of a signature for a table, each as its parameter of the URL has it; empty where there is none.
struct table_access_text {
    std::string_view permissions{};      ///< sp
    std::string_view start{};            ///< st
    std::string_view expiry{};           ///< se
    std::string_view policy{};           ///< si
    std::string_view addresses{};        ///< sip
    std::string_view protocol{};         ///< spr
    std::string_view version{};          ///< sv
    std::string_view first_partition{};  ///< spk
    std::string_view first_row{};        ///< srk
    std::string_view last_partition{};   ///< epk
    std::string_view last_row{};         ///< erk
};

/// The terms of a signature for an account.
struct account_access_text {
    std::string_view permissions{};  ///< sp
    std::string_view services{};     ///< ss
    std::string_view resources{};    ///< srt
    std::string_view start{};        ///< st
    std::string_view expiry{};       ///< se
    std::string_view addresses{};    ///< sip
    std::string_view protocol{};     ///< spr
    std::string_view version{};      ///< sv
    std::string_view scope{};        ///< ses
};

std::string string_to_sign(std::string_view account, std::string_view table, table_access_text const& a);
std::string string_to_sign(std::string_view account, account_access_text const& a);

/// True for a version of the service by its form, `oldest_access_version` or later.
bool is_access_version(std::string_view text) noexcept;

/// Addresses of IPv4, ends included.
struct address_range {
    std::uint32_t first{};
    std::uint32_t last{};
};

/// Reads "198.51.100.7" or "198.51.100.7-198.51.100.9"; nothing for any other text.
std::optional<address_range> read_address_range(std::string_view text) noexcept;

}  // namespace tablemap::detail
