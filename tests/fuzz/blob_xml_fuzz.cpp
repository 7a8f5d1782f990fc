// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "rest/blob_xml.hpp"

/// Input: a list of blobs. Each that is read has a name and an etag that can be sent back.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(blob_xml) {
    auto const list = detail::read_blob_list(input);
    if (!list) return;
    for (auto const& b : list->blobs) {
        require(!b.name.empty(), "a blob has a name");
        require(b.etag.text().ends_with('"'), "an etag has quotes");
    }
}

}  // namespace tablemap::fuzz
