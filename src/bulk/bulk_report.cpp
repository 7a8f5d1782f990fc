// SPDX-License-Identifier: Apache-2.0
#include "tablemap/bulk/bulk_report.hpp"

namespace tablemap::inline v0_1 {

void bulk_report::require_complete() const {
    if (ended_by) throw *ended_by;
    if (!problems.empty()) throw problems.front().error;
    if (!ledger.complete())
        throw error{library_errc::incomplete_write,
                    {.reason = "the ledger tells which rows are not stored", .action = "bulk write"}};
}

void erase_report::require_complete() const {
    if (ended_by) throw *ended_by;
    if (!problems.empty()) throw problems.front().error;
    if (!complete())
        throw error{library_errc::incomplete_write,
                    {.reason = "not all rows could be erased", .action = "erase_where"}};
}

}  // namespace tablemap
