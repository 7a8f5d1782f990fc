// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/html.hpp"
#include "page/report.hpp"

/// Drawings in SVG. What they show also stands beside them as text.
namespace tablemap::inline v0_1::page {

/// A bar of which this share, 0 to 1, is filled.
void draw_bar(html& to, double share);

/// A bar of these rows, with the share of each type of the property, most rows first.
void draw_types(html& to, property_fact const& p, std::uint64_t rows);

/// A column for each slice, in the order of keys.
void draw_slices(html& to, std::vector<key_slice> const& slices);

}  // namespace tablemap::page
