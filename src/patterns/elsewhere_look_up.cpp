// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/elsewhere_look_up.hpp"

#include "patterns/most_at_once.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A position in the rows of an index.
using position = std::optional<continuation>;

/// One run over rows of an index.
class linked_reading {
public:
    linked_reading(elsewhere_place const& place, elsewhere_range const& range, environment const& env)
        : place_(place), range_(range), env_(env) {}

    /// Reads all pages.
    task<result<void>> all() {
        page_reading pages{rows_of_index(std::nullopt), env_};
        while (!pages.ended()) {
            auto const added = co_await add_page_of(pages);
            if (!added) co_return failure{added.error()};
        }
        co_return result<void>{};
    }

    /// Reads a page. Returns the position of the following one.
    task<result<position>> page(position from, std::optional<std::size_t> top) {
        page_reading pages{rows_of_index(top), env_, std::move(from)};
        auto const added = co_await add_page_of(pages);
        if (!added) co_return failure{added.error()};
        co_return pages.next_page();
    }

    std::vector<linked_row> take() noexcept { return std::move(linked_); }

private:
    query_page rows_of_index(std::optional<std::size_t> top) const {
        return {.table = place_.rows->name,
                .partition = range_.keys.partition_bounds(),
                .row = range_.keys.row_bounds(),
                .top = top};
    }

    task<result<void>> add_page_of(page_reading& pages) {
        auto const rows = co_await pages.next_rows();
        if (!rows) co_return failure{rows.error()};
        auto const added = co_await add(*rows);
        co_return added;
    }

    task<result<void>> add(std::vector<stored_entity> const& rows) {
        for (std::size_t begin = 0; begin < rows.size(); begin += most_at_once) {
            auto const some = std::span{rows}.subspan(begin, std::min(most_at_once, rows.size() - begin));
            auto const added = co_await add_some(some);
            if (!added) co_return failure{added.error()};
        }
        co_return result<void>{};
    }

    task<result<void>> add_some(std::span<stored_entity const> rows) {
        std::vector<entity_key> owners, keys;
        for (auto const& row : rows) {
            auto body = body_of(row);
            auto owner = range_.owner_of(body);
            if (!owner && owner.error().code() == library_errc::another_type) continue;
            if (!owner) co_return failure{std::move(owner).error()};
            owners.push_back(*std::move(owner));
            keys.push_back({row.partition_key, row.row_key});
        }
        std::vector<request> reads;
        reads.reserve(owners.size());
        for (auto const& o : owners) reads.emplace_back(get_entity{place_.entities->name, o.partition_key, o.row_key});
        auto answers = co_await ask_all(reads);
        for (std::size_t i = 0; i < owners.size(); ++i) {
            auto& base = answers[i];
            if (!tells_presence(base)) co_return failure{*std::move(base.failure)};
            if (base.ok()) linked_.push_back({std::move(keys[i]), std::move(base)});
        }
        co_return result<void>{};
    }

    elsewhere_place const& place_;
    elsewhere_range const& range_;
    environment const& env_;
    std::vector<linked_row> linked_{};
};

void add_bounds(query_hash& h, key_bounds const& b) {
    auto const add = [&](std::optional<std::string_view> const& bound, bool inclusive) {
        h.add(bound ? (inclusive ? "[" : "(") : "-").add(bound.value_or(std::string_view{}));
    };
    add(b.from, b.from_inclusive);
    add(b.to, b.to_inclusive);
}

/// It must be the same for a cursor to fit.
std::uint64_t range_hash(elsewhere_place const& place, elsewhere_range const& range) {
    query_hash h;
    h.add("find_page").add(place.rows->store->capabilities().name).add(place.rows->name).add(place.entities->name);
    add_bounds(h, range.keys.partition_bounds());
    add_bounds(h, range.keys.row_bounds());
    return h.value();
}

result<position> position_in(page_selection const& which, std::uint64_t hash) {
    if (which.from.empty()) return position{};
    auto ranges = read_cursor(which.from, hash, 1);
    if (!ranges) return failure{std::move(ranges).error()};
    return std::move(ranges->front().page);
}

}  // namespace

task<result<std::vector<linked_row>>> read_linked_rows(elsewhere_place place, elsewhere_range range) {
    auto const call = co_await this_call();
    linked_reading reading{place, range, call.env};
    auto const read = co_await reading.all();
    if (!read) co_return failure{read.error()};
    co_return reading.take();
}

task<result<linked_page>> read_linked_page(elsewhere_place place, elsewhere_range range, page_selection which) {
    auto const call = co_await this_call();
    auto const hash = range_hash(place, range);
    auto const from = position_in(which, hash);
    if (!from) co_return failure{from.error()};
    linked_reading reading{place, range, call.env};
    auto next = co_await reading.page(*from, which.top);
    if (!next) co_return failure{next.error()};
    linked_page page{reading.take(), std::nullopt};
    if (*next) page.next = write_cursor(hash, {{.page = *std::move(next)}});
    co_return page;
}

}  // namespace tablemap::detail
