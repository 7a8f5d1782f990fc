// SPDX-License-Identifier: Apache-2.0
#include "patterns/large_look.hpp"
#include "patterns/large_names.hpp"
#include "patterns/met_faults.hpp"
#include "patterns/option_check.hpp"
#include "patterns/sweeps.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "store/task_group.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view permit_end = "~large`";  // the first key behind all permits
static_assert(permit_end.size() == permit_prefix.size() && permit_end.back() == permit_prefix.back() + 1);

/// The pages of blobs come first, then those of permits.
constexpr char in_blobs = 'b', in_permits = 'p';

/// One run over blobs and permits.
class large_sweep {
public:
    large_sweep(large_collection const& c, environment const& env)
        : c_(c),
          env_(env),
          began_(env.now()),
          old_before_(c.options.now() - std::chrono::duration_cast<tick_duration>(c.options.grace)) {}

    task<large_report> run(std::string from) {
        auto const begin = begin_at(from);
        if (!begin) {
            stop(begin.error());
            co_return std::move(report_);
        }
        at_ = *begin;
        if (!at_ || at_->partition_key.front() == in_blobs) co_await each_page_of_blobs();
        if (!report_.ended_by) co_await each_page_of_permits();
        co_return std::move(report_);
    }

private:
    // ---- blobs ------------------------------------------------------------------------------------------------------

    task<> each_page_of_blobs() {
        std::optional<std::string> from = at_ ? at_->partition_key.substr(1) : std::string{};
        auto const prefix = folder_of(c_.rows->name);
        page_progress progress;
        while (from && !report_.ended_by) {
            co_await wait_for_turn();
            request const what = blob_request{
                list_blobs{.container = c_.container, .prefix = prefix, .from = *from, .top = c_.options.page_size}};
            auto const page = co_await ask(what);
            if (!page.ok() || !page.service) {
                stop(page.ok() ? no_list() : *page.failure);
            } else {
                co_await take(page.service->blobs);
                if (!report_.ended_by) from = next_of(page, progress);
            }
            at_ = continuation{from ? in_blobs + *from : std::string{in_permits}, {}};
            notify(true);
        }
    }

    static error no_list() {
        return error{library_errc::malformed_response, {.reason = "the store sent no list of blobs"}};
    }

    std::optional<std::string> next_of(response const& page, page_progress& progress) {
        auto const& next = page.service->next_blob;
        auto const mark = next ? std::optional{continuation{*next, {}}} : std::nullopt;
        if (auto const stuck = progress.stuck_at(mark, page.service->blobs.empty(), env_.options())) stop(*stuck);
        return next;
    }

    task<> take(std::vector<blob_properties> const& blobs) {
        report_.blobs += blobs.size();
        for (std::size_t at = 0; at < blobs.size() && !report_.ended_by; at += c_.options.parallel) {
            task_group group;
            auto const end = std::min(blobs.size(), at + c_.options.parallel);
            for (auto i = at; i < end; ++i) group.add(look_at(blobs[i]));
            co_await group.all();
        }
    }

    task<> look_at(blob_properties const& blob) {
        auto const found = co_await look_at_blob(c_, blob, old_before_);
        report_.permits += found.permits;
        judge(found, report_.deleted);
    }

    // ---- permits ----------------------------------------------------------------------------------------------------

    task<> each_page_of_permits() {
        std::array<std::string_view, 4> const select{partition_key_name, row_key_name, timestamp_name, permit_begun};
        query_page const what{.table = c_.rows->name,
                              .row = {.from = permit_prefix, .to = permit_end, .to_inclusive = false},
                              .select = select,
                              .top = c_.options.page_size,
                              .current = true};
        page_reading pages{what, env_, permits_from()};
        while (!pages.ended() && !report_.ended_by) {
            co_await wait_for_turn();
            auto const rows = co_await pages.next_rows();
            if (rows)
                co_await take(*rows);
            else
                stop(rows.error());
            if (!report_.ended_by) at_ = mark_of(pages.next_page());
            notify(report_.ended_by || !pages.ended());
        }
    }

    /// The continuation of a page of permits, as it stands in the cursor.
    static std::optional<continuation> mark_of(std::optional<continuation> next) {
        if (next) next->partition_key.insert(0, 1, in_permits);
        return next;
    }
    std::optional<continuation> permits_from() const {
        if (!at_ || at_->partition_key.size() <= 1) return std::nullopt;
        return continuation{at_->partition_key.substr(1), at_->row_key};
    }

