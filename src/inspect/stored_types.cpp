// SPDX-License-Identifier: Apache-2.0
#include "inspect/stored_types.hpp"

#include "base/digit_groups.hpp"

namespace tablemap::inline v0_1::inspect {

std::string rows_text(std::uint64_t rows) { return detail::counted(rows, "row", "rows"); }

std::string text_of(rows_by_type const& rows) {
    std::string list;
    for (std::size_t t = 0; t < rows.size(); ++t)
        if (rows[t] > 0)
            list += (list.empty() ? "" : ", ") + std::string{edm_name(static_cast<edm_type>(t))} + " in " +
                    rows_text(rows[t]);
    return list;
}

}  // namespace tablemap::inspect
