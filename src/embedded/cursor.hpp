// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// The opaque text of a continuation: a version, then base64 of the text.
namespace tablemap::inline v0_1::detail::embedded {

std::string seal_cursor(std::string_view text);

/// Errors (thrown): `library_errc::invalid_cursor`.
std::string open_cursor(std::string_view sealed);

}  // namespace tablemap::detail::embedded
