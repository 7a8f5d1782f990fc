// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/access_range.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"

#include <array>

namespace tablemap::inline v0_1 {
namespace {

failure bad(char const* term, std::string reason) {
    return fail(library_errc::invalid_access_signature, {.reason = std::move(reason), .member = term});
}

/// An empty end would not be sent, and the service would take it for open: the signature would permit more than was
/// asked for.
result<void> check_ends(access_range const& r) {
    struct end {
        std::optional<std::string> const& key;
        char const* term;
        bool may_be_empty;
    };
    std::array<end, 4> const ends{{{r.first_partition, "first_partition", !r.first_row || r.first_row->empty()},
                                   {r.first_row, "first_row", true},
                                   {r.last_partition, "last_partition", false},
                                   {r.last_row, "last_row", false}}};
    for (auto const& [key, term, may_be_empty] : ends) {
        if (!key) continue;
        if (key->empty() && !may_be_empty)
            return bad(term, "the empty key cannot be an end here: the service would take the end for open");
        if (auto const ok = check_key(*key); !ok) return bad(term, ok.error().details().reason);
    }
    if (r.first_row && !r.first_partition) return bad("first_row", "a row key needs first_partition beside it");
    if (r.last_row && !r.last_partition) return bad("last_row", "a row key needs last_partition beside it");
    return {};
}

}  // namespace

result<void> check_access_range(access_range const& r) {
    if (auto ok = check_ends(r); !ok) return ok;
    if (!r.first_partition || !r.last_partition) return {};
    constexpr auto reason = "the range would end before it begins: the smaller key comes first";
    auto const partitions = detail::compare_utf16(*r.first_partition, *r.last_partition);
    if (partitions > 0) return bad("last_partition", reason);
    if (partitions == 0 && r.first_row && r.last_row && detail::compare_utf16(*r.first_row, *r.last_row) > 0)
        return bad("last_row", reason);
    return {};
}

}  // namespace tablemap
