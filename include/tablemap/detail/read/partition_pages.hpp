// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/read/row_source.hpp"
#include "tablemap/detail/store/pager.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// In which order the rows of several partitions, or ranges of them, are given.
enum class row_order : std::uint8_t {
    by_row_key,    ///< of buckets that are one partition to the user
    by_both_keys,  ///< as one scan would
    any,           ///< as they come
};

/// The part of a query that is the same for every partition.
struct page_plan {
    query_page common{};  ///< without partition and continuation
    row_order order = row_order::by_both_keys;
    std::size_t at_once = 8;    ///< so many pages are asked for at once, at most
    bool partial = false;       ///< some properties only
    std::size_t most_rows = 0;  ///< of a page that comes after one without rows of the query's types
};

/// The rows of a query's partitions, merged: one page of each is held.
///
/// An operation: a run fetches the pages without which the next row cannot be told, and yields whether there is any.
/// After a failure the next run asks again for the pages that are missing, so nothing is skipped.
template <class T> class partition_pages {
public:
    using value_type = bool;

    /// A row of the query, good or bad; neither at the end.
    struct row {
        entity<T>* good = nullptr;
        bad_row const* bad = nullptr;
    };

    /// The arguments are borrowed. `from` has the positions to go on from, one for each partition, or nothing.
    partition_pages(page_plan const& what, std::span<key_bounds const> partitions,
                    std::span<cursor_range const> from = {}, property_cipher const* cipher = nullptr,
                    row_source const& source = entity_rows<T>)
        : order_(what.order), at_once_(what.at_once) {
        for (std::size_t i = 0; i < partitions.size(); ++i) {
            auto query = what.common;
            query.partition = partitions[i];
            bool const compared = partitions.size() > 1 && order_ != row_order::any;
            auto& l = ranges_.emplace_back(query, compared, what, cipher, source);
            if (!from.empty()) l.go_on(from[i]);
            if (!l.pages.ended()) waiting_.push_back(i);
        }
    }
    partition_pages(partition_pages const&) = delete;
    partition_pages& operator=(partition_pages const&) = delete;

    /// True if it must be run before the next row is taken.
    bool needs_page() const noexcept { return !waiting_.empty() && (order_ != row_order::any || heads_.empty()); }

    /// The next row. It lives until the operation is run. Precondition: `!needs_page()`.
    row pop() {
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

    /// The position of the first row that was not taken yet. Errors: those of making a key.
    result<std::vector<cursor_range>> position() const {
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

    step start(environment const& env) {
        fault_.reset();
        asked_.clear();
        return ask(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        for (std::size_t i = 0; i < answers.size(); ++i) take_response(env, asked_[i], answers[i]);
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(asked_.size()));
        waiting_.insert(waiting_.end(), again_.begin(), again_.end());
        asked_.clear();
        again_.clear();
        return fault_ || !needs_page() ? step::done() : ask(env);
    }

    result<bool> take() {
        if (fault_) return failure{std::move(*fault_)};
        return !heads_.empty();
    }

private:
    /// A page, and the next of its rows. Keys are made only to be compared.
    struct page {
        row_source const* source;
        std::vector<entity<T>> entities{};
        std::vector<bad_row_at> bad{};
        std::vector<cursor_range> keys{};  ///< of the entities
        std::size_t at = 0;
        std::size_t bad_at = 0;

        bool ended() const noexcept { return at == entities.size() && bad_at == bad.size(); }
        bool is_bad() const noexcept { return bad_at < bad.size() && bad[bad_at].before == at; }
        std::string_view row_key() const noexcept { return is_bad() ? bad[bad_at].row.row_key : keys[at].row_key; }
        std::string_view partition_key() const noexcept {
            return is_bad() ? bad[bad_at].row.partition_key : *keys[at].partition_key;
        }

        result<void> next_keys(std::string& partition_key, std::string& row_key) const {
            if (!is_bad()) return source->encode_keys(&entities[at].value, partition_key, row_key);
            partition_key = bad[bad_at].row.partition_key;
            row_key = bad[bad_at].row.row_key;
            return {};
        }

        row pop() noexcept {
            if (is_bad()) return {.bad = &bad[bad_at++].row};
            return {.good = &entities[at++]};
        }

        void clear() noexcept {
            entities.clear();
            bad.clear();
            keys.clear();
            at = bad_at = 0;
        }
    };

    struct page_reader {
        page* to;
        cursor_range* from;  ///< rows before these keys have been taken
        bool compared;
        bool partial;
        property_cipher const* cipher;
        page_bounds bounds;

        result<std::size_t> operator()(response& answer) {
            to->clear();
            auto count = decode(answer.body);
            auto done = count ? pass_taken() : result<void>{};
            for (std::size_t i = 0; count && done && compared && i < to->entities.size(); ++i) {
                auto& keys = to->keys.emplace_back();
                done = to->source->encode_keys(&to->entities[i].value, keys.partition_key.emplace(), keys.row_key);
            }
            if (!done) count = failure{std::move(done).error()};
            if (!count) to->clear();
            if (count && to->ended()) return std::size_t{0};
            return count;
        }

        result<std::size_t> decode(std::string& body) {
            if constexpr (std::is_same_v<T, dynamic_entity>) {
                return decode_page(body, to->entities, to->bad, partial, cipher, bounds);
            } else {
                auto count = decode_page(body, to->entities, to->bad, partial, cipher, to->source->types, bounds);
                if (!to->source->index.empty())
                    for (auto& e : to->entities) e.etag = {};  // that of the index's row
                return count;
            }
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

    struct range {
        range(query_page const& query, bool compared, page_plan const& what, property_cipher const* cipher,
              row_source const& source)
            : held{&source},
              pages(query, page_reader{&held, &from, compared, what.partial, cipher, {query.partition, query.row}},
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
        page_operation<page_reader> pages;
    };

    /// The order of a heap whose top comes first.
    auto after() const noexcept {
        return [this](std::size_t a, std::size_t b) {
            if (order_ == row_order::any) return false;
            auto const& x = ranges_[a].held;
            auto const& y = ranges_[b].held;
            auto const partitions = [&] { return compare_utf16(x.partition_key(), y.partition_key()); };
            auto const rows = [&] { return compare_utf16(x.row_key(), y.row_key()); };
            if (order_ == row_order::by_row_key)
                if (auto const c = rows(); c != 0) return c > 0;
            if (auto const c = partitions(); c != 0) return c > 0;
            return rows() > 0;
        };
    }

    step ask(environment const& env) {
        requests_.clear();
        asked_.assign(waiting_.begin(),
                      waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(waiting_.size(), at_once_)));
        for (auto const i : asked_) requests_.push_back(ranges_[i].pages.start(env).requests().front());
        return requests_.empty() ? step::done() : step::send(requests_);
    }

    void take_response(environment const& env, std::size_t at, response& answer) {
        auto& pages = ranges_[at].pages;
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

    row_order order_;
    std::size_t at_once_;
    std::deque<range> ranges_{};          // their pages are pointed to
    std::vector<std::size_t> waiting_{};  ///< partitions whose next page is missing
    std::vector<std::size_t> asked_{};    ///< the first of them, asked for in this step
    std::vector<std::size_t> again_{};    ///< those of them that have to be asked again
    std::vector<std::size_t> heads_{};    ///< a heap of the partitions that have rows at hand
    std::vector<request> requests_{};
    std::optional<error> fault_{};
};

}  // namespace tablemap::detail
