// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/mapping/decode.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// True if a row cannot be decoded, false if a request failed.
inline bool is_of_row(error const& e) noexcept {
    bool const of_request = e.code() == library_errc::response_lost || e.code() == library_errc::deadline_exceeded ||
                            e.code() == library_errc::cancelled || e.code() == library_errc::too_many_conflicts;
    return e.source() == error_source::library && !of_request;
}

/// The report of a check while it is made.
template <class Report> class check_findings {
public:
    /// Findings that were not repaired take the place of others, since somebody has to look at them.
    template <class Finding> void add(Finding finding) {
        auto& count = report.counts[static_cast<std::size_t>(finding.fault)];
        ++count.found;
        if (finding.repaired) ++count.repaired;
        auto& listed = report.findings;
        if (listed.size() == Report::most_listed) {
            if (finding.repaired) return;
            auto const settled = std::find_if(listed.begin(), listed.end(), [](auto const& f) { return f.repaired; });
            if (settled == listed.end()) return;
            listed.erase(settled);
        }
        listed.push_back(std::move(finding));
    }

    /// Several values may lead to one row.
    void add_unreadable(bad_row row) {
        auto const is_same = [&](bad_row const& r) {
            return r.partition_key == row.partition_key && r.row_key == row.row_key;
        };
        auto& rows = report.unreadable;
        if (rows.size() == Report::most_listed) return;
        if (std::none_of(rows.begin(), rows.end(), is_same)) rows.push_back(std::move(row));
    }

    /// Lists a row that cannot be decoded. Other errors end the check.
    result<void> add_unreadable_unless_request(entity_key row, error const& e) {
        if (!is_of_row(e)) return failure{e};
        add_unreadable({std::move(row.partition_key), std::move(row.row_key), e});
        return {};
    }

    Report report{};
};

}  // namespace tablemap::detail
