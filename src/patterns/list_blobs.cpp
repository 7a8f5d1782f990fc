// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_blobs.hpp"
#include "patterns/list_store.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t blobs_of_a_page = 1000;
constexpr std::uint64_t longest_head = 8192;  ///< two keys of 512 UTF-16 code units are shorter
constexpr int most_tries = 5;

bool is_list_gone(response const& read) noexcept {
    return !read.ok() && (read.failure->code() == service_errc::blob_not_found ||
                          read.failure->code() == service_errc::container_not_found);
}

/// One run of `check_blobs`.
class blob_check {
public:
    blob_check(list_state const& table, bool repairs, environment const& env, list_findings& found)
        : table_(table), repairs_(repairs), env_(env), found_(found) {}

    task<result<void>> run(std::size_t index) {
        auto const prefix = blob_prefix(table_, index);
        std::string from;
        page_progress progress;
        for (;;) {
            request const what = blob_request{list_blobs{
                .container = table_.options.container, .prefix = prefix, .from = from, .top = blobs_of_a_page}};
            auto const page = co_await ask(what);
            if (is_list_gone(page)) co_return result<void>{};
            if (!page.ok()) co_return failure{*page.failure};
            if (!page.service) co_return fail(library_errc::malformed_response, {.reason = "no list of blobs came"});
            for (auto const& blob : page.service->blobs) {
                auto const done = co_await check(blob, index);
                if (!done) co_return failure{done.error()};
            }
            auto const& next = page.service->next_blob;
            if (!next) co_return result<void>{};
            std::optional<continuation> const mark{continuation{*next, {}}};
            if (auto stuck = progress.stuck_at(mark, page.service->blobs.empty(), env_.options()))
                co_return failure{*std::move(stuck)};
            from = *next;
        }
    }

private:
    task<result<void>> check(blob_properties const& blob, std::size_t index) {
        ++found_.report.blobs;
        auto const at = co_await owner_of(blob.name, index);
        if (!at) co_return failure{at.error()};
        if (!*at || !is_old(blob)) co_return result<void>{};
        for (int tries = 1; tries <= most_tries; ++tries) {
            auto const row = co_await read_row(**at);
            if (!row) co_return failure{row.error()};
            if (row->blob == blob.name || row->damage) co_return result<void>{};
            index_entity_finding finding{index_entity_fault::unnamed_blob, std::string{table_.type.names[index]}, {}};
            if (repairs_) {
                auto const kept_out = co_await keep_writers_out(**at, *row);
                if (!kept_out) co_return failure{kept_out.error()};
                if (!*kept_out) continue;
                auto const deleted = co_await erase(blob.name);
                if (!deleted) co_return failure{deleted.error()};
                finding.repaired = *deleted;
            }
            found_.add(std::move(finding));
            co_return result<void>{};
        }
        co_return result<void>{};
    }

    /// False if the store refused it.
    task<result<bool>> erase(std::string const& name) const {
        request const what = blob_request{delete_blob{.container = table_.options.container, .blob = name}};
        auto const answer = co_await ask(what);
        if (answer.ok() || is_list_gone(answer)) co_return true;
        if (env_.why_stop()) co_return failure{*answer.failure};
        co_return false;
    }

    bool is_old(blob_properties const& blob) const {
        // The store's clock may be ahead. Its blob then counts as written just now.
        return age_of(blob.modified) >= tick_duration{table_.options.keep_unnamed_blobs};
    }

    /// The list that the first line of a blob names; nothing if it is gone, or of somebody else.
    task<result<std::optional<list_address>>> owner_of(std::string const& name, std::size_t index) const {
        request const what = blob_request{
            get_blob{.container = table_.options.container, .blob = name, .range = blob_range{0, longest_head}}};
        auto const answer = co_await ask(what);
        if (is_list_gone(answer)) co_return std::nullopt;
        if (!answer.ok() && answer.failure->code() == service_errc::invalid_range) co_return std::nullopt;
        if (!answer.ok()) co_return failure{*answer.failure};
        auto const line = std::string_view{answer.body}.substr(0, answer.body.find('\n'));
        auto const tab = line.find('\t');
        if (line.size() == answer.body.size() || tab == std::string_view::npos) co_return std::nullopt;
        list_address at{index, std::string{line.substr(0, tab)}, std::string{line.substr(tab + 1)}};
        bool const ours = value_of(table_, at).starts_with(beginning_of_values(table_, index)) &&
                          check_key(at.partition_key) && check_key(at.row_key);
        if (!ours) co_return std::nullopt;
        co_return std::optional{std::move(at)};
    }

    /// The row alone.
    task<result<stored_list>> read_row(list_address const& at) const {
        request const what = get_entity{table_of(table_, at.index), at.partition_key, at.row_key, {}, true};
        auto answer = co_await ask(what);
        if (is_absent(answer)) co_return stored_list{};
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        co_return read_list_row(table_, at, answer.body, std::move(answer.etag));
    }

    /// False if the row was written since it was read.
    task<result<bool>> keep_writers_out(list_address const& at, stored_list const& row) const {
        if (!row.is_there()) co_return true;
        auto const same = renewal_of(row, at, random_guid(env_.clock()));
        request const what = write_entity{table_of(table_, at.index), same.operation()};
        auto const answer = co_await ask(what);
        if (answer.ok()) co_return true;
        if (is_overtaken(*answer.failure)) co_return false;
        co_return failure{*answer.failure};
    }

    list_state const& table_;
    bool repairs_;
    environment const& env_;
    list_findings& found_;
};

}  // namespace

task<result<void>> check_blobs(list_state const& table, bool repairs, list_findings& found) {
    auto const call = co_await this_call();
    blob_check check{table, repairs, call.env, found};
    for (std::size_t i = 0; i < table.type.names.size(); ++i) {
        auto const done = co_await check.run(i);
        if (!done) co_return failure{done.error()};
    }
    co_return result<void>{};
}

}  // namespace tablemap::detail
