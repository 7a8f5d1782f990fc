// SPDX-License-Identifier: Apache-2.0
#include "tablemap/blob/blob_container.hpp"

#include "blob/blob_answers.hpp"
#include "store/single_call.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using namespace detail;

/// The error of a write under an etag that was not read.
failure unread(request const& r) {
    return failure{error{library_errc::missing_etag,
                         {.reason = "take the etag of a blob that was read, or say absent(), present() or any()"}}
                       .in(action_of(r), table_of(r))};
}

result<etag> write(store& s, request const& r, blob_state const& when, call_options const& o) {
    if (when.is_unread()) return unread(r);
    return carry_out(s, r, o, etag_of);
}

struct listing {
    std::string const& container;
    operation_label label() const noexcept { return {"list blobs of container", container}; }
};

}  // namespace

blob_container::blob_container(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    if (auto const good = check_resource_name(name_); !good) throw good.error().in("open container", name_);
}

// ---- the container --------------------------------------------------------------------------------------------------

void blob_container::create(call_options const& o) const { value_or_throw(try_create(o)); }
result<void> blob_container::try_create(call_options const& o) const {
    return carry_out(*store_, create_container{name_}, o, done_to_container);
}

own_doing blob_container::create_if_not_exists(call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(o));
}
result<own_doing> blob_container::try_create_if_not_exists(call_options const& o) const {
    return carry_out(*store_, create_container{name_}, o, own_doing_unless{service_errc::container_already_exists});
}

void blob_container::delete_container(call_options const& o) const { value_or_throw(try_delete_container(o)); }
result<void> blob_container::try_delete_container(call_options const& o) const {
    return carry_out(*store_, tablemap::delete_container{name_}, o, done_to_container);
}

own_doing blob_container::delete_if_exists(call_options const& o) const {
    return value_or_throw(try_delete_if_exists(o));
}
result<own_doing> blob_container::try_delete_if_exists(call_options const& o) const {
    return carry_out(*store_, tablemap::delete_container{name_}, o,
                     own_doing_unless{service_errc::container_not_found});
}

bool blob_container::exists(call_options const& o) const { return value_or_throw(try_exists(o)); }
result<bool> blob_container::try_exists(call_options const& o) const {
    return carry_out(*store_, list_blobs{.container = name_, .top = 1}, o,
                     true_unless{service_errc::container_not_found});
}

// ---- whole blobs ----------------------------------------------------------------------------------------------------

etag blob_container::put(std::string_view blob, std::string_view content, blob_state const& when,
                         std::string_view content_type, call_options const& o) const {
    return value_or_throw(try_put(blob, content, when, content_type, o));
}
result<etag> blob_container::try_put(std::string_view blob, std::string_view content, blob_state const& when,
                                     std::string_view content_type, call_options const& o) const {
    return write(*store_, put_blob{name_, blob, content, content_type, when.condition()}, when, o);
}

stored_blob blob_container::get(std::string_view blob, blob_part const& part, call_options const& o) const {
    return value_or_throw(try_get(blob, part, o));
}
result<stored_blob> blob_container::try_get(std::string_view blob, blob_part const& part, call_options const& o) const {
    return carry_out(*store_, get_blob{name_, blob, part.range, {.if_match = part.etag.text()}}, o, bytes_of{part});
}

std::optional<stored_blob> blob_container::find(std::string_view blob, blob_part const& part,
                                                call_options const& o) const {
    return value_or_throw(try_find(blob, part, o));
}
result<std::optional<stored_blob>> blob_container::try_find(std::string_view blob, blob_part const& part,
                                                            call_options const& o) const {
    return if_found(try_get(blob, part, o));
}

blob_properties blob_container::properties(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_properties(blob, o));
}
result<blob_properties> blob_container::try_properties(std::string_view blob, call_options const& o) const {
    return carry_out(*store_, head_blob{name_, blob}, o, detail::properties_of_blob);
}

std::optional<blob_properties> blob_container::find_properties(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_find_properties(blob, o));
}
result<std::optional<blob_properties>> blob_container::try_find_properties(std::string_view blob,
                                                                           call_options const& o) const {
    return if_found(try_properties(blob, o));
}

