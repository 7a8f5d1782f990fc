// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/result.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

/// Responses to requests that the server does not carry out.
namespace tablemap::inline v0_1::detail::serve {

/// The refusal of a request: a status of HTTP, the service's code, and a message for people.
class refused : public std::runtime_error {
public:
    refused(int status, std::string code, std::string const& message)
        : std::runtime_error(message), status_(status), code_(std::move(code)) {}

    int status() const noexcept { return status_; }
    std::string const& code() const noexcept { return code_; }

    /// The operation at fault in a group transaction, from 0.
    std::optional<std::size_t> index{};

private:
    int status_;
    std::string code_;
};

/// The refusal for a failure of the store. A write that may be stored gets a status of which clients know that.
refused refusal_of(error const& e);

/// The same for a write. One that another server refused with a code that nobody knows was not carried out, which a
/// status of 500 would leave open.
refused refusal_of_write(error const& e);

// Refusals that several requests have, with the service's own messages.
[[noreturn]] void refuse_input(std::string const& message);
[[noreturn]] void refuse_authentication(std::string const& why);
[[noreturn]] void refuse_authorization(std::string const& code, std::string const& why);
[[noreturn]] void refuse_method();

/// The value of a result. Throws the refusal for one that is an error.
template <class T> T accepted(result<T> r) {
    if (!r) throw refusal_of(r.error());
    return *std::move(r);
}

}  // namespace tablemap::detail::serve
