// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {

/// A request as it came, and who sent it.
struct incoming {
    http_request message{};
    std::string peer{};      ///< the sender's address
    bool encrypted = false;  ///< it came over TLS
};

/// The first header of this name, whatever its case.
std::optional<std::string_view> header_of(http_request const& r, std::string_view name) noexcept;

/// The parameters of a query, decoded.
class parameters {
public:
    /// Refuses a query with a name twice, of which two readers could take different values, and one of too many names.
    explicit parameters(std::string_view query);

    std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// The value of a name; empty if it is missing.
    std::string_view text(std::string_view name) const noexcept { return find(name).value_or(std::string_view{}); }

private:
    std::vector<std::pair<std::string, std::string>> all_;
};

}  // namespace tablemap::detail::serve
