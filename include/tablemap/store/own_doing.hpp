// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <optional>

namespace tablemap::inline v0_1 {

/// The result of a call such as `create_if_not_exists`, which succeeds whoever did it: true if this call did. After a
/// lost response that is not known.
class own_doing {
public:
    own_doing(bool did_it = false) noexcept : did_it_(did_it) {}

    /// The goal is reached; it is not known whether by this call, for the reason `why`.
    static own_doing unknown(error const& why);

    bool is_known() const noexcept { return !doubt_; }

    /// Why it is not known; null if it is.
    error const* doubt() const noexcept { return doubt_ ? &*doubt_ : nullptr; }

    /// True if this call did it.
    ///
    /// \throws error `library_errc::response_lost`, in doubt, if that is not known
    operator bool() const;

private:
    bool did_it_;
    std::optional<error> doubt_;
};

}  // namespace tablemap
