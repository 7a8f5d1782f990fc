// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/token_source.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Access tokens in use, shared by all requests that need them.
namespace tablemap::inline v0_1::detail {

/// A token as requests carry it. Wiped at its end.
struct held_token {
    std::string header{};  ///< the value of Authorization
    ticks expires_on{};

    held_token() = default;
    held_token(held_token const&) = delete;
    held_token& operator=(held_token const&) = delete;
    ~held_token();
};
using token_ptr = std::shared_ptr<held_token const>;

/// The part of a refusal that describes the wanted token.
struct challenge {
    std::string tenant{};
    std::string resource{};
    std::string claims{};

    friend bool operator==(challenge const&, challenge const&) = default;
};

/// Reads a WWW-Authenticate header, its parameters quoted or not, between blanks or commas. Nothing if it asks for no
/// bearer token.
std::optional<challenge> parse_challenge(std::string_view header);

/// Takes a valid token or the reason why there is none, exactly once, on any thread.
class token_waiter {
public:
    virtual void ready(result<token_ptr> token) noexcept = 0;

    /// True once it is not to wait. Whoever changes that calls `token_slot::leave` afterwards.
    virtual bool is_stopped() const noexcept { return false; }

protected:
    ~token_waiter() = default;
};

/// The token of one scope and tenant. One fetch at a time; requests that find no valid token wait for it. Thread-safe.
class token_slot : public std::enable_shared_from_this<token_slot> {
public:
    static constexpr auto longest_margin = std::chrono::minutes{5};  ///< before expiry, when the next one is fetched
    static constexpr auto pause = std::chrono::seconds{30};          ///< after a fetch ahead of time that failed

    token_slot(std::shared_ptr<token_source> source, std::string scope, std::string tenant);

    std::string const& tenant() const noexcept { return tenant_; }

    /// Gives the token to `w`, possibly before this returns. False, and nothing is given, if `w` is stopped.
    /// Errors: `library_errc::credential_failed`.
    bool get(ticks now, token_waiter& w);

    /// Ends the wait of a waiter. False if it is not waiting: it has its token, or gets it now.
    bool leave(token_waiter& w);

    /// Marks a token that the service refused: neither it nor the one being fetched is given again, and the next one is
    /// asked for as the service says. Does nothing if the token was replaced in the meantime.
    void refuse(token_ptr const& token, challenge const& said);

private:
    class fetch;

    fetch* begin_fetch(ticks now);
    void arrived(result<access_token>&& token, fetch const& asked);
    void keep(token_ptr fresh, ticks asked_at);

    std::shared_ptr<token_source> const source_;
    std::string const scope_, tenant_;
    std::mutex mutex_;
    std::string resource_{}, claims_{};
    token_ptr held_{};      ///< the newest, also when it was refused
    bool refused_ = false;  ///< that one
    ticks refresh_at_{};
    ticks last_asked_{};  ///< when a token was wanted last
    bool fetching_ = false;
    bool outdated_ = false;  ///< the fetch under way was begun before the service said what it wants
    std::vector<token_waiter*> waiting_{};
};

/// The tokens of one credential. Thread-safe.
class token_cache {
public:
    static constexpr std::size_t most_slots = 100;  ///< kept while unused, at most

    explicit token_cache(std::shared_ptr<token_source> source) : source_(std::move(source)) {}

    bool has_source() const noexcept { return source_ != nullptr; }

    /// `tenant`: as the service named it; empty as long as it has not.
    std::shared_ptr<token_slot> of(std::string const& scope, std::string const& tenant);

    std::size_t size() const {
        std::scoped_lock const lock{mutex_};
        return slots_.size();
    }

private:
    std::shared_ptr<token_source> const source_;
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<token_slot>> slots_{};
};

}  // namespace tablemap::detail
