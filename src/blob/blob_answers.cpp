// SPDX-License-Identifier: Apache-2.0
#include "blob/blob_answers.hpp"

#include "store/retry.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr auto look_for_container = "exists() tells whether the container is there";

failure malformed(char const* reason) { return fail(library_errc::malformed_response, {.reason = reason}); }

/// The bytes that a part of a blob of this size has.
std::uint64_t size_of(blob_part const& part, std::uint64_t whole) noexcept {
    if (!part.range) return whole;
    auto const left = whole - std::min(part.range->first, whole);
    return std::min(part.range->length.value_or(left), left);
}

}  // namespace

result<void> done(response& answer) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    return {};
}

result<void> done_to_container(response& answer) {
    if (!answer.failure) return {};
    auto const& e = *answer.failure;
    bool const may_be_own = e.outcome() == outcome::in_doubt && (e.code() == service_errc::container_already_exists ||
                                                                 e.code() == service_errc::container_not_found);
    return failure{may_be_own ? doubt(e, look_for_container) : e};
}

result<etag> etag_of(response& answer) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    return std::move(answer.etag);
}

result<blob_properties> properties_of_blob(response& answer) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service) return malformed("the store sent no properties of the blob");
    return answer.service->blob;
}

result<blob_page> page_of(response& answer) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service) return malformed("the store sent no list of blobs");
    return blob_page{answer.service->blobs, answer.service->next_blob};
}

result<appended_bytes> end_of_append(response& answer) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service)
        return fail(library_errc::malformed_response,
                    {.reason = "the store does not tell the new size", .outcome = outcome::applied});
    return appended_bytes{std::move(answer.etag), answer.service->blob.size};
}

result<stored_blob> bytes_of::operator()(response& answer) const {
    auto properties = properties_of_blob(answer);
    if (!properties) return failure{std::move(properties).error()};
    if (answer.body.size() != size_of(part, properties->size))
        return malformed("the bytes of the blob are cut off, or more than were asked for");
    return stored_blob{*std::move(properties), std::move(answer.body)};
}

result<bool> true_unless::operator()(response& answer) const {
    if (!answer.failure) return true;
    auto const& e = *answer.failure;
    if (e.code() != expected || e.outcome() == outcome::in_doubt) return failure{e};
    return false;
}

result<own_doing> own_doing_unless::operator()(response& answer) const {
    if (!answer.failure) return own_doing{true};
    auto const& e = *answer.failure;
    if (e.code() != expected) return failure{e};
    if (e.outcome() != outcome::in_doubt) return own_doing{false};
    return own_doing::unknown(doubt(e, look_for_container));
}

}  // namespace tablemap::detail
