// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/row_count.hpp"

#include "tablemap/edm/names.hpp"
#include "tablemap/wire/reader.hpp"

#include <algorithm>

namespace tablemap::detail {
namespace {

/// The reader counts; this counts the rows of indexes among them, and refuses rows that were not asked for.
class counting_sink final : public entity_sink {
public:
    counting_sink(row_source const& source, page_bounds const& bounds)
        : source_(source), bounds_(bounds), looks_(source.passes_rows()) {}

    bool begin() override { return true; }
    bool property(std::string_view name, token const& value) override {
        bool const outside = (name == partition_key_name && !bounds_.partition.holds(value.text)) ||
                             (name == row_key_name && !bounds_.row.holds(value.text));
        if (outside) return stop(rows_not_asked_for());
        if (looks_ && name == row_key_name && is_key_of_index(source_.types, value.text)) ++of_indexes;
        return true;
    }
    bool end() override { return true; }

    std::size_t of_indexes = 0;

private:
    row_source const& source_;
    page_bounds bounds_;
    bool looks_;
};

}  // namespace

row_count_operation::row_count_operation(query_request& query) : query_(query) { query_.keys_only(); }

step row_count_operation::start(environment const&) {
    count_ = 0;
    lanes_.clear();
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
    for (auto const& p : query_.partitions()) {
        auto& l = lanes_.emplace_back(lane{pages.common});
        l.page.partition = p;
    }
    return ask();
}

step row_count_operation::ask() {
    if (lanes_.empty() || (query_.limit() && count_ >= *query_.limit())) return step::done();
    requests_.clear();
    for (std::size_t i = 0; i < std::min(at_once_, lanes_.size()); ++i) {
        lanes_[i].page.from = lanes_[i].next ? &*lanes_[i].next : nullptr;
        requests_.emplace_back(lanes_[i].page);
    }
    return step::send(requests_);
}

/// Counts the rows of a page. Returns what is wrong with it.
std::optional<error> row_count_operation::take_page(environment const& env, lane& l, response& page) {
    if (!page.ok()) return std::move(page.failure);
    if (auto circle = l.progress.circle(page.next)) return circle;
    counting_sink sink{query_.source(), {l.page.partition, l.page.row}};
    auto const rows = read_page(page.body, sink);
    if (!rows) return rows.error();
    count_ += *rows - sink.of_indexes;
    l.next = std::move(page.next);
    return l.progress.passed(l.next, *rows == 0, env.options());
}

step row_count_operation::resume(environment const& env, std::span<response> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
        if ((fault_ = take_page(env, lanes_[i], answers[i]))) return step::done();
    auto const asked = lanes_.begin() + static_cast<std::ptrdiff_t>(answers.size());
    lanes_.erase(std::remove_if(lanes_.begin(), asked, [](lane const& l) { return !l.next; }), asked);
    return ask();
}

result<std::size_t> row_count_operation::take() {
    if (fault_) return failure{query_.explain_error(*fault_)};
    return query_.limit() ? std::min(count_, *query_.limit()) : count_;
}

result<std::size_t> count_rows(query_request& query) {
    row_count_operation op{query};
    return run(query.where(), op, query.options());
}

}  // namespace tablemap::detail
