// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/read_row.hpp"

#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {

int version_in(std::string_view text, std::string_view type) {
    if (!text.starts_with(type)) return 0;
    text.remove_prefix(type.size());
    if (text.empty()) return 1;
    if (!text.starts_with("_v") || text.size() < 3 || text[2] == '0') return 0;
    int version = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data() + 2, last, version);
    return e == std::errc{} && end == last && version >= 2 ? version : 0;
}

result<void> upgrade_row(row_type const& type, int version, dynamic_entity& row) {
    for (; version < type.version; ++version) {
        // One row must not prevent the reading of others, whatever its upgrade throws.
        try {
            type.upgrades[static_cast<std::size_t>(version)](row);
        } catch (...) {
            return fail(library_errc::upgrade_failed,
                        {.reason = "upgrade_from<" + std::to_string(version) +
                                   "> threw an exception; let it check that a property is there before it reads it",
                         .member = std::string{type.discriminator.property}});
        }
    }
    return {};
}

error row_error(std::vector<property_fault> faults) {
    auto const describe = [](property_fault const& f) {
        std::string text;
        if (!f.found.empty()) text += "it holds " + f.found + " where " + f.expected + " is expected";
        if (!f.reason.empty()) text += (text.empty() ? "" : "; ") + f.reason;
        return text;
    };
    error_details d;
    if (faults.size() == 1) {
        d.reason = describe(faults.front());
        d.member = faults.front().property;
    } else {
        d.reason = "the first of " + std::to_string(faults.size()) + " faults";
        int number = 0;
        for (auto const& f : faults) {
            d.reason += (number == 0 ? ": (" : "; (") + std::to_string(number + 1) + ") ";
            ++number;
            if (!f.property.empty()) d.reason += "property '" + f.property + "', ";
            d.reason += f.code.message() + ": " + describe(f);
        }
    }
    auto const code = faults.front().code;
    d.faults = std::move(faults);
    return error{code, std::move(d)};
}

}  // namespace tablemap::detail
