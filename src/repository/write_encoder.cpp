// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/write_encoder.hpp"

namespace tablemap::detail {

std::string_view name_of(encoded_write const& w) noexcept {
    if (w.if_match != any_etag) return action_of(w.kind);
    return w.kind == write_kind::replace ? "replace_any" : w.kind == write_kind::merge ? "merge_any" : "erase_any";
}

std::optional<error> fault_of(result<void> const& r) { return r ? std::nullopt : std::optional{r.error()}; }

error no_etag(std::string_view unconditional) {
    return error{
        library_errc::missing_etag,
        {.reason = "find the entity by its key before it is written, since one that comes out of an index has no etag, "
                   "or modify it, or use " +
                   std::string{unconditional}}};
}

error merge_of_outdated() {
    return error{library_errc::outdated_entity,
                 {.reason = "a merge would leave old properties beside new ones; replace the entity, or migrate the "
                            "table"}};
}

}  // namespace tablemap::detail
