// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/blob/blob_container.hpp"
#include "tablemap/store/response.hpp"

#include <optional>
#include <utility>

/// The results of responses to requests of blobs.
namespace tablemap::inline v0_1::detail {

result<void> done(response& answer);

/// The same for a container: after a lost response its being there, or gone, is no error of its own.
result<void> done_to_container(response& answer);

result<etag> etag_of(response& answer);
result<blob_properties> properties_of_blob(response& answer);
result<blob_page> page_of(response& answer);
result<appended_bytes> end_of_append(response& answer);

/// The bytes of a part. Errors: `library_errc::malformed_response` for more or fewer than the properties tell.
struct bytes_of {
    blob_part const& part;
    result<stored_blob> operator()(response& answer) const;
};

/// True if it was carried out, false if it failed in this one expected way.
struct true_unless {
    service_errc expected;
    result<bool> operator()(response& answer) const;
};

/// The same for a goal that is reached in either case.
struct own_doing_unless {
    service_errc expected;
    result<own_doing> operator()(response& answer) const;
};

/// Nothing if the blob is not there.
template <class T> result<std::optional<T>> if_found(result<T>&& r) {
    if (r) return std::optional<T>{*std::move(r)};
    if (r.error().code() == service_errc::blob_not_found) return std::optional<T>{};
    return failure{std::move(r).error()};
}

}  // namespace tablemap::detail
