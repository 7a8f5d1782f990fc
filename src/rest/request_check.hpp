// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

namespace tablemap::inline v0_1::detail {

/// Refuses requests that `tablemap::check_request` refuses, and text that could break out of its place in an HTTP
/// request: etags that are not of the service's form, line breaks in bodies, and the continuations of a readable copy.
/// Errors: as `tablemap::check_request`; `service_errc::invalid_input`; `library_errc::invalid_cursor`.
result<void> check_request(request const& r);

}  // namespace tablemap::detail
