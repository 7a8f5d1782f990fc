// SPDX-License-Identifier: Apache-2.0
#include "serve/page_call.hpp"

#include "serve/page_guard.hpp"

#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

bool names_a_page(std::string_view target) {
    auto const path = target.substr(0, target.find('?'));
    return path == "/" || path.starts_with("/-/");
}

}  // namespace

bool is_for_pages(incoming const& in) noexcept {
    auto const& r = in.message;
    if ((r.method != "GET" && r.method != "HEAD") || !names_a_page(r.target)) return false;
    auto const site = header_of(r, "Sec-Fetch-Site");
    if (site && *site != "none" && *site != "same-origin") return false;
    auto const host = header_of(r, "Host");
    return host && names_this_machine(*host);
}

void append_page_headers(http_response& answer) {
    for (auto const& [name, value] :
         {std::pair{"Cache-Control", "no-store"}, std::pair{"X-Content-Type-Options", "nosniff"},
          std::pair{"X-Frame-Options", "DENY"}, std::pair{"Referrer-Policy", "no-referrer"},
          std::pair{"Cross-Origin-Resource-Policy", "same-origin"}})
        answer.headers.emplace_back(name, value);
}

}  // namespace tablemap::detail::serve
