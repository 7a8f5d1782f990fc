// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/utf.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/store/pager.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::detail {

/// How many pages a query over several partitions asks for at once.
inline constexpr std::size_t most_pages_at_once = 8;

/// The rows of a query's partitions, merged in the order of row keys: one page of each is held.
///
/// An operation: a run fetches the pages without which the next row cannot be told, and yields whether there is any. After a failure the next run asks again for the pages that are missing, so nothing is skipped.
template <class T> class partition_pages {
public:
    using value_type = bool;

    /// A row of the query, good or bad; neither at the end.
    struct row {
        entity<T>* good = nullptr;
        bad_row const* bad = nullptr;
    };

    /// What is given is borrowed.
    partition_pages(std::string_view table, query_keys const& keys, filter::expression const* where) {
        for (std::size_t i = 0; i < keys.partitions.size(); ++i) {
            query_page const query{
                .table = table, .partition = keys.partition_bounds(i), .row = keys.row_bounds(), .where = where};
            lanes_.emplace_back(query, keys.partitions.size() > 1);
            waiting_.push_back(i);
        }
    }
    partition_pages(partition_pages const&) = delete;
    partition_pages& operator=(partition_pages const&) = delete;

    /// Whether it must be run before the next row is taken.
    bool needs_page() const noexcept { return !waiting_.empty(); }

    /// The next row. It lives until the operation is run. Precondition: `!needs_page()`.
    row pop() {
        if (heads_.empty()) return {};
        std::pop_heap(heads_.begin(), heads_.end(), after());
        auto const at = heads_.back();
        auto& from = lanes_[at];
        auto const taken = from.held.pop();
        if (!from.held.ended()) {
            std::push_heap(heads_.begin(), heads_.end(), after());
        } else {
            heads_.pop_back();
            if (!from.pages.ended()) waiting_.push_back(at);
        }
        return taken;
    }

    step start(environment const& env) {
        fault_.reset();
        asked_.clear();
        return ask(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        for (std::size_t i = 0; i < answers.size(); ++i) take_answer(env, asked_[i], answers[i]);
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(asked_.size()));
        waiting_.insert(waiting_.end(), again_.begin(), again_.end());
        asked_.clear();
        again_.clear();
        return fault_ ? step::done() : ask(env);
    }

    result<bool> take() {
        if (fault_) return failure{std::move(*fault_)};
        return !heads_.empty();
    }

private:
    /// A page, and the next of its rows. Row keys are made only to be compared.
    struct page {
        std::vector<entity<T>> entities{};
        std::vector<bad_row_at> bad{};
        std::vector<std::string> row_keys{};  ///< of the entities
        std::size_t at = 0;
        std::size_t bad_at = 0;

        bool ended() const noexcept { return at == entities.size() && bad_at == bad.size(); }
        bool is_bad() const noexcept { return bad_at < bad.size() && bad[bad_at].before == at; }
        std::string_view row_key() const noexcept { return is_bad() ? bad[bad_at].row.row_key : row_keys[at]; }

        row pop() noexcept {
            if (is_bad()) return {.bad = &bad[bad_at++].row};
            return {.good = &entities[at++]};
        }

        void clear() noexcept {
            entities.clear();
            bad.clear();
            row_keys.clear();
            at = bad_at = 0;
        }
    };

    struct page_reader {
        page* to;
        bool compared;

        result<std::size_t> operator()(response& answer) {
            to->clear();
            auto count = decode_page(answer.body, to->entities, to->bad);
            std::string partition_key;
            for (std::size_t i = 0; count && compared && i < to->entities.size(); ++i)
                if (auto r = encode_keys(to->entities[i].value, partition_key, to->row_keys.emplace_back()); !r)
                    count = failure{std::move(r).error()};
            if (!count) to->clear();
            return count;
        }
    };

    struct lane {
        lane(query_page const& query, bool compared) : pages(query, page_reader{&held, compared}) {}

        page held{};
        page_operation<page_reader> pages;
    };

    /// The order of a heap whose top is the least row key.
    auto after() const noexcept {
        return [this](std::size_t a, std::size_t b) {
            return compare_utf16(lanes_[a].held.row_key(), lanes_[b].held.row_key()) > 0;
        };
    }

    step ask(environment const& env) {
        requests_.clear();
        asked_.assign(waiting_.begin(),
                      waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), most_pages_at_once)));
        for (auto const i : asked_) requests_.push_back(lanes_[i].pages.start(env).requests().front());
        return requests_.empty() ? step::done() : step::send(requests_);
    }

    void take_answer(environment const& env, std::size_t at, response& answer) {
        auto& pages = lanes_[at].pages;
        if (pages.resume(env, {&answer, 1}).what() != step::kind::done) return again_.push_back(at);
        auto found = pages.take();
        if (!found) {
            if (!fault_) fault_ = std::move(found).error();
            again_.push_back(at);
        } else if (*found) {
            heads_.push_back(at);
            std::push_heap(heads_.begin(), heads_.end(), after());
        }
    }

    std::deque<lane> lanes_{};            // their pages are pointed to
    std::vector<std::size_t> waiting_{};  ///< partitions whose next page is missing
    std::vector<std::size_t> asked_{};    ///< the first of them, asked for in this step
    std::vector<std::size_t> again_{};    ///< those of them that have to be asked again
    std::vector<std::size_t> heads_{};    ///< a heap of the partitions that have rows at hand
    std::vector<request> requests_{};
    std::optional<error> fault_{};
};

}  // namespace tablemap::detail
