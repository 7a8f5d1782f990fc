// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/edm/converter.hpp"

#include <filesystem>
#include <string>

namespace tablemap::inline v0_1 {

/// Stores a path as Edm.String, in the generic form with `/`, so that paths can be exchanged between systems.
///
/// Writing refuses a path that is not UTF-8, as some files of Linux have (`library_errc::invalid_text`).
template <> struct converter<std::filesystem::path> {
    using stored = std::string;
    static result<stored> to_property(std::filesystem::path const& p);
    static std::filesystem::path from_property(stored const& text);
};

}  // namespace tablemap
