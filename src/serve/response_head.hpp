// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <string>

namespace tablemap::inline v0_1::detail::serve {

/// The status line and the headers of a response, as they are sent in front of its body. They say how long the body is
/// and, if `is_last`, that the connection ends.
std::string head_of(http_response const& r, bool is_last);

}  // namespace tablemap::detail::serve
