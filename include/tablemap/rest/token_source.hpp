// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"

#include <functional>
#include <memory>
#include <string>

/// Sources of access tokens of Microsoft Entra ID: a function or a class of the program.
namespace tablemap::inline v0_1 {

/// The purpose that a token is asked for.
struct token_request {
    std::string scope{};     ///< such as "https://storage.azure.com/.default"; never taken from a response
    std::string tenant{};    ///< as the service named it; empty until it has
    std::string resource{};  ///< likewise. What a server says: do not ask for tokens of strangers' resources
    std::string claims{};    ///< further claims that the service demands, in its words; mostly empty
};

/// A token and its expiry. The text is a secret: it occurs in no error.
struct access_token {
    std::string text{};
    ticks expires_on{};
};

/// Takes a token, or the error of getting it, exactly once, on any thread.
class token_receiver {
public:
    virtual void complete(result<access_token>&& token) noexcept = 0;

protected:
    ~token_receiver() = default;
};

/// Gives access tokens.
///
/// \par Thread safety
/// `get` is called by several threads, for one scope and tenant by one at a time.
class token_source {
public:
    virtual ~token_source() = default;

    /// Answers to `to`, possibly before this call returns. An exception is a response too, after which it must not give
    /// another. It should have a time limit of its own, because requests wait until it answers.
    ///
    /// \par Lifetime
    /// `r` and `to` live until the response.
    virtual void get(token_request const& r, token_receiver& to) = 0;
};

/// Makes a source of a function that returns the token, and may block or throw. It blocks the request that needs the
/// token, asynchronous ones too: if that takes more than microseconds, derive from `token_source` instead.
std::shared_ptr<token_source> make_token_source(std::function<result<access_token>(token_request const&)> get);

}  // namespace tablemap
