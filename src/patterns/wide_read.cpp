// SPDX-License-Identifier: Apache-2.0
#include "patterns/wide_rows.hpp"

#include "store/ask.hpp"
#include "store/pager.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A row of 1 MiB, as the service counts it, has up to 3 MiB of JSON: six bytes for a control character, which counts
/// as two. So many rows fit into one response of a transport.
constexpr std::size_t rows_of_page = 20;

constexpr std::string_view remedy = "read it again when fewer others write to it, or pass a later deadline";

error never_whole() {
    return error{library_errc::too_many_conflicts,
                 {.reason = "the rows of a wide entity were of different states each time, since others write to it"}};
}

error damaged() {
    return error{library_errc::malformed_response,
                 {.reason =
                      "a row of a wide entity is missing or is not the one that its head names, and no other "
                      "writer seems to be under way: something else than a wide_table wrote or erased rows; upsert the "
                      "entity anew, or erase it by erase_any"}};
}

/// A place in memory for the bounds of an entity's rows.
struct set_bounds {
    explicit set_bounds(entity_key const& of) : key(of), end(end_of_rows(of.row_key)) {}

    page_bounds view() const {
        return {key_bounds::exactly(key.partition_key), {.from = key.row_key, .to = std::string_view{end}}};
    }

    entity_key const& key;
    std::string end;
};

/// Reads one entity's rows once. The arguments are borrowed.
task<result<std::optional<wide_set>>> read_once(table_state const& table, wide_type type, entity_key const& key,
                                                bool current, wide_entities& to) {
    auto const call = co_await this_call();
    set_bounds const held{key};
    auto const bounds = held.view();
    wide_assembly assembly{type, to, table.cipher.get()};
    pager pages{query_page{.table = table.name,
                           .partition = bounds.partition,
                           .row = bounds.row,
                           .top = std::min(rows_of_page, table.store->capabilities().page_entities),
                           .current = current},
                [&](response& page) { return assembly.take(page.body, bounds); }};
    while (!pages.ended()) {
        request const what = pages.request();
        auto page = co_await ask(what);
        auto const more = pages.take(page, call.env.options());
        if (!more) co_return failure{more.error()};
    }
    assembly.end();
    if (assembly.ended().empty()) co_return std::nullopt;
    co_return std::move(assembly.ended().front());
}

}  // namespace

