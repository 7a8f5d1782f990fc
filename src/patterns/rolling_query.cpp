// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/rolling_query.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/query/cursor.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

/// A span of more periods is read with a list of the tables that are there.
constexpr std::size_t most_unlisted = 100;

constexpr std::string_view cursor_mark = "r1";
constexpr std::size_t hash_digits = 16;

std::string in_hexadecimal(std::uint64_t n) {
    std::string text(hash_digits, '0');
    for (auto at = text.rbegin(); n != 0; ++at, n >>= 4U) *at = "0123456789abcdef"[n & 0xFU];
    return text;
}

std::string tick_text(std::optional<ticks> const& t) { return t ? std::to_string(t->count()) : std::string{}; }

/// Errors: `library_errc::unsupported` for a query that the function of `query_each` should not have made.
result<void> check_query(query_state const& made, store_ptr const& store, std::string const& table) {
    char const* why = nullptr;
    if (!made.is_of(store, table))
        why = "the function of query_each made a query of another table; query the one that it is given";
    else if (made.limit())
        why = "the function of query_each made a query with top(); call top() of the range, which counts the entities "
              "of all tables";
    if (!why) return {};
    return failure{error{library_errc::unsupported, {.reason = why}}.in("query", table)};
}

failure no_cursor(char const* reason) { return fail(library_errc::invalid_cursor, {.reason = reason}); }

}  // namespace

// ---- taking rows ----------------------------------------------------------------------------------------------------

result<void> rolling_query::advance() {
    auto const there = take();
    if (!there) return failure{there.error()};
    if (*there) return {};
    return run(*settings_.table->store, rolling_call<void>{shared_from_this(), next()}, settings_.options);
}

task<result<void>> rolling_query::next() {
    for (;;) {
        auto const there = take();
        if (!there) co_return failure{there.error()};
        if (*there) co_return result<void>{};
        auto const more = co_await fetch();
        if (!more) co_return failure{more.error()};
    }
}

/// Takes what is at hand. True if that is an entity or the end.
result<bool> rolling_query::take() {
    current_ = nullptr;
    if (ended_ || (settings_.limit && taken_ >= *settings_.limit)) return true;
    while (rows_) {
        auto const there = rows_->take();
        if (!there) return failure{there.error()};
        if (!*there) return false;
        if (take_row()) return true;
    }
    return ended_;
}

/// Takes the row that the table's query has, if it lies in the span; or notes the end of the table.
bool rolling_query::take_row() {
    auto* const row = rows_->current();
    if (!row) {
        rows_.reset();
        ended_ = tables_.empty();
        return ended_;
    }
    if (!settings_.span.contains(settings_.time_of(row))) return false;
    current_ = row;
    ++taken_;
    return true;
}

task<result<void>> rolling_query::fetch() {
    if (!planned_) {
        auto planned = co_await plan();
        if (!planned) co_return failure{planned.error().in("query", settings_.table->names.prefix())};
    }
    if (!rows_) co_return open_next();
    auto const more = co_await rows_->pages().fetch();
    if (!more) co_return failure{rows_->explain_error(more.error())};
    co_return result<void>{};
}

// ---- the tables -----------------------------------------------------------------------------------------------------

/// The periods of a span that is short enough; nothing if the tables have to be listed.
std::optional<std::vector<ticks>> rolling_query::periods_of_span() const {
    auto const& [from, to] = settings_.span;
    if (!from || !to) return std::nullopt;
    auto const& names = settings_.table->names;
    std::vector<ticks> periods;
    for (auto start = names.start_of(std::max(*from, ticks::min())); start < std::min(*to, ticks::max());
         start = names.next(start)) {
        if (periods.size() == most_unlisted) return std::nullopt;
        periods.push_back(start);
    }
    if (*from >= *to) periods.clear();
    return periods;
}

task<result<void>> rolling_query::plan() {
    auto periods = periods_of_span();
    if (!periods) {
        auto const& names = settings_.table->names;
        auto const listed = co_await existing_periods(names, settings_.span);
        if (!listed) co_return failure{listed.error()};
        periods = *listed;
    }
    if (settings_.newest_first) std::reverse(periods->begin(), periods->end());
    tables_.assign(periods->begin(), periods->end());
    if (auto fits = plan_from_cursor(); !fits) co_return fits;
    planned_ = true;
    ended_ = tables_.empty();
    co_return result<void>{};
}

/// Leaves out the tables before the cursor's. That one is read on even if it is not there any more: to its query it is
/// empty then, and the next one follows.
result<void> rolling_query::plan_from_cursor() {
    if (!settings_.cursor) return {};
    std::string_view text{*settings_.cursor};
    auto const own = hash();
    if (!text.starts_with(cursor_mark)) return no_cursor("the text is no cursor of a rolling table");
    if (text.substr(0, own.size()) != own)
        return no_cursor("it was made by another query; go on with the same tables, span, direction and query");
    text.remove_prefix(own.size());
    if (text.empty()) return {};
    auto const point = text.find('.');
    auto const start = settings_.table->names.parse_digits(text.substr(0, point));
    bool const is_whole = point != std::string_view::npos && point + 1 < text.size();
    if (!is_whole || !start || !settings_.table->names.meets(*start, settings_.span))
        return no_cursor("the text is damaged");
    while (!tables_.empty() && !is_before(*start, tables_.front())) tables_.pop_front();
    tables_.push_front(*start);
    resumed_ = text.substr(point + 1);
    return {};
}

/// Begins the query of the next table. Nothing is sent.
result<void> rolling_query::open_next() {
    if (tables_.empty()) return {};
    auto const start = tables_.front();
    auto const table = settings_.table->names.name_of(start);
    auto made = settings_.make(table);
    if (!made) return failure{made.error()};
    if (auto good = check_query(**made, settings_.table->store, table); !good) return good;
    auto& query = **made;
    for (auto const& c : settings_.conditions) query.where(c);
    query.on_error(settings_.policy);
    bool const is_whole = settings_.table->names.lies_in(start, settings_.span);
    if (settings_.page_size)
        query.page_size(*settings_.page_size);
    else if (settings_.limit && is_whole)
        query.page_size(std::clamp<std::size_t>(*settings_.limit - taken_, 1, limits::page_entities));
    if (!resumed_.empty()) query.go_on(resumed_);
    if (auto opened = query.open(); !opened) return opened;
    resumed_.clear();
    tables_.pop_front();
    at_ = start;
    rows_ = *std::move(made);
    return {};
}

// ---- the cursor -----------------------------------------------------------------------------------------------------

std::string rolling_query::hash() const {
    auto const& [from, to] = settings_.span;
    auto const& names = settings_.table->names;
    query_hash h;
    h.add(names.prefix()).add(names.digits_of(ticks::min())).add(tick_text(from)).add(tick_text(to));
    h.add(settings_.newest_first ? "newest" : "oldest");
    return std::string{cursor_mark} + in_hexadecimal(h.value());
}

result<std::optional<std::string>> rolling_query::cursor() {
    using text = std::optional<std::string>;
    if (!planned_) return settings_.cursor ? settings_.cursor : text{hash()};
    for (;;) {
        if (!rows_ && tables_.empty()) return text{};
        if (!rows_)
            if (auto opened = open_next(); !opened) return failure{opened.error()};
        auto within = rows_->try_cursor();
        if (!within) return failure{within.error()};
        if (*within) return text{hash() + settings_.table->names.digits_of(*at_) + "." + **within};
        if (rows_->current()) last_ = rows_;
        rows_.reset();
        ended_ = tables_.empty();
    }
}

}  // namespace tablemap::detail
