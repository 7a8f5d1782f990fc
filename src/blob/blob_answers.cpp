// SPDX-License-Identifier: Apache-2.0
#include "blob/blob_answers.hpp"

#include "store/retry.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr auto look_for_container = "exists() tells whether the container is there";

failure malformed(char const* reason) { return fail(library_errc::malformed_response, {.reason = reason}); }

/// The bytes that a part of a blob of this size has.
std::uint64_t size_of(std::optional<blob_range> const& part, std::uint64_t whole) noexcept {
    if (!part) return whole;
    auto const left = whole - std::min(part->first, whole);
    return std::min(part->length.value_or(left), left);
}

std::optional<blob_range> const& range_of(request const& what) {
    return std::get<get_blob>(std::get<blob_request>(what)).range;
}

/// True if it was carried out, false if it failed in this one expected way.
result<bool> true_unless(service_errc expected, response const& answer) {
    if (!answer.failure) return true;
    auto const& e = *answer.failure;
    if (e.code() != expected || e.outcome() == outcome::in_doubt) return failure{e};
    return false;
}

/// The same for a goal that is reached in either case.
result<own_doing> own_doing_unless(service_errc expected, response const& answer) {
    if (!answer.failure) return own_doing{true};
    auto const& e = *answer.failure;
    if (e.code() != expected) return failure{e};
    if (e.outcome() != outcome::in_doubt) return own_doing{false};
    return own_doing::unknown(doubt(e, look_for_container));
}

/// Nothing if the blob is not there.
template <class T> result<std::optional<T>> if_found(result<T>&& r) {
    if (r) return std::optional<T>{*std::move(r)};
    if (r.error().code() == service_errc::blob_not_found) return std::optional<T>{};
    return failure{std::move(r).error()};
}

}  // namespace

bool is_gone(error const& e) noexcept {
    return e.code() == service_errc::blob_not_found || e.code() == service_errc::container_not_found;
}

result<void> done(single_answer& answer, request const&) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    return {};
}

result<void> done_to_container(single_answer& answer, request const&) {
    if (!answer.failure) return {};
    auto const& e = *answer.failure;
    bool const may_be_own = e.outcome() == outcome::in_doubt && (e.code() == service_errc::container_already_exists ||
                                                                 e.code() == service_errc::container_not_found);
    return failure{may_be_own ? doubt(e, look_for_container) : e};
}

result<etag> etag_of(single_answer& answer, request const&) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    return std::move(answer.etag);
}

result<blob_properties> properties_of_blob(single_answer& answer, request const&) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service) return malformed("the store sent no properties of the blob");
    return answer.service->blob;
}

result<blob_page> page_of(single_answer& answer, request const&) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service) return malformed("the store sent no list of blobs");
    return blob_page{answer.service->blobs, answer.service->next_blob};
}

result<appended_bytes> end_of_append(single_answer& answer, request const&) {
    if (answer.failure) return failure{*std::move(answer.failure)};
    if (!answer.service)
        return fail(library_errc::malformed_response,
                    {.reason = "the store does not tell the new size", .outcome = outcome::applied});
    return appended_bytes{std::move(answer.etag), answer.service->blob.size};
}

result<stored_blob> bytes_of(single_answer& answer, request const& what) {
    auto properties = properties_of_blob(answer, what);
    if (!properties) return failure{std::move(properties).error()};
    if (answer.body.size() != size_of(range_of(what), properties->size))
        return malformed("the bytes of the blob are cut off, or more than were asked for");
    return stored_blob{*std::move(properties), std::move(answer.body)};
}

result<std::optional<stored_blob>> found_bytes(single_answer& answer, request const& what) {
    return if_found(bytes_of(answer, what));
}

result<std::optional<blob_properties>> found_properties(single_answer& answer, request const& what) {
    return if_found(properties_of_blob(answer, what));
}

result<bool> existence(single_answer& answer, request const&) {
    return true_unless(service_errc::container_not_found, answer);
}

result<bool> own_erasure(single_answer& answer, request const&) {
    return true_unless(service_errc::blob_not_found, answer);
}

result<own_doing> own_creation(single_answer& answer, request const&) {
    return own_doing_unless(service_errc::container_already_exists, answer);
}

result<own_doing> own_deletion(single_answer& answer, request const&) {
    return own_doing_unless(service_errc::container_not_found, answer);
}

}  // namespace tablemap::detail
