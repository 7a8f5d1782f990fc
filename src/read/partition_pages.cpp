// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/partition_pages.hpp"

#include "store/ask.hpp"
#include "store/pager.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/read/row_buffer.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// A page, and the next of its rows. Keys are made only to be compared.
struct partition_pages::page {
    row_source const* source;
    std::unique_ptr<row_buffer> rows{source->make_buffer()};
    std::size_t count = 0;  ///< of the rows
    std::vector<bad_row_at> bad{};
    std::vector<cursor_range> keys{};  ///< of the rows
    std::size_t at = 0;
    std::size_t bad_at = 0;

    bool ended() const noexcept { return at == count && bad_at == bad.size(); }
    bool is_bad() const noexcept { return bad_at < bad.size() && bad[bad_at].before == at; }
    std::string_view row_key() const noexcept { return is_bad() ? bad[bad_at].row.row_key : keys[at].row_key; }
    std::string_view partition_key() const noexcept {
        return is_bad() ? bad[bad_at].row.partition_key : *keys[at].partition_key;
    }

    result<void> next_keys(std::string& partition_key, std::string& row_key) const {
        if (!is_bad()) return source->encode_keys(rows->value_at(at), partition_key, row_key);
        partition_key = bad[bad_at].row.partition_key;
        row_key = bad[bad_at].row.row_key;
        return {};
    }

    row pop() noexcept {
        if (is_bad()) return {.bad = &bad[bad_at++].row};
        return {.good = rows->entity_at(at++)};
    }

    void clear() noexcept {
        rows->clear();
        bad.clear();
        keys.clear();
        count = at = bad_at = 0;
    }
};

struct partition_pages::page_reader {
    page* to;
    cursor_range* from;  ///< rows before these keys have been taken
    bool compared;
    reading how;

    result<std::size_t> operator()(response& answer) {
        to->clear();
        auto count = to->rows->decode(answer.body, to->bad, to->source->types, how);
        to->count = to->rows->size();
        auto done = count ? pass_taken() : result<void>{};
        for (std::size_t i = 0; count && done && compared && i < to->count; ++i) {
            auto& keys = to->keys.emplace_back();
            done = to->source->encode_keys(to->rows->value_at(i), keys.partition_key.emplace(), keys.row_key);
        }
        if (!done) count = failure{std::move(done).error()};
        if (!count) to->clear();
        if (count && to->ended()) return std::size_t{0};
        return count;
    }

    /// After a cursor: the rows of the page that stand before it. They may have been more when it was made.
    result<void> pass_taken() {
        if (!from->partition_key) return {};
        std::string partition_key, row_key;
        while (!to->ended()) {
            if (auto r = to->next_keys(partition_key, row_key); !r) return r;
            auto const partitions = compare_utf16(partition_key, *from->partition_key);
            if (partitions > 0 || (partitions == 0 && compare_utf16(row_key, from->row_key) >= 0)) {
                from->partition_key.reset();
                return {};
            }
            static_cast<void>(to->pop());
        }
        return {};
    }
};

struct partition_pages::range {
    range(query_page const& query, bool compared, page_plan const& what, property_cipher const* cipher,
          row_source const& source)
        : held{&source},
          pages(query,
                page_reader{&held,
                            &from,
                            compared,
                            {.partial = what.partial, .cipher = cipher, .bounds = {query.partition, query.row}}},
                what.most_rows) {}

    void go_on(cursor_range const& at) {
        from = at;
        if (at.ended)
            pages.begin_at_end();
        else
            pages.begin_at(at.page);
    }

    page held;
    cursor_range from{};
    pager<page_reader> pages;
};

/// The order of a heap whose top comes first.
struct partition_pages::comes_after {
    row_order order;
    std::span<range const> ranges;

