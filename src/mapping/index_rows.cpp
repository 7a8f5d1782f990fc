// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/index_rows.hpp"

namespace tablemap::detail {

error in_index(error const& e, std::string_view index) {
    auto d = e.details();
    std::string where{"in the row of the index "};
    where += index;
    d.reason = d.reason.empty() ? std::move(where) : where + ": " + d.reason;
    return error{e.code(), std::move(d)};
}

}  // namespace tablemap::detail
