// SPDX-License-Identifier: Apache-2.0
#include "rest/transport_settings.hpp"

#include "tablemap/rest/transport.hpp"

#include "base/ascii.hpp"

#if TABLEMAP_HAS_CPPREST
#include "tablemap/rest/cpprest_transport.hpp"
#endif
#if TABLEMAP_HAS_BEAST
#include "tablemap/rest/beast_transport.hpp"
#endif

#include <algorithm>
#include <array>

namespace tablemap::inline v0_1 {
namespace {

struct kind {
    std::string_view name;
    std::shared_ptr<transport> (*make)(http_origin const&, transport_options const&);
};

constexpr std::array kinds {
#if TABLEMAP_HAS_CPPREST
    kind{"cpprest", make_cpprest_transport},
#endif
#if TABLEMAP_HAS_BEAST
        kind{"beast", make_beast_transport},
#endif
};

constexpr auto names = [] {
    std::array<std::string_view, kinds.size()> all;
    std::transform(kinds.begin(), kinds.end(), all.begin(), [](kind const& k) { return k.name; });
    return all;
}();

std::string listed() {
    std::string all;
    for (auto const name : names) all.append(all.empty() ? "" : " and ").append(name);
    return all;
}

}  // namespace

std::span<std::string_view const> transport_names() noexcept { return names; }

std::shared_ptr<transport> make_transport(http_origin const& origin, transport_options const& options) {
    auto const wanted = options.name.empty() ? kinds.front().name : std::string_view{options.name};
    auto const at = std::find_if(kinds.begin(), kinds.end(),
                                 [&](kind const& k) { return detail::equal_ignoring_case(k.name, wanted); });
    if (at == kinds.end())
        throw error{library_errc::invalid_connection_string,
                    {.reason = "this build has no transport of that name; it has " + listed()}};
    detail::check_origin(origin);
    return at->make(origin, options);
}

}  // namespace tablemap
