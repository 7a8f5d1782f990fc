// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/access_range.hpp"

namespace tablemap::inline v0_1::detail {

result<access_range> one_partition(query_keys&& keys) {
    if (keys.partitions.size() == 1) return access_range::partition(std::move(keys.partitions.front()));
    return fail(library_errc::invalid_access_signature,
                {.reason = "the rows are spread over several partitions (spread<N>), and a signature is for one range: "
                           "make one for each bucket with access_range::partition"});
}

result<void> check_range_parts(part_layout const* parts, bool const* equal, std::size_t count, bool& differs) {
    for (std::size_t i = 0; i < count; ++i) {
        differs = differs || !equal[i];
        if (!differs || parts[i].kind == part_kind::literal || sorts_by_value(parts[i], i + 1 == count)) continue;
        return fail(library_errc::invalid_access_signature,
                    {.reason =
                         "this part does not sort in keys as its values do (spread<N>, hashed(), a number without "
                         "width(n), text that other parts follow, a converter without keeps_order), so a range from "
                         "key to key would hold other rows than those between the values: give both keys one value up "
                         "to this part, or make an access_range of key texts",
                     .member = std::string{parts[i].name}});
    }
    return {};
}

}  // namespace tablemap::detail
