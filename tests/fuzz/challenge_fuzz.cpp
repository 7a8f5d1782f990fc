// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "base/ascii.hpp"
#include "tablemap/detail/rest/token_cache.hpp"

#include <algorithm>

/// Input: a header WWW-Authenticate. Its tenant can be a part of a URL's path, and the result is no longer than
/// the header.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(challenge) {
    auto const read = detail::parse_challenge(input);
    if (!read) return;
    require(std::all_of(read->tenant.begin(), read->tenant.end(),
                        [](char c) { return detail::is_letter_or_digit(c) || c == '-' || c == '.'; }),
            "a tenant is a name");
    require(read->tenant.size() + read->resource.size() + read->claims.size() <= input.size(), "nothing is made up");
}

}  // namespace tablemap::fuzz
