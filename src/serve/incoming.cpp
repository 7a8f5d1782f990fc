// SPDX-License-Identifier: Apache-2.0
#include "serve/incoming.hpp"

#include "base/ascii.hpp"
#include "rest/url.hpp"
#include "serve/refused.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t most_parameters = 64;

/// In a query, other than in a path, a plus stands for a blank.
std::string decoded(std::string_view text) {
    std::string plain{text};
    std::replace(plain.begin(), plain.end(), '+', ' ');
    return percent_decoded(plain);
}

}  // namespace

std::optional<std::string_view> header_of(http_request const& r, std::string_view name) noexcept {
    for (auto const& [n, value] : r.headers)
        if (equal_ignoring_case(n, name)) return value;
    return std::nullopt;
}

parameters::parameters(std::string_view query) {
    while (!query.empty()) {
        auto value = take_field(query, '&');
        if (value.empty()) continue;
        auto const spelling = take_field(value, '=');
        auto name = decoded(spelling);
        // A signature with the account's key covers this parameter alone, and only if it is spelt so.
        if (name == "comp" && name != spelling)
            throw refused{400, "InvalidQueryParameterValue", "The query has the parameter comp in another spelling."};
        if (name == "sig" && find(name)) refuse_authentication("The query has a signature (sig) twice.");
        if (all_.size() == most_parameters || find(name))
            throw refused{400, "InvalidQueryParameterValue",
                          "The query has a parameter twice, or more parameters than any request needs."};
        all_.emplace_back(std::move(name), decoded(value));
    }
}

std::optional<std::string_view> parameters::find(std::string_view name) const noexcept {
    for (auto const& [n, value] : all_)
        if (n == name) return value;
    return std::nullopt;
}

}  // namespace tablemap::detail::serve
