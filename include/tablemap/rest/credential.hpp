// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/rest/token_source.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

/// Credentials, by which requests show who sends them. They are checked when a store is opened with them. No error and
/// no log contains any part of them.
namespace tablemap::inline v0_1 {

namespace detail {
class hmac_key;
class token_cache;
}

/// A key of a storage account. Copies share its bytes, which are wiped when the last copy is destroyed.
///
/// \par Thread safety
/// Immutable.
class account_key {
public:
    account_key() = default;

    /// Makes a key from the base64 text that the account shows. Any other text makes a key that is not `valid()`.
    explicit account_key(std::string_view base64);
    explicit account_key(std::span<std::byte const> bytes);

    bool valid() const noexcept { return key_.get() != nullptr; }

    /// HMAC-SHA-256 of a text in base64.
    ///
    /// \pre `valid()`
    std::string sign(std::string_view text) const;

private:
    std::shared_ptr<detail::hmac_key const> key_;  ///< null: not valid. A pointer, for the sake of compile time
};

/// Signs each request with the account's key. Allows everything.
struct shared_key_credential {
    account_key key{};
};

/// The same with the older, shorter form of signature, for servers and proxies that know no other.
struct shared_key_lite_credential {
    account_key key{};
};

/// A shared access signature: its token states what it allows, signed by somebody who has the key.
struct sas_credential {
    std::string token{};  ///< the query text "sv=…&sig=…" as it was given, with or without '?' in front
};

/// Access tokens of Microsoft Entra ID. Copies share their tokens: give the stores of one program one credential.
///
/// The first request that needs a token fetches it; all others wait for that. Five minutes before it expires, or in the
/// last quarter of its life if that is shorter, one request fetches the next, while others use the valid one; if that
/// fails, it is tried again half a minute later. If the service refuses a token (401), the source is asked again, with
/// the tenant that the service names, and the request is sent once more: a refused request was not applied. Accounts of
/// several tenants may share a credential: each tenant has a token of its own.
///
/// Requests that wait for a token that another one fetches end when a stop is requested, and blocking ones at their
/// deadline; asynchronous ones see their deadline when the source answers.
class token_credential {
public:
    /// `scope`: empty for that of the endpoint, `https://storage.azure.com/.default` or
    /// `https://cosmos.azure.com/.default`.
    explicit token_credential(std::shared_ptr<token_source> source, std::string scope = {});
    explicit token_credential(std::function<result<access_token>(token_request const&)> get, std::string scope = {});

    /// The same, sent over plain HTTP, too. For emulators alone: an eavesdropper can use the token.
    token_credential over_plain_http() const;

    std::shared_ptr<detail::token_cache> const& cache() const noexcept { return cache_; }
    std::string const& scope() const noexcept { return scope_; }
    bool allows_plain_http() const noexcept { return allows_plain_http_; }

private:
    std::shared_ptr<detail::token_cache> cache_;
    std::string scope_;
    bool allows_plain_http_ = false;
};

using credential = std::variant<shared_key_credential, shared_key_lite_credential, sas_credential, token_credential>;

/// A credential or none, used as a `std::optional<credential>`, which it converts to and from. Programs that use no
/// credential do not spend time on compiling the types.
class optional_credential {
public:
    optional_credential() noexcept = default;

    // The variant is a parameter or behind a pointer to void wherever it stands here: else each program compiles it.
    template <class C, std::same_as<std::optional<credential>> Optional = std::optional<credential>>
    requires(!std::same_as<std::remove_cvref_t<C>, optional_credential> && std::is_convertible_v<C, Optional>)
        // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): the constraint leaves this class out.
        optional_credential(C&& c) {
        if (Optional given{std::forward<C>(c)})
            there_ = std::make_shared<typename Optional::value_type const>(*std::move(given));
    }

    bool has_value() const noexcept { return there_.get() != nullptr; }
    explicit operator bool() const noexcept { return has_value(); }

    /// The credential.
    ///
    /// \pre there is one
    credential const& operator*() const noexcept { return *operator->(); }
    credential const* operator->() const noexcept { return static_cast<credential const*>(there_.get()); }

    template <std::same_as<std::optional<credential>> Optional> operator Optional() const {
        if (!has_value()) return {};
        return *static_cast<typename Optional::value_type const*>(there_.get());
    }

private:
    std::shared_ptr<void const> there_{};
};

namespace detail {

/// The values of a shared access signature's parameters, decoded.
struct sas_terms {
    std::string permissions{};     ///< sp
    std::string start{};           ///< st
    std::string expiry{};          ///< se
    std::string protocol{};        ///< spr
    std::string services{};        ///< ss: of an account
    std::string resource_types{};  ///< srt: of an account
    std::string table{};           ///< tn
    bool has_policy = false;       ///< si
    bool has_range = false;        ///< spk, srk, epk or erk
    bool is_signed = false;        ///< sig
    bool is_of_blob = false;       ///< sr
};

/// The query text itself, without '?' in front.
std::string_view sas_query(std::string_view token) noexcept;

sas_terms read_sas(std::string_view token);

/// True if requests are signed with the account's key, and so need its name.
bool signs_with_key(credential const& c) noexcept;

/// Refuses a credential that can never work with an endpoint of this scheme: an invalid key; a signature that is
/// malformed, for other services or only for HTTPS; a bearer token that would go over plain HTTP.
///
/// \throws error `library_errc::invalid_connection_string`
result<void> check_credential(credential const& c, std::string_view scheme);

}  // namespace detail
}  // namespace tablemap
