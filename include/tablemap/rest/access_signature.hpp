// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/access_range.hpp"
#include "tablemap/rest/connection_string.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Shared access signatures: the holder of one may do what it allows, without the account's key.
namespace tablemap::inline v0_1 {

enum class account_permission : std::uint8_t {
    read = 1,
    write = 2,      ///< create tables, set properties of the service
    erase = 4,      ///< entities and tables
    list = 8,       ///< tables
    add = 16,       ///< entities and messages
    create = 32,    ///< tables
    update = 64,    ///< entities and messages; upserts need add, too
    process = 128,  ///< get and delete messages
};
enum class account_service : std::uint8_t { blob = 1, file = 2, queue = 4, table = 8 };
enum class account_resource : std::uint8_t {
    service = 1,    ///< its properties and statistics
    container = 2,  ///< tables
    object = 4,     ///< entities
};

/// A set of such values: `account_permission::read | account_permission::list`.
template <class E> class access_set {
public:
    constexpr access_set() = default;
    constexpr access_set(E e) noexcept : bits_(static_cast<std::uint8_t>(e)) {}

    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr bool has(E e) const noexcept { return (bits_ & static_cast<std::uint8_t>(e)) != 0; }

    friend constexpr access_set operator|(access_set a, access_set b) noexcept {
        a.bits_ = static_cast<std::uint8_t>(a.bits_ | b.bits_);
        return a;
    }
    friend constexpr bool operator==(access_set, access_set) = default;

private:
    std::uint8_t bits_ = 0;
};

template <class E>
requires std::same_as<E, account_permission> || std::same_as<E, account_service> || std::same_as<E, account_resource>
constexpr access_set<E> operator|(E a, E b) noexcept { return access_set<E>{a} | access_set<E>{b}; }

/// The protocols that requests may use.
enum class access_protocol : std::uint8_t {
    of_endpoint,  ///< over HTTPS only, unless the account's endpoint is one of plain HTTP
    https,
    https_and_http,
};

/// The terms of a signature of any kind, beside its permissions.
struct access_terms {
    std::optional<ticks> start{};   ///< valid from then on, in whole seconds. None: at once, whatever the clocks say
    std::optional<ticks> expiry{};  ///< valid until then, in whole seconds, rounded down
    std::string addresses{};        ///< of IPv4: "198.51.100.7", or a range "198.51.100.7-198.51.100.9"; empty: all

    access_protocol protocol = access_protocol::of_endpoint;
    std::string version = "2019-02-02";  ///< of the service, which decides how it is read; 2015-04-05 or later
};

/// Access to the entities of one table.
struct table_access {
    std::string table{};
    table_permissions permissions{};  ///< empty if the policy says them
    access_terms terms{};
    std::string policy{};  ///< id of a stored access policy of the table, which can be changed and removed later on
    access_range range{};  ///< none: all entities. See `access_range_of`
};

/// Access to the services of an account.
struct account_access {
    access_set<account_permission> permissions{};
    access_set<account_resource> resources{};
    access_terms terms{};
    access_set<account_service> services = account_service::table;
};

/// A signature that was made. Both texts are secrets.
struct access_signature {
    std::string query{};              ///< "sv=…&sig=…", for `sas_credential`
    std::string connection_string{};  ///< all that a program needs: "TableEndpoint=…;SharedAccessSignature=…"
};

/// Makes a signature from checked terms. Nothing is sent: the service accepts or refuses it with the first request.
///
/// \throws error `library_errc::invalid_access_signature`, naming the term as `member()`; `invalid_table_name`;
/// `unsupported` at Cosmos, which has no signatures, and for accounts without a key
access_signature make_access_signature(storage_account const& account, table_access const& access);
access_signature make_access_signature(storage_account const& account, account_access const& access);
result<access_signature> try_make_access_signature(storage_account const& account, table_access const& access);
result<access_signature> try_make_access_signature(storage_account const& account, account_access const& access);

/// The same by the account's connection string.
///
/// \throws error as above; those of `parse_storage_account`
access_signature make_access_signature(std::string_view connection_string, table_access const& access);
access_signature make_access_signature(std::string_view connection_string, account_access const& access);
result<access_signature> try_make_access_signature(std::string_view connection_string, table_access const& access);
result<access_signature> try_make_access_signature(std::string_view connection_string, account_access const& access);

namespace detail {
/// The text that is signed.
///
/// \pre the terms were checked
std::string string_to_sign(storage_account const& account, tablemap::table_access const& access);
std::string string_to_sign(storage_account const& account, account_access const& access);
}  // namespace detail

}  // namespace tablemap
