// SPDX-License-Identifier: Apache-2.0
#include "blob/blob_calls.hpp"

#include "blob/blob_answers.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/edm/names.hpp"

#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail::blob_calls {
namespace {

/// Refuses a write under an etag that was not read.
template <class V> single_call<V> unless_unread(bool is_unread, single_call<V> c) {
    if (is_unread)
        c.fault = error{library_errc::missing_etag,
                        {.reason = "take the etag of a blob that was read, or say absent(), present() or any()"}}
                      .in(action_of(c.what), table_of(c.what));
    return c;
}

/// The following page of a list, or the error of one that does not end.
result<std::optional<std::string>> next_page(blob_page& page, page_progress& progress, call_options const& o) {
    auto const next = page.next ? std::optional{continuation{*page.next, {}}} : std::nullopt;
    if (auto const stuck = progress.stuck_at(next, page.blobs.empty(), o)) return failure{*stuck};
    return std::move(page.next);
}

}  // namespace

void check_name(std::string const& container) {
    if (auto const good = check_resource_name(container); !good) throw good.error().in("open container", container);
}

// ---- the container --------------------------------------------------------------------------------------------------

single_call<void> create(std::string_view container) {
    return {blob_request{create_container{container}}, done_to_container};
}

single_call<own_doing> create_if_not_exists(std::string_view container) {
    return {blob_request{create_container{container}}, own_creation};
}

single_call<void> delete_container(std::string_view container) {
    return {blob_request{tablemap::delete_container{container}}, done_to_container};
}

single_call<own_doing> delete_if_exists(std::string_view container) {
    return {blob_request{tablemap::delete_container{container}}, own_deletion};
}

single_call<bool> exists(std::string_view container) {
    return {blob_request{list_blobs{.container = container, .top = 1}}, existence};
}

// ---- whole blobs ----------------------------------------------------------------------------------------------------

single_call<etag> put(std::string_view container, std::string_view blob, std::string_view content,
                      blob_state const& when, std::string_view content_type) {
    blob_request const what = put_blob{container, blob, content, content_type, when.condition()};
    return unless_unread<etag>(when.is_unread(), {what, etag_of});
}

single_call<stored_blob> get(std::string_view container, std::string_view blob, blob_part const& part) {
    return {blob_request{get_blob{container, blob, part.range, {.if_match = part.etag.text()}}}, bytes_of};
}

single_call<std::optional<stored_blob>> find(std::string_view container, std::string_view blob, blob_part const& part) {
    return {get(container, blob, part).what, found_bytes};
}

single_call<blob_properties> properties(std::string_view container, std::string_view blob) {
    return {blob_request{head_blob{container, blob}}, properties_of_blob};
}

single_call<std::optional<blob_properties>> find_properties(std::string_view container, std::string_view blob) {
    return {blob_request{head_blob{container, blob}}, found_properties};
}

single_call<void> erase(std::string_view container, std::string_view blob, etag const& e) {
    blob_request const what = delete_blob{container, blob, {.if_match = e.text()}};
    return unless_unread<void>(e.empty(), {what, done});
}

single_call<bool> erase_any(std::string_view container, std::string_view blob) {
    return {blob_request{delete_blob{container, blob}}, own_erasure};
}

// ---- lists ----------------------------------------------------------------------------------------------------------

single_call<blob_page> page(std::string_view container, blob_selection const& which) {
    return {blob_request{list_blobs{container, which.prefix, which.from, which.top}}, page_of};
}

task<result<std::vector<blob_properties>>> list(std::string container, std::string prefix) {
    auto const call = co_await this_call();
    std::vector<blob_properties> all;
    page_progress progress;
    std::optional<std::string> from{std::in_place};
    while (from) {
        request const what = blob_request{list_blobs{container, prefix, *from}};
        single_answer answer;
        auto got = co_await ask(what);
        static_cast<response&>(answer) = std::move(got);
        auto page = page_of(answer, what);
        if (!page) co_return failure{page.error()};
        all.insert(all.end(), std::move_iterator{page->blobs.begin()}, std::move_iterator{page->blobs.end()});
        auto next = next_page(*page, progress, call.env.options());
        if (!next) co_return failure{next.error()};
        from = *std::move(next);
    }
    co_return all;
}

// ---- append blobs ---------------------------------------------------------------------------------------------------

single_call<etag> create_append(std::string_view container, std::string_view blob, blob_state const& when,
                                std::string_view content_type) {
    blob_request const what = create_append_blob{container, blob, content_type, when.condition()};
    return unless_unread<etag>(when.is_unread(), {what, etag_of});
}

single_call<appended_bytes> append(std::string_view container, std::string_view blob, std::string_view content,
                                   std::uint64_t position) {
    return {blob_request{append_block{container, blob, content, position}}, end_of_append};
}

single_call<appended_bytes> append_anywhere(std::string_view container, std::string_view blob,
                                            std::string_view content) {
    return {blob_request{append_block{container, blob, content}}, end_of_append};
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

single_call<void> stage(std::string_view container, std::string_view blob, std::string_view block,
                        std::string_view content) {
    return {blob_request{stage_block{container, blob, block, content}}, done};
}

single_call<etag> commit(std::string_view container, std::string_view blob, std::span<std::string_view const> blocks,
                         blob_state const& when, std::string_view content_type) {
    blob_request const what = commit_blocks{container, blob, blocks, content_type, when.condition()};
    return unless_unread<etag>(when.is_unread(), {what, etag_of});
}

}  // namespace tablemap::detail::blob_calls
