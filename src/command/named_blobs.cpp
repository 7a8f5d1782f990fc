// SPDX-License-Identifier: Apache-2.0
#include "command/named_blobs.hpp"

#include "base/digit_groups.hpp"

#include "tablemap/mapping/large.hpp"

#include <algorithm>
#include <variant>

namespace tablemap::inline v0_1::command {
namespace {

bool names_blob(property const& p) {
    auto const* const text = std::get_if<std::string>(&p.value);
    return text && text->starts_with('@') && detail::read_reference(*text);
}

}  // namespace

void named_blobs::look_at(dynamic_entity const& row) {
    auto const all = row.properties();
    if (std::any_of(all.begin(), all.end(), names_blob)) ++rows_;
}

void named_blobs::report(std::string const& table, console& c) const {
    if (rows_ == 0) return;
    c.note(table + ": " + detail::counted(rows_, "row names", "rows name") +
           " blobs of large members, which are not copied; copy their container, too, and let no sweep run "
           "until that is done");
}

}  // namespace tablemap::inline v0_1::command
