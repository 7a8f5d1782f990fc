// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_store.hpp"

#include "store/ask.hpp"
#include "tablemap/store/service_response.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

bool is_no_blob(error const& e) noexcept {
    return e.code() == service_errc::blob_not_found || e.code() == service_errc::container_not_found;
}

error too_large(list_state const& table, std::size_t index, std::size_t most) {
    return error{library_errc::value_too_large,
                 {.reason = "the list of this value would have more than " + std::to_string(most) +
                            " bytes; allow more in index_entity_options, or list a value that fewer entities have",
                  .member = std::string{table.type.names[index]}}};
}

}  // namespace

// ---- reading --------------------------------------------------------------------------------------------------------

task<result<stored_list>> list_store::read(list_address const& at, bool current) const {
    auto const what = read_request(at, current);
    auto answer = co_await ask(what);
    if (is_absent(answer)) co_return stored_list{};
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    auto list = read_list_row(table_, at, answer.body, std::move(answer.etag));
    auto const read = co_await follow(at, list);
    if (!read) co_return failure{read.error()};
    co_return list;
}

/// The rest of the reading, after a row was read.
task<result<void>> list_store::follow(list_address const& at, stored_list& list) const {
    auto const again = read_request(at, true);
    constexpr int most_looks = 50;
    for (int looks = 1; looks <= most_looks; ++looks) {
        if (list.blob.empty()) co_return result<void>{};
        auto const there = co_await fetch(at, list);
        if (!there) co_return failure{there.error()};
        if (*there) co_return result<void>{};
        // A writer deletes a blob after it has written the row that names the next one.
        auto answer = co_await ask(again);
        if (is_absent(answer)) {
            list = {};
            co_return result<void>{};
        }
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        if (answer.etag == list.etag) {
            list.damage = blob_is_gone(table_, at);
            co_return result<void>{};
        }
        list = read_list_row(table_, at, answer.body, std::move(answer.etag));
    }
    co_return fail(library_errc::too_many_conflicts,
                   {.reason = "the blob of a list was replaced each time before it could be read; call again when "
                              "fewer others write",
                    .member = std::string{table_.type.names[at.index]}});
}

/// False if the blob is gone.
task<result<bool>> list_store::fetch(list_address const& at, stored_list& list) const {
    blob_range const range{0, static_cast<std::uint64_t>(list.bytes)};
    request const what =
        blob_request{get_blob{.container = table_.options.container, .blob = list.blob, .range = range}};
    auto const answer = co_await ask(what);
    if (!answer.ok()) {
        if (is_no_blob(*answer.failure)) co_return false;
        // An empty blob has no range.
        if (answer.failure->code() != service_errc::invalid_range) co_return failure{*answer.failure};
    }
    bool const whole =
        answer.ok() && answer.service && answer.service->blob.size == static_cast<std::uint64_t>(list.bytes);
    take_blob(list, table_, at, whole ? std::string_view{answer.body} : std::string_view{});
    co_return true;
}

task<result<std::vector<stored_list>>> list_store::read_all(std::vector<list_address> const& all) const {
    std::vector<request> reads;
    reads.reserve(all.size());
    for (auto const& at : all) reads.push_back(read_request(at, true));
    auto answers = co_await ask_all(reads);
    std::vector<stored_list> lists;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& a = answers[i];
        if (is_absent(a)) {
            lists.emplace_back();
            continue;
        }
        if (!a.ok()) co_return failure{*std::move(a.failure)};
        auto list = read_list_row(table_, all[i], a.body, std::move(a.etag));
        auto const read = co_await follow(all[i], list);
        if (!read) co_return failure{read.error()};
        if (list.damage) co_return failure{*list.damage};
        lists.push_back(std::move(list));
    }
    co_return lists;
}

// ---- writing --------------------------------------------------------------------------------------------------------

/// A list of one line always does, so that a row that is inserted names no blob: only a write under an etag does.
bool list_store::belongs_in_row(stored_list const& old, list_lines const& lines, std::size_t bytes) const noexcept {
    auto const most = table_.options.row_bytes;
    return lines.size() == 1 || bytes <= (old.blob.empty() ? most : most / 2);
}

task<result<list_write>> list_store::prepare(list_address const& at, stored_list const& old, list_lines const& lines,
                                             guid write) const {
    list_write w{.old_blob = old.blob};
    if (lines.empty()) {
        w.row = erase_of(old, at);
        co_return w;
    }
    auto bytes = text_of(lines);
    bool const in_row = belongs_in_row(old, lines, bytes.size());
    auto const most = table_.options.blobs ? table_.options.list_bytes : table_.options.row_bytes;
    if (bytes.size() > most || (!in_row && !table_.options.blobs)) co_return failure{too_large(table_, at.index, most)};
    if (!in_row) {
        bytes.insert(0, blob_head(at));
        w.new_blob = blob_prefix(table_, at.index) + random_guid(env_.clock()).text();
        auto const stored = co_await put(w.new_blob, bytes);
        if (!stored) co_return failure{stored.error()};
    }
    w.row = write_of(old, at, write, w.new_blob, bytes);
    if (w.row.fault) co_return failure{*w.row.fault};
    co_return w;
}

/// Nobody else stores a blob of this name, so one that is there is ours.
task<result<void>> list_store::put(std::string const& name, std::string_view bytes) const {
    auto const& container = table_.options.container;
    request const what = blob_request{put_blob{.container = container,
                                               .blob = name,
                                               .body = bytes,
                                               .content_type = "text/plain; charset=utf-8",
                                               .when = {.if_absent = true}}};
    for (int tries = 1;; ++tries) {
        auto const answer = co_await ask(what);
        if (answer.ok() || answer.failure->code() == service_errc::blob_already_exists) co_return result<void>{};
        bool const may_help =
            answer.failure->code() == service_errc::container_not_found || answer.outcome() == outcome::in_doubt;
        if (!may_help || tries == 2) co_return failure{*answer.failure};
        if (answer.failure->code() != service_errc::container_not_found) continue;
        request const making = blob_request{create_container{container}};
        auto const made = co_await ask(making);
        if (!made.ok() && made.failure->code() != service_errc::container_already_exists)
            co_return failure{*made.failure};
    }
}

task<> list_store::drop(std::string_view blob) const {
    if (blob.empty()) co_return;
    request const what = blob_request{delete_blob{.container = table_.options.container, .blob = blob}};
    co_await ask(what);
}

}  // namespace tablemap::detail
