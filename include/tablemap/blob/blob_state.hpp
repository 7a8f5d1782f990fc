// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/etag.hpp"
#include "tablemap/store/blob_request.hpp"
#include "tablemap/store/request.hpp"

#include <string>

namespace tablemap::inline v0_1 {

/// The state that a blob must have for a write to be carried out: an etag that was read, absence, or any.
class blob_state {
public:
    /// The blob is as it was when it had this etag. A write with an empty one fails with `library_errc::missing_etag`.
    blob_state(tablemap::etag const& e) : match_(e), unread_(e.empty()) {}

    /// There is no blob of the name.
    static blob_state absent() noexcept {
        blob_state s;
        s.absent_ = true;
        return s;
    }

    /// There is a blob of the name, whatever it holds: the write may destroy what another writer has just stored.
    static blob_state present() {
        blob_state s;
        s.match_ = tablemap::etag{std::string{any_etag}};
        return s;
    }

    /// No condition: the write may destroy what another writer has just stored.
    static blob_state any() noexcept { return {}; }

    /// True if it was made of an empty etag.
    bool is_unread() const noexcept { return unread_; }

    /// The same as a part of a request, which borrows from this.
    blob_condition condition() const& noexcept { return {.if_match = match_.text(), .if_absent = absent_}; }
    blob_condition condition() const&& = delete;

private:
    blob_state() = default;

    tablemap::etag match_{};
    bool absent_ = false;
    bool unread_ = false;
};

}  // namespace tablemap
