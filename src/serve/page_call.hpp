// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"

namespace tablemap::inline v0_1::detail::serve {

/// True for a read of `/`, or of what lies below `/-/`, as a browser on this machine asks for it. No account has the
/// name `-`. The host must be one of this machine's own names: a page of a stranger that lets its name point here asks
/// with that name. Links of other sites are not followed either.
bool is_for_pages(incoming const& in) noexcept;

/// Adds what keeps a page from being framed, stored, or read by others.
void append_page_headers(http_response& answer);

}  // namespace tablemap::detail::serve
