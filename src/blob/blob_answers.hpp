// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/single_call.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/blob/blob_container.hpp"

#include <optional>

/// The results of responses to requests of blobs.
namespace tablemap::inline v0_1::detail {

/// True for the error of a blob, or of a container, that is not there.
bool is_gone(error const& e) noexcept;

result<void> done(single_answer& answer, request const& what);

/// The same for a container: after a lost response its being there, or gone, is no error of its own.
result<void> done_to_container(single_answer& answer, request const& what);

/// The same for a goal that is reached whoever creates, or deletes, the container.
result<own_doing> own_creation(single_answer& answer, request const& what);
result<own_doing> own_deletion(single_answer& answer, request const& what);

/// False for a container that is not there.
result<bool> existence(single_answer& answer, request const& what);

/// False for a blob that was not there.
result<bool> own_erasure(single_answer& answer, request const& what);

result<etag> etag_of(single_answer& answer, request const& what);
result<blob_page> page_of(single_answer& answer, request const& what);
result<appended_bytes> end_of_append(single_answer& answer, request const& what);

/// The bytes that a `get_blob` requested. Errors: `library_errc::malformed_response` for more or fewer than the
/// properties tell.
result<stored_blob> bytes_of(single_answer& answer, request const& what);
result<blob_properties> properties_of_blob(single_answer& answer, request const& what);

/// The same; nothing if the blob is not there.
result<std::optional<stored_blob>> found_bytes(single_answer& answer, request const& what);
result<std::optional<blob_properties>> found_properties(single_answer& answer, request const& what);

}  // namespace tablemap::detail