void blob_container::erase(std::string_view blob, etag const& e, call_options const& o) const {
    value_or_throw(try_erase(blob, e, o));
}
result<void> blob_container::try_erase(std::string_view blob, etag const& e, call_options const& o) const {
    request const r = delete_blob{name_, blob, {.if_match = e.text()}};
    if (e.empty()) return unread(r);
    return carry_out(*store_, r, o, done);
}

bool blob_container::erase_any(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_erase_any(blob, o));
}
result<bool> blob_container::try_erase_any(std::string_view blob, call_options const& o) const {
    return carry_out(*store_, delete_blob{name_, blob}, o, true_unless{service_errc::blob_not_found});
}

// ---- lists ----------------------------------------------------------------------------------------------------------

blob_page blob_container::page(blob_selection const& which, call_options const& o) const {
    return value_or_throw(try_page(which, o));
}
result<blob_page> blob_container::try_page(blob_selection const& which, call_options const& o) const {
    return carry_out(*store_, list_blobs{name_, which.prefix, which.from, which.top}, o, page_of);
}

std::vector<blob_properties> blob_container::list(std::string_view prefix, call_options const& o) const {
    return value_or_throw(try_list(prefix, o));
}
result<std::vector<blob_properties>> blob_container::try_list(std::string_view prefix, call_options const& o) const {
    call_context call{*store_, o};
    call.named(listing{name_});
    result<std::vector<blob_properties>> all;
    page_progress progress;
    std::optional<std::string> from{std::in_place};
    while (all && from) {
        auto answer = ask_now(*store_, list_blobs{name_, prefix, *from}, call);
        auto page = page_of(answer);
        if (!page) {
            all = failure{page.error().in(listing{name_}.label().action, name_)};
            break;
        }
        all->insert(all->end(), std::move_iterator{page->blobs.begin()}, std::move_iterator{page->blobs.end()});
        from = std::move(page->next);
        auto const next = from ? std::optional{continuation{*from, {}}} : std::nullopt;
        if (auto const stuck = progress.stuck_at(next, page->blobs.empty(), o))
            all = failure{stuck->in(listing{name_}.label().action, name_)};
    }
    call.ended(all);
    return all;
}

// ---- append blobs ---------------------------------------------------------------------------------------------------

etag blob_container::create_append(std::string_view blob, blob_state const& when, std::string_view content_type,
                                   call_options const& o) const {
    return value_or_throw(try_create_append(blob, when, content_type, o));
}
result<etag> blob_container::try_create_append(std::string_view blob, blob_state const& when,
                                               std::string_view content_type, call_options const& o) const {
    return write(*store_, create_append_blob{name_, blob, content_type, when.condition()}, when, o);
}

appended_bytes blob_container::append(std::string_view blob, std::string_view content, std::uint64_t position,
                                      call_options const& o) const {
    return value_or_throw(try_append(blob, content, position, o));
}
result<appended_bytes> blob_container::try_append(std::string_view blob, std::string_view content,
                                                  std::uint64_t position, call_options const& o) const {
    return carry_out(*store_, append_block{name_, blob, content, position}, o, end_of_append);
}

appended_bytes blob_container::append_anywhere(std::string_view blob, std::string_view content,
                                               call_options const& o) const {
    return value_or_throw(try_append_anywhere(blob, content, o));
}
result<appended_bytes> blob_container::try_append_anywhere(std::string_view blob, std::string_view content,
                                                           call_options const& o) const {
    return carry_out(*store_, append_block{name_, blob, content}, o, end_of_append);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

void blob_container::stage(std::string_view blob, std::string_view block, std::string_view content,
                           call_options const& o) const {
    value_or_throw(try_stage(blob, block, content, o));
}
result<void> blob_container::try_stage(std::string_view blob, std::string_view block, std::string_view content,
                                       call_options const& o) const {
    return carry_out(*store_, stage_block{name_, blob, block, content}, o, done);
}

etag blob_container::commit(std::string_view blob, std::span<std::string_view const> blocks, blob_state const& when,
                            std::string_view content_type, call_options const& o) const {
    return value_or_throw(try_commit(blob, blocks, when, content_type, o));
}
result<etag> blob_container::try_commit(std::string_view blob, std::span<std::string_view const> blocks,
                                        blob_state const& when, std::string_view content_type,
                                        call_options const& o) const {
    return write(*store_, commit_blocks{name_, blob, blocks, content_type, when.condition()}, when, o);
}

}  // namespace tablemap