    bool operator()(std::size_t a, std::size_t b) const {
        if (order == row_order::any) return false;
        auto const& x = ranges[a].held;
        auto const& y = ranges[b].held;
        auto const partitions = [&] { return compare_utf16(x.partition_key(), y.partition_key()); };
        auto const rows = [&] { return compare_utf16(x.row_key(), y.row_key()); };
        if (order == row_order::by_row_key)
            if (auto const c = rows(); c != 0) return c > 0;
        if (auto const c = partitions(); c != 0) return c > 0;
        return rows() > 0;
    }
};

partition_pages::partition_pages(page_plan const& what, std::span<key_bounds const> partitions,
                                 row_source const& source, std::span<cursor_range const> from,
                                 property_cipher const* cipher)
    : order_(what.order), at_once_(what.at_once), ranges_() {
    bool const compared = partitions.size() > 1 && order_ != row_order::any;
    ranges_.reserve(partitions.size());
    for (std::size_t i = 0; i < partitions.size(); ++i) {
        auto query = what.common;
        query.partition = partitions[i];
        auto& l = ranges_.emplace_back(query, compared, what, cipher, source);
        if (!from.empty()) l.go_on(from[i]);
        if (!l.pages.ended()) waiting_.push_back(i);
    }
}

partition_pages::~partition_pages() = default;

partition_pages::comes_after partition_pages::after() const noexcept { return {order_, ranges_}; }

partition_pages::row partition_pages::pop() {
    if (heads_.empty()) return {};
    std::pop_heap(heads_.begin(), heads_.end(), after());
    auto const at = heads_.back();
    auto& from = ranges_[at];
    auto const taken = from.held.pop();
    if (!from.held.ended()) {
        std::push_heap(heads_.begin(), heads_.end(), after());
    } else {
        heads_.pop_back();
        if (!from.pages.ended()) waiting_.push_back(at);
    }
    return taken;
}

result<std::vector<cursor_range>> partition_pages::position() const {
    std::vector<cursor_range> ranges;
    for (auto const& l : ranges_) {
        auto& at = ranges.emplace_back();
        if (!l.held.ended()) {
            at.page = l.pages.current();
            if (auto r = l.held.next_keys(at.partition_key.emplace(), at.row_key); !r)
                return failure{std::move(r).error()};
        } else {
            at.ended = l.pages.ended();
            at.page = l.pages.next();
            if (l.from.partition_key) {  // the position of the cursor has not been reached yet
                at.partition_key = l.from.partition_key;
                at.row_key = l.from.row_key;
            }
        }
    }
    return ranges;
}

task<result<bool>> partition_pages::fetch() {
    auto const call = co_await this_call();
    std::optional<error> fault;
    while (!fault && needs_page()) {
        auto const wanted = next_requests();
        auto answers = co_await ask_all(wanted);
        fault = take(answers, call.env.options());
    }
    if (fault) co_return failure{*std::move(fault)};
    co_return !heads_.empty();
}

std::vector<request> partition_pages::next_requests() {
    std::vector<request> requests;
    for (std::size_t i = 0; i < std::min(waiting_.size(), at_once_); ++i)
        requests.emplace_back(ranges_[waiting_[i]].pages.request());
    return requests;
}

/// Takes the pages of the partitions that wait first. Those that need another page wait again, behind the others.
/// Returns the first error.
std::optional<error> partition_pages::take(std::span<response> answers, call_options const& o) {
    std::optional<error> fault;
    for (auto& answer : answers) {
        auto const at = waiting_.front();
        auto& pages = ranges_[at].pages;
        auto found = pages.take(answer, o);  // what it throws leaves this partition and those behind it waiting
        waiting_.erase(waiting_.begin());
        if (found && *found) {
            heads_.push_back(at);
            std::push_heap(heads_.begin(), heads_.end(), after());
        } else if (!found || !pages.ended()) {
            waiting_.push_back(at);
        }
        if (!found && !fault) fault = std::move(found).error();
    }
    return fault;
}

}  // namespace tablemap::detail
