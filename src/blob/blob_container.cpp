// SPDX-License-Identifier: Apache-2.0
#include "tablemap/blob/blob_container.hpp"

#include "blob/blob_calls.hpp"
#include "tablemap/detail/blob/async_blob_calls.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

namespace calls = detail::blob_calls;
using detail::carry_out;

blob_container::blob_container(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    calls::check_name(name_);
}

// ---- the container --------------------------------------------------------------------------------------------------

void blob_container::create(call_options const& o) const { value_or_throw(try_create(o)); }
result<void> blob_container::try_create(call_options const& o) const {
    return carry_out(*store_, calls::create(name_), o);
}

own_doing blob_container::create_if_not_exists(call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(o));
}
result<own_doing> blob_container::try_create_if_not_exists(call_options const& o) const {
    return carry_out(*store_, calls::create_if_not_exists(name_), o);
}

void blob_container::delete_container(call_options const& o) const { value_or_throw(try_delete_container(o)); }
result<void> blob_container::try_delete_container(call_options const& o) const {
    return carry_out(*store_, calls::delete_container(name_), o);
}

own_doing blob_container::delete_if_exists(call_options const& o) const {
    return value_or_throw(try_delete_if_exists(o));
}
result<own_doing> blob_container::try_delete_if_exists(call_options const& o) const {
    return carry_out(*store_, calls::delete_if_exists(name_), o);
}

bool blob_container::exists(call_options const& o) const { return value_or_throw(try_exists(o)); }
result<bool> blob_container::try_exists(call_options const& o) const {
    return carry_out(*store_, calls::exists(name_), o);
}

// ---- whole blobs ----------------------------------------------------------------------------------------------------

etag blob_container::put(std::string_view blob, std::string_view content, blob_state const& when,
                         std::string_view content_type, call_options const& o) const {
    return value_or_throw(try_put(blob, content, when, content_type, o));
}
result<etag> blob_container::try_put(std::string_view blob, std::string_view content, blob_state const& when,
                                     std::string_view content_type, call_options const& o) const {
    return carry_out(*store_, calls::put(name_, blob, content, when, content_type), o);
}

stored_blob blob_container::get(std::string_view blob, blob_part const& part, call_options const& o) const {
    return value_or_throw(try_get(blob, part, o));
}
result<stored_blob> blob_container::try_get(std::string_view blob, blob_part const& part, call_options const& o) const {
    return carry_out(*store_, calls::get(name_, blob, part), o);
}

std::optional<stored_blob> blob_container::find(std::string_view blob, blob_part const& part,
                                                call_options const& o) const {
    return value_or_throw(try_find(blob, part, o));
}
result<std::optional<stored_blob>> blob_container::try_find(std::string_view blob, blob_part const& part,
                                                            call_options const& o) const {
    return carry_out(*store_, calls::find(name_, blob, part), o);
}

blob_properties blob_container::properties(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_properties(blob, o));
}
result<blob_properties> blob_container::try_properties(std::string_view blob, call_options const& o) const {
    return carry_out(*store_, calls::properties(name_, blob), o);
}

std::optional<blob_properties> blob_container::find_properties(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_find_properties(blob, o));
}
result<std::optional<blob_properties>> blob_container::try_find_properties(std::string_view blob,
                                                                           call_options const& o) const {
    return carry_out(*store_, calls::find_properties(name_, blob), o);
}

void blob_container::erase(std::string_view blob, etag const& e, call_options const& o) const {
    value_or_throw(try_erase(blob, e, o));
}
result<void> blob_container::try_erase(std::string_view blob, etag const& e, call_options const& o) const {
    return carry_out(*store_, calls::erase(name_, blob, e), o);
}

bool blob_container::erase_any(std::string_view blob, call_options const& o) const {
    return value_or_throw(try_erase_any(blob, o));
}
result<bool> blob_container::try_erase_any(std::string_view blob, call_options const& o) const {
    return carry_out(*store_, calls::erase_any(name_, blob), o);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

blob_page blob_container::page(blob_selection const& which, call_options const& o) const {
    return value_or_throw(try_page(which, o));
}
result<blob_page> blob_container::try_page(blob_selection const& which, call_options const& o) const {
    return carry_out(*store_, calls::page(name_, which), o);
}

std::vector<blob_properties> blob_container::list(std::string_view prefix, call_options const& o) const {
    return value_or_throw(try_list(prefix, o));
}
result<std::vector<blob_properties>> blob_container::try_list(std::string_view prefix, call_options const& o) const {
    return detail::run(*store_, detail::async_blob_calls{store_, name_}.list(std::string{prefix}), o);
}

// ---- append blobs ---------------------------------------------------------------------------------------------------

etag blob_container::create_append(std::string_view blob, blob_state const& when, std::string_view content_type,
                                   call_options const& o) const {
    return value_or_throw(try_create_append(blob, when, content_type, o));
}
result<etag> blob_container::try_create_append(std::string_view blob, blob_state const& when,
                                               std::string_view content_type, call_options const& o) const {
    return carry_out(*store_, calls::create_append(name_, blob, when, content_type), o);
}

appended_bytes blob_container::append(std::string_view blob, std::string_view content, std::uint64_t position,
                                      call_options const& o) const {
    return value_or_throw(try_append(blob, content, position, o));
}
result<appended_bytes> blob_container::try_append(std::string_view blob, std::string_view content,
                                                  std::uint64_t position, call_options const& o) const {
    return carry_out(*store_, calls::append(name_, blob, content, position), o);
}

appended_bytes blob_container::append_anywhere(std::string_view blob, std::string_view content,
                                               call_options const& o) const {
    return value_or_throw(try_append_anywhere(blob, content, o));
}
result<appended_bytes> blob_container::try_append_anywhere(std::string_view blob, std::string_view content,
                                                           call_options const& o) const {
    return carry_out(*store_, calls::append_anywhere(name_, blob, content), o);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

void blob_container::stage(std::string_view blob, std::string_view block, std::string_view content,
                           call_options const& o) const {
    value_or_throw(try_stage(blob, block, content, o));
}
result<void> blob_container::try_stage(std::string_view blob, std::string_view block, std::string_view content,
                                       call_options const& o) const {
    return carry_out(*store_, calls::stage(name_, blob, block, content), o);
}

etag blob_container::commit(std::string_view blob, std::span<std::string_view const> blocks, blob_state const& when,
                            std::string_view content_type, call_options const& o) const {
    return value_or_throw(try_commit(blob, blocks, when, content_type, o));
}
result<etag> blob_container::try_commit(std::string_view blob, std::span<std::string_view const> blocks,
                                        blob_state const& when, std::string_view content_type,
                                        call_options const& o) const {
    return carry_out(*store_, calls::commit(name_, blob, blocks, when, content_type), o);
}

}  // namespace tablemap
