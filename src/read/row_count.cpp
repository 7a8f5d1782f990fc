// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/row_count.hpp"

#include "tablemap/detail/store/run.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/names.hpp"
#include "store/pager.hpp"

#include <algorithm>

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
    std::span<row_type const* const> types_;
    std::string_view tag_name_;
    page_bounds bounds_;
    std::string_view partition_key_{}, row_key_{}, tag_{};
};

}  // namespace

row_count_operation::row_count_operation(query_description& query) : query_(query) { query_.keys_only(); }

step row_count_operation::start(environment const&) {
    count_ = 0;
    ranges_.clear();
    fault_.reset();
    auto const from = query_.begin();
    if (!from) {
        fault_ = from.error();
        return step::done();
    }
    if (!from->empty()) {
        fault_ = error{library_errc::unsupported,
                       {.reason = "count() and exists() are for a whole query, without a cursor"}};
        return step::done();
    }
    auto const pages = query_.pages();
    at_once_ = pages.at_once;
    most_rows_ = pages.most_rows;
    for (auto const& p : query_.partitions()) {
        auto& l = ranges_.emplace_back(range{pages.common});
        l.page.partition = p;
    }
    return ask();
}

step row_count_operation::ask() {
    if (ranges_.empty() || (query_.limit() && count_ >= *query_.limit())) return step::done();
    requests_.clear();
    for (std::size_t i = 0; i < std::min(at_once_, ranges_.size()); ++i) {
        ranges_[i].page.from = ranges_[i].next ? &*ranges_[i].next : nullptr;
        requests_.emplace_back(ranges_[i].page);
    }
    return step::send(requests_);
}

/// Counts the rows of a page. Returns the page's error, if it has one.
std::optional<error> row_count_operation::take_page(environment const& env, range& l, response& page) {
    if (!page.ok()) return std::move(page.failure);
    if (auto circle = l.progress.circle(page.next)) return circle;
    counting_sink sink{query_.source(), {l.page.partition, l.page.row}};
    auto const read = read_page(page.body, sink);
    if (!read) return read.error();
    count_ += sink.rows;
    if (sink.rows == 0) widen(l.page, most_rows_);
    l.next = std::move(page.next);
    return l.progress.passed(l.next, *read == 0, env.options());
}

step row_count_operation::resume(environment const& env, std::span<response> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
        if ((fault_ = take_page(env, ranges_[i], answers[i]))) return step::done();
    auto const asked = ranges_.begin() + static_cast<std::ptrdiff_t>(answers.size());
    ranges_.erase(std::remove_if(ranges_.begin(), asked, [](range const& l) { return !l.next; }), asked);
    return ask();
}

result<std::size_t> row_count_operation::take() {
    if (fault_) return failure{query_.explain_error(*fault_)};
    return query_.limit() ? std::min(count_, *query_.limit()) : count_;
}

result<std::size_t> count_rows(query_description& query) {
    row_count_operation op{query};
    return run(query.store(), op, query.options());
}

}  // namespace tablemap::detail