    task<> take(std::vector<stored_entity> const& permits) {
        seen_permits_ += permits.size();
        for (auto const& p : permits) {
            if (report_.ended_by) co_return;
            if (!is_permit_key(p.row_key)) {
                ++report_.strangers;
                continue;
            }
            if (time_of_permit(c_, p) > old_before_) {
                ++report_.young;
                continue;
            }
            entity_key const key{p.partition_key, p.row_key};
            auto const erased = co_await erase_permit(c_, key, p.etag);
            judge(erased, report_.permits);
        }
    }

    // ---- the report -------------------------------------------------------------------------------------------------

    void judge(large_finding const& f, std::size_t& deleted) {
        bool const go_on = faults_.go_on_after(f.fault);
        if (f.fault) return go_on ? fail(*f.fault) : stop(*f.fault);
        switch (f.what) {
        case looked::in_use: ++report_.in_use; break;
        case looked::young: ++report_.young; break;
        case looked::changed:
        case looked::gone: ++report_.changed; break;
        case looked::stranger: ++report_.strangers; break;
        case looked::deleted: ++deleted; break;
        }
    }

    void fail(error const& why) {
        ++(why.outcome() == outcome::in_doubt ? report_.in_doubt : report_.failed);
        report_.last_failure = why.in("sweep", c_.rows->name);
    }

    void stop(error const& why) {
        if (!report_.ended_by) report_.ended_by = why.in("sweep", c_.rows->name);
    }

    void notify(bool more) {
        report_.cursor = more ? std::optional{write_cursor(hash(), {{.page = at_}})} : std::nullopt;
        if (c_.options.progress) c_.options.progress(report_);
    }

    // ---- cursor and rate --------------------------------------------------------------------------------------------

    std::uint64_t hash() const {
        query_hash h;
        h.add("large").add(c_.rows->store->capabilities().name).add(c_.rows->name).add(c_.container);
        return h.value();
    }

    result<std::optional<continuation>> begin_at(std::string const& from) const {
        if (from.empty()) return std::optional<continuation>{};
        auto ranges = read_cursor(from, hash(), 1);
        if (!ranges) return failure{std::move(ranges).error()};
        auto page = std::move(ranges->front().page);
        auto const phase = page && !page->partition_key.empty() ? page->partition_key.front() : '\0';
        if (page && phase != in_blobs && phase != in_permits) return fail_with_cursor();
        return page;
    }
    static failure fail_with_cursor() {
        return tablemap::fail(library_errc::invalid_cursor, {.reason = "the text is no cursor of a large_collector"});
    }

    task<> wait_for_turn() { co_await keep_rate(began_, report_.blobs + seen_permits_, c_.options.per_second); }

    large_collection const& c_;
    environment const& env_;
    time_point const began_;
    ticks const old_before_;
    std::optional<continuation> at_{};  ///< the page to go on from, with its phase before its first key
    std::size_t seen_permits_ = 0;
    met_faults faults_{};
    large_report report_{};
};

result<void> check_collector_options(large_collector_options const& o) {
    constexpr std::chrono::seconds longest = std::chrono::hours{24 * 365 * 100};
    if (o.grace.count() < 0 || o.grace > longest)
        return failure{out_of_range("grace", "a writer has some time, at most 100 years")};
    if (o.page_size < 1 || o.page_size > limits::page_entities)
        return failure{out_of_range("page_size", "a page has 1 to 1,000 blobs or permits")};
    if (!std::isfinite(o.per_second) || o.per_second < 0)
        return failure{out_of_range("per_second", "a rate is not negative; 0 means no limit")};
    if (o.parallel < 1) return failure{out_of_range("parallel", "at least one blob is looked at at once")};
    if (!o.now) return failure{out_of_range("now", "permits have an age; leave the default")};
    return {};
}

}  // namespace

large_collection_ptr make_large_collection(store_ptr s, std::string table, std::string container,
                                           large_collector_options options) {
    value_or_throw(check_resource_name(container));
    value_or_throw(check_collector_options(options));
    auto rows = make_table_state(std::move(s), std::move(table), {}, {});
    return std::make_shared<large_collection const>(
        large_collection{std::move(rows), std::move(container), std::move(options)});
}

task<result<large_report>> sweep_large(large_collection_ptr collector, std::string from) {
    auto const call = co_await this_call();
    large_sweep sweep{*collector, call.env};
    auto report = co_await sweep.run(std::move(from));
    co_return report;
}

}  // namespace tablemap::detail

namespace tablemap::inline v0_1 {

large_collector::large_collector(store_ptr s, std::string table, std::string container, large_collector_options options)
    : core_(detail::make_large_collection(std::move(s), std::move(table), std::move(container), std::move(options))) {}

large_report large_collector::sweep_from(std::string cursor, call_options const& o) const {
    auto call = detail::sweep_call(core_, std::move(cursor));
    return value_or_throw(detail::run(*core_->rows->store, call, o));
}

}  // namespace tablemap
