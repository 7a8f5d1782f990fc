// SPDX-License-Identifier: Apache-2.0
#include "page/drift_text.hpp"

#include "page/html.hpp"

namespace tablemap::inline v0_1::page {

std::string drift_text(inspect::drift const& d) {
    auto text = d.entity;
    if (!d.member.empty()) text += '.' + d.member;
    if (!text.empty()) text += ": ";
    text += d.what;
    if (d.rows > 0) text += ", in " + counted(d.rows, "row", "rows");
    return d.remedy.empty() ? text : text + "; " + d.remedy;
}

}  // namespace tablemap::page
