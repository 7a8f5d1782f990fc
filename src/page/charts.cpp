// SPDX-License-Identifier: Apache-2.0
#include "page/charts.hpp"

#include "page/types_of_property.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::page {
namespace {

constexpr double width = 100, column_height = 40;

void rectangle(html& to, markup kind, double x, double wide) {
    to.add("<rect class=\"").add(kind).add("\" x=\"").coordinate(x).add("\" width=\"").coordinate(wide);
    to.add("\" height=\"8\"/>");
}

constexpr std::array<markup, 4> fills{markup{"t0"}, markup{"t1"}, markup{"t2"}, markup{"t3"}};

}  // namespace

void draw_bar(html& to, double share) {
    to.add("<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    rectangle(to, "track", 0, width);
    // Something that is there is seen, however small it is.
    if (share > 0) rectangle(to, "fill", 0, std::clamp(share, 0.01, 1.0) * width);
    to.add("</svg>");
}

void draw_types(html& to, property_fact const& p, std::uint64_t rows) {
    to.add("<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    rectangle(to, "track", 0, width);
    double x = 0;
    auto const all = types_of(p);
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto const wide = std::max(0.6, static_cast<double>(all[i].rows) / static_cast<double>(rows) * width);
        rectangle(to, fills[std::min(i, fills.size() - 1)], x, wide);
        x += wide;
    }
    to.add("</svg>");
}

void draw_slices(html& to, std::vector<key_slice> const& slices) {
    auto const most = std::ranges::max(slices, {}, &key_slice::rows).rows;
    auto const wide = width / static_cast<double>(slices.size());
    to.add("<svg class=\"columns\" viewBox=\"0 0 100 40\" preserveAspectRatio=\"none\" role=\"img\" "
           "aria-label=\"Rows in the order of partition keys\">");
    for (std::size_t i = 0; i < slices.size(); ++i) {
        auto const high =
            std::max(0.6, column_height * static_cast<double>(slices[i].rows) / static_cast<double>(most));
        to.add("<rect class=\"fill\" x=\"").coordinate((static_cast<double>(i) + 0.08) * wide);
        to.add("\" y=\"").coordinate(column_height - high).add("\" width=\"").coordinate(wide * 0.84);
        to.add("\" height=\"").coordinate(high).add("\"><title>").text(slices[i].first);
        if (slices[i].partitions > 1) to.add(" to ").text(slices[i].last);
        to.text(": " + counted(slices[i].rows, "row", "rows") + ", ");
        to.text(counted(slices[i].partitions, "partition", "partitions")).add("</title></rect>");
    }
    to.add("</svg>");
}

}  // namespace tablemap::page
