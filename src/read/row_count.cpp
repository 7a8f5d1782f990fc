// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/row_count.hpp"

#include "store/ask.hpp"
#include "store/pager.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace tablemap::inline v0_1::detail {
namespace {

/// Counts the rows of a query's own types, and refuses rows that were not asked for.
class counting_sink final : public entity_sink {
public:
    counting_sink(row_source const& source, page_bounds const& bounds)
        : types_(source.types), tag_name_(tag_of(source.types)), bounds_(bounds) {}

    bool begin() override {
        partition_key_ = row_key_ = tag_ = {};
        return true;
    }
    bool take_heading(row_heading const& heading) override {
        partition_key_ = heading.partition_key;
        row_key_ = heading.row_key;
        return true;
    }
    bool property(std::string_view name, json_token const& value) override {
        if (value.kind != json_token_kind::text) return true;
        if (name == partition_key_name) partition_key_ = value.text;
        if (name == row_key_name) row_key_ = value.text;
        if (!tag_name_.empty() && name == tag_name_) tag_ = value.text;
        return true;
    }
    bool end() override {
        if (!bounds_.hold(partition_key_, row_key_)) return stop(rows_not_asked_for());
        if (!is_key_of_index(types_, row_key_) && is_row_of(types_, partition_key_, row_key_, tag_)) ++rows;
        return true;
    }

    std::size_t rows = 0;

private:
    static_list<row_type const*> types_;
    std::string_view tag_name_;
    page_bounds bounds_;
    std::string_view partition_key_{}, row_key_{}, tag_{};
};

/// A range of a query, and the place that its pages have come to.
struct counted_range {
    query_page page{};
    std::optional<continuation> next{};
    page_progress progress{};
};

std::vector<counted_range> ranges_of(query_description const& query, query_page const& common) {
    std::vector<counted_range> ranges;
    for (auto const& p : query.partitions()) {
        auto& r = ranges.emplace_back(counted_range{common});
        r.page.partition = p;
    }
    return ranges;
}

std::vector<request> next_requests(std::span<counted_range> ranges) {
    std::vector<request> requests;
    for (auto& r : ranges) {
        r.page.from = r.next ? &*r.next : nullptr;
        requests.emplace_back(r.page);
    }
    return requests;
}

/// The number of rows of a page. Errors: that of the response, and those of what it holds.
result<std::size_t> count_page(query_description const& query, counted_range& range, response& page,
                               std::size_t most_rows, call_options const& o) {
    if (!page.ok()) return failure{std::move(*page.failure)};
    if (auto circle = range.progress.circle(page.next)) return failure{*std::move(circle)};
    counting_sink sink{query.source(), {range.page.partition, range.page.row}};
    auto const read = read_page(page.body, sink);
    if (!read) return failure{read.error()};
    if (sink.rows == 0) widen(range.page, most_rows);
    range.next = std::move(page.next);
    if (auto stuck = range.progress.passed(range.next, *read == 0, o)) return failure{*std::move(stuck)};
    return sink.rows;
}

/// Erases those of the first ranges that have no more pages.
void erase_ended(std::vector<counted_range>& ranges, std::size_t among) {
    auto const end = ranges.begin() + static_cast<std::ptrdiff_t>(among);
    ranges.erase(std::remove_if(ranges.begin(), end, [](counted_range const& r) { return !r.next; }), end);
}

error counts_no_rest() {
    return error{library_errc::unsupported, {.reason = "count() and exists() are for a whole query, without a cursor"}};
}

}  // namespace

task<result<std::size_t>> row_count(query_description& query) {
    query.keys_only();
    auto const from = query.begin();
    if (!from) co_return failure{query.explain_error(from.error())};
    if (!from->empty()) co_return failure{query.explain_error(counts_no_rest())};
    auto const call = co_await this_call();
    auto const plan = query.pages();
    auto ranges = ranges_of(query, plan.common);
    auto const most = query.limit().value_or(std::numeric_limits<std::size_t>::max());
    std::size_t count = 0;
    while (!ranges.empty() && count < most) {
        std::span const asked{ranges.data(), std::min(plan.at_once, ranges.size())};
        auto const requests = next_requests(asked);
        auto pages = co_await ask_all(requests);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            auto const rows = count_page(query, asked[i], pages[i], plan.most_rows, call.env.options());
            if (!rows) co_return failure{query.explain_error(rows.error())};
            count += *rows;
        }
        erase_ended(ranges, asked.size());
    }
    co_return std::min(count, most);
}

query_call<std::size_t> count_call(std::shared_ptr<query_state> const& query) {
    return {query, "count", row_count(*query)};
}

result<std::size_t> count_rows(std::shared_ptr<query_state> const& query) {
    return run(query->store(), count_call(query), query->options());
}

}  // namespace tablemap::detail
