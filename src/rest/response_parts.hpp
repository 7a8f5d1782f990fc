// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"
#include "tablemap/store/response.hpp"

#include <string>
#include <string_view>
#include <utility>

/// Functions that all readers of responses share.
namespace tablemap::inline v0_1::detail {

inline response malformed(std::string reason, outcome o = outcome::not_applied) {
    return response::failed(error{library_errc::malformed_response, {.reason = std::move(reason), .outcome = o}});
}

/// The value of a header; empty if there is none.
inline std::string_view value_of(http_response const& answer, std::string_view name) noexcept {
    auto const* h = answer.header(name);
    return h ? std::string_view{*h} : std::string_view{};
}

/// A text that was cut off is no etag: to send it back would look like another writer's change.
inline bool is_etag(std::string_view text) noexcept { return text.size() > 2 && text.ends_with('"'); }

}  // namespace tablemap::detail
