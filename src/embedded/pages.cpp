// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"
#include "embedded/cursor.hpp"
#include "embedded/key_codec.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/filter/narrowing.hpp"
#include "tablemap/filter/odata.hpp"
#include "wire/packed_rows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr std::size_t page_bytes = 4 * 1024 * 1024;
constexpr std::size_t examined_per_page = 10'000;
constexpr std::size_t rows_between_checks = 256;
constexpr std::size_t rows_before_reserving = 32;

/// Above every stored key, whose bytes are at most F6.
constexpr std::string_view above_all = "\xFF";

/// The least text above all of this text: keys hold no NUL, but nothing here depends on it.
std::string after(std::string_view bytes) {
    std::string next{bytes};
    next += '\0';
    return next;
}

/// Bounds in stored form, `from` in and `to` out.
struct half_open {
    std::string from;
    std::string to;

    half_open(key_bounds const& b, filter::expression const* where, std::string_view name) : to(above_all) {
        if (b.from) from = bound(*b.from, !b.from_inclusive, name);
        if (b.to) to = bound(*b.to, b.to_inclusive, name);
        if (where) narrow(filter::narrowing(*where, name), name);
    }

    bool holds_one() const { return to == after(from); }

private:
    void narrow(key_bounds const& b, std::string_view name) {
        if (b.from) from = std::max(from, bound(*b.from, !b.from_inclusive, name));
        if (b.to) to = std::min(to, bound(*b.to, b.to_inclusive, name));
    }

    static std::string bound(std::string_view text, bool beyond, std::string_view name) {
        if (!utf16_length(text)) refuse(service_errc::invalid_input, "bounds of keys must be valid UTF-8", name);
        auto stored = to_stored_key(text);
        return beyond ? after(stored) : stored;
    }
};

/// Reads rows in key order from a position that can be moved forward.
class row_walk {
public:
    row_walk(connection& c, std::int64_t table, query_page const& q)
        : table_(table),
          partitions_(q.partition, q.where, partition_key_name),
          rows_(q.row, q.where, row_key_name),
          one_partition_(partitions_.holds_one()),
          one_key_(from_stored_key(partitions_.from, partition_key_)),
          partition_(partitions_.from),
          row_(rows_.from),
          use_(c.prepared(one_partition_ ? query::read_partition : query::read_table)) {
        if (q.from) start_at(*q.from);
    }

    /// Counts rows that the bounds leave out as examined, too; gives one of them once too many were examined. In one
    /// partition the statement applies the bounds.
    bool next(stored_row& row, std::size_t& examined) {
        std::string_view key;
        for (;;) {
            if (!running_) run();
            if (!use_->step()) return false;
            ++examined;
            key = use_->blob(0);
            bool const is_within = one_partition_ || (key >= rows_.from && key < rows_.to);
            if (is_within || examined > examined_per_page) break;
            skip(key);
        }
        row = {.partition_key = one_partition_ ? one_key_ : from_stored_key(use_->blob(3), partition_key_),
               .row_key = from_stored_key(key, row_key_),
               .stamp = checked_stamp(use_->integer(1)),
               .fragment = use_->blob(2)};
        return true;
    }

private:
    void start_at(continuation const& from) {
        if (!from.row_key) refuse(library_errc::invalid_cursor, "its row key is missing");
        auto const p = to_stored_key(open_cursor(from.partition_key));
        auto const r = to_stored_key(open_cursor(*from.row_key));
        if (one_partition_ && p != partitions_.from) refuse(library_errc::invalid_cursor, "it is of another partition");
        if (std::tie(p, r) > std::tie(partition_, row_)) {
            partition_ = p;
            row_ = r;
        }
    }

    void run() {
        use_->bind(1, table_);
        use_->bind_blob(2, partition_);
        use_->bind_blob(3, row_);
        use_->bind_blob(4, one_partition_ ? rows_.to : partitions_.to);
        running_ = true;
    }

    /// From a row below the row bounds to their begin, from one above them to the next partition.
    void skip(std::string_view key) {
        auto const partition = use_->blob(3);
        partition_ = key < rows_.from ? std::string{partition} : after(partition);
        row_ = rows_.from;
        use_->reset();
        running_ = false;
    }

    std::int64_t table_;
    half_open partitions_;
    half_open rows_;
    bool one_partition_;
    std::string partition_key_, row_key_;  // buffers for keys that are stored in another form
    std::string_view one_key_;             // of the one partition
    std::string partition_;
    std::string row_;
    statement_use use_;
    bool running_ = false;
};

/// Fills one page.
class page_builder {
public:
    page_builder(query_page const& q, call_limits const& limits)
        : query_(q), limits_(limits), most_(q.top.value_or(limits::page_entities)), selected_(q.select) {
        if (most_ < 1 || most_ > limits::page_entities)
            refuse(service_errc::out_of_range_input, "a page has 1 to 1,000 entities");
        if (q.packed)
            begin_packed(answer_.body);
        else
            answer_.body = "{\"value\":[";
    }

    /// False if the table has no row within the bounds.
    bool fill(connection& c, std::int64_t table) {
        row_walk walk{c, table, query_};
        std::size_t examined = 0;
        for (stored_row row; walk.next(row, examined);) {
            if (is_full(examined)) {
                answer_.next = continuation_at(row);
                break;
            }
            if (examined % rows_between_checks == 0) limits_.check();
            take(row);
        }
        return examined > 0;
    }

    response finish() {
        if (query_.packed)
            end_packed(answer_.body);
        else
            answer_.body += "]}";
        return std::move(answer_);
    }

private:
    bool is_full(std::size_t examined) const noexcept {
        return count_ == most_ || answer_.body.size() >= page_bytes || examined > examined_per_page;
    }

    void take(stored_row const& row) {
        if (!matches(row)) return;
        append(row);
        if (++count_ == rows_before_reserving) reserve_rest();
    }

    bool matches(stored_row const& row) {
        if (!query_.where) return true;
        begin_packed(whole_);
        writer_of_whole_.append_packed(whole_, row);
        end_packed(whole_);
        auto const entity = read_dynamic(whole_);
        if (!entity) refuse(store_errc::corrupt, "a stored row is not what this store writes: restore a backup");
        return filter::matches(*query_.where, *entity);
    }

    void append(stored_row const& row) {
        if (query_.packed) return selected_.append_packed(answer_.body, row);
        if (count_ > 0) answer_.body += ',';
        selected_.append(answer_.body, row, ticks_text{row.stamp});
    }

    /// Reserves room for a full page of rows like the first: a text that grows by itself would copy them several times.
    void reserve_rest() {
        auto const expected = answer_.body.size() / count_ * most_;
        answer_.body.reserve(std::min(expected + expected / 8, page_bytes));
    }

    static continuation continuation_at(stored_row const& row) {
        continuation c;
        c.partition_key = seal_cursor(row.partition_key);
        c.row_key = seal_cursor(row.row_key);
        return c;
    }

    query_page const& query_;
    call_limits const& limits_;
    std::size_t most_;
    row_writer selected_;
    row_writer writer_of_whole_{{}};
    response answer_;
    std::string whole_;
    std::size_t count_ = 0;
};

}  // namespace

response read_page(connection& c, query_page const& q, call_limits const& limits) {
    if (q.where) value_or_throw(filter::check(*q.where));
    page_builder page{q, limits};
    auto table = c.remembered_table(q.table);
    for (;;) {
        if (table && page.fill(c, *table)) return page.finish();
        auto const found = require_table(c, q.table);
        if (found == table) return page.finish();
        c.remember_table(q.table, found);
        table = found;
    }
}

}  // namespace tablemap::detail::embedded