task<result<std::optional<wide_set>>> read_wide(table_state const& table, wide_type type, entity_key key, bool current,
                                                wide_entities& to) {
    auto const call = co_await this_call();
    if (auto r = check_head(key); !r) co_return failure{std::move(r).error()};
    std::optional<etag> last;
    int with_one_head = 1;
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        to.clear();
        bool const of_now = current || tries > 1;
        auto read = co_await read_once(table, type, key, of_now, to);
        if (!read || !*read || (*read)->together || (*read)->fault) co_return read;
        // Every write changes the head. If the reads before and after one met the same head, none came between. The
        // first read may be of a copy that lags behind.
        auto const now = *to.at(0).etag;
        with_one_head = last == now ? with_one_head + 1 : 1;
        if (with_one_head == 4) {
            (*read)->fault = damaged();
            co_return read;
        }
        last = now;
        auto const until = next_try({}, tries, call.env.now() - began, never_whole(), call.env, remedy);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

result<void> check_order_of_rows(table_state const& t) {
    if (t.store->capabilities().ordered_results) return {};
    return fail(library_errc::unsupported,
                {.reason =
                     "the rows of a wide entity are put together as they come in key order, which this store does "
                     "not give; store the struct in parts of its own"});
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

struct wide_scan::state {
    struct reader {
        wide_assembly* assembly;
        page_bounds bounds;
        result<std::size_t> operator()(response& page) { return assembly->take(page.body, bounds); }
    };

    std::shared_ptr<table_state const> table;
    wide_type type;
    std::string partition;
    key_range rows;
    std::unique_ptr<wide_entities> to;
    call_options options;
    std::size_t top = rows_of_page;
    wide_assembly assembly{type, *to, table->cipher.get()};
    std::optional<pager<reader>> pages{};
    bool given = false;            ///< the first entity of the list was read, and is dropped by the next call
    std::optional<error> fault{};  ///< of a page that cannot be read, which ends the range
    bool told = false;             ///< the fault was

    page_bounds bounds() const {
        key_bounds row;
        if (!rows.from.empty()) row.from = rows.from;
        if (rows.to) row.to = *rows.to;
        return {key_bounds::exactly(partition), row};
    }

    pager<reader>& begun() {
        if (pages) return *pages;
        auto const b = bounds();
        return pages.emplace(query_page{.table = table->name, .partition = b.partition, .row = b.row, .top = top},
                             reader{&assembly, b});
    }
};

wide_scan::wide_scan(std::shared_ptr<table_state const> table, wide_type type, std::string partition, key_range rows,
                     std::unique_ptr<wide_entities> to, call_options o)
    : state_(new state{std::move(table), type, std::move(partition), std::move(rows), std::move(to), std::move(o)}) {
    auto& range = state_->rows;
    if (range.one) range.to = end_of_rows(range.from);
    // A range up to an escaped text ends in a blank, before the further rows of the last entity.
    if (range.to && range.to->ends_with(' ')) *range.to = end_of_rows(range.to->substr(0, range.to->size() - 1));
}
wide_scan::~wide_scan() = default;

void wide_scan::page_size(std::size_t rows) { state_->top = rows; }
wide_entities& wide_scan::entities() noexcept { return *state_->to; }
std::shared_ptr<table_state const> const& wide_scan::table() const noexcept { return state_->table; }
call_options const& wide_scan::options() const noexcept { return state_->options; }

std::unique_ptr<wide_scan> wide_scan::again() const {
    auto const& s = *state_;
    auto made = std::make_unique<wide_scan>(s.table, s.type, s.partition, s.rows, s.to->another(), s.options);
    made->page_size(s.top);
    return made;
}

void wide_scan::drop_first() {
    state_->to->drop_first();
    state_->assembly.ended().pop_front();
}

void wide_scan::drop_given() {
    if (std::exchange(state_->given, false)) drop_first();
}

/// Reads pages until an entity has ended, or all have.
task<result<void>> wide_scan::read_pages() {
    auto const call = co_await this_call();
    auto& s = *state_;
    auto& pages = s.begun();
    while (s.assembly.ended().empty() && !pages.ended() && !s.fault) {
        request const what = pages.request();
        auto page = co_await ask(what);
        bool const came = page.ok();
        auto const more = pages.take(page, call.env.options());
        if (!more && !came) co_return failure{more.error()};
        // Rows of a page that cannot be read are in the list already, so it is not requested again.
        if (!more) s.fault = more.error();
        if (pages.ended()) s.assembly.end();
    }
    co_return result<void>{};
}

task<result<bool>> wide_scan::read_on() {
    auto& s = *state_;
    drop_given();
    for (;;) {
        auto const pages = co_await read_pages();
        if (!pages) co_return failure{pages.error()};
        if (s.assembly.ended().empty()) {
            if (s.fault && !std::exchange(s.told, true)) co_return failure{*s.fault};
            co_return false;
        }
        auto& first = s.assembly.ended().front();
        if (!first.together && !first.fault) {
            auto const again = s.to->another();
            auto read = co_await read_wide(*s.table, s.type, first.key, false, *again);
            if (!read) co_return failure{read.error()};
            if (!*read) {
                drop_first();
                continue;
            }
            s.to->replace_first(*again);
            first = std::move(**read);
        }
        s.given = !first.fault;
        if (s.given) co_return true;
        auto const fault = *first.fault;
        drop_first();
        co_return failure{fault};
    }
}

}  // namespace tablemap::detail
