// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/blob/blob_tasks.hpp"

#include "blob/blob_calls.hpp"

#include <tuple>
#include <utility>

namespace tablemap::inline v0_1::detail {

blob_listing::blob_listing(std::string container, task<result<std::vector<blob_properties>>> first)
    : plain_call(std::move(first)), container_(std::move(container)) {}

result<std::vector<blob_properties>> blob_listing::take() {
    auto all = plain_call::take();
    if (!all) all = failure{all.error().in(label().action, container_)};
    return all;
}

blob_tasks::blob_tasks(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    blob_calls::check_name(name_);
}

// ---- the container --------------------------------------------------------------------------------------------------

task<result<void>> blob_tasks::create() const { return carry_out_later(&blob_calls::create, std::tuple{name_}); }

task<result<own_doing>> blob_tasks::create_if_not_exists() const {
    return carry_out_later(&blob_calls::create_if_not_exists, std::tuple{name_});
}

task<result<void>> blob_tasks::delete_container() const {
    return carry_out_later(&blob_calls::delete_container, std::tuple{name_});
}

task<result<own_doing>> blob_tasks::delete_if_exists() const {
    return carry_out_later(&blob_calls::delete_if_exists, std::tuple{name_});
}

task<result<bool>> blob_tasks::exists() const { return carry_out_later(&blob_calls::exists, std::tuple{name_}); }

// ---- whole blobs ----------------------------------------------------------------------------------------------------

task<result<etag>> blob_tasks::put(std::string blob, std::string content, blob_state when,
                                   std::string content_type) const {
    return carry_out_later(&blob_calls::put, std::tuple{name_, std::move(blob), std::move(content), std::move(when),
                                                        std::move(content_type)});
}

task<result<stored_blob>> blob_tasks::get(std::string blob, blob_part part) const {
    return carry_out_later(&blob_calls::get, std::tuple{name_, std::move(blob), std::move(part)});
}

task<result<std::optional<stored_blob>>> blob_tasks::find(std::string blob, blob_part part) const {
    return carry_out_later(&blob_calls::find, std::tuple{name_, std::move(blob), std::move(part)});
}

task<result<blob_properties>> blob_tasks::properties(std::string blob) const {
    return carry_out_later(&blob_calls::properties, std::tuple{name_, std::move(blob)});
}

task<result<std::optional<blob_properties>>> blob_tasks::find_properties(std::string blob) const {
    return carry_out_later(&blob_calls::find_properties, std::tuple{name_, std::move(blob)});
}

task<result<void>> blob_tasks::erase(std::string blob, etag e) const {
    return carry_out_later(&blob_calls::erase, std::tuple{name_, std::move(blob), std::move(e)});
}

task<result<bool>> blob_tasks::erase_any(std::string blob) const {
    return carry_out_later(&blob_calls::erase_any, std::tuple{name_, std::move(blob)});
}

task<result<blob_page>> blob_tasks::page(blob_selection which) const {
    return carry_out_later(&blob_calls::page, std::tuple{name_, std::move(which)});
}

blob_listing blob_tasks::list(std::string prefix) const { return {name_, blob_calls::list(name_, std::move(prefix))}; }

// ---- append blobs and blocks ----------------------------------------------------------------------------------------

task<result<etag>> blob_tasks::create_append(std::string blob, blob_state when, std::string content_type) const {
    return carry_out_later(&blob_calls::create_append,
                           std::tuple{name_, std::move(blob), std::move(when), std::move(content_type)});
}

task<result<appended_bytes>> blob_tasks::append(std::string blob, std::string content, std::uint64_t position) const {
    return carry_out_later(&blob_calls::append, std::tuple{name_, std::move(blob), std::move(content), position});
}

task<result<appended_bytes>> blob_tasks::append_anywhere(std::string blob, std::string content) const {
    return carry_out_later(&blob_calls::append_anywhere, std::tuple{name_, std::move(blob), std::move(content)});
}

task<result<void>> blob_tasks::stage(std::string blob, std::string block, std::string content) const {
    return carry_out_later(&blob_calls::stage,
                           std::tuple{name_, std::move(blob), std::move(block), std::move(content)});
}

task<result<etag>> blob_tasks::commit(std::string blob, std::vector<std::string> blocks, blob_state when,
                                      std::string content_type) const {
    return carry_out_later(&blob_calls::commit, std::tuple{name_, std::move(blob), kept_blocks{std::move(blocks)},
                                                           std::move(when), std::move(content_type)});
}

}  // namespace tablemap::detail
