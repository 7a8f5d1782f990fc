// SPDX-License-Identifier: Apache-2.0
#include "patterns/partition_tally.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_places = 256;
constexpr std::size_t least_page = 50;
constexpr std::size_t longest_beginning = 128;
constexpr std::string_view keys_only[] = {"PartitionKey"};
constexpr std::span<std::string_view const> all_properties{};

/// The first characters of a key, not of one that they would cut in two.
std::string_view beginning_of_key(std::string_view key, std::size_t length) noexcept {
    if (key.size() <= length) return key;
    while (length < key.size() && (static_cast<unsigned char>(key[length]) & 0xC0U) == 0x80U) ++length;
    return key.substr(0, length);
}

/// One run of `sample_partitions`. All is borrowed.
class partition_sampling {
public:
    partition_sampling(std::string_view table, sample_options const& how, environment const& env)
        : table_(table), how_(how), env_(env) {}

    task<result<partition_sample>> run() {
        auto const found = co_await find_places();
        if (!found) co_return failure{found.error()};
        for (std::size_t i = 0; i < places_.size(); ++i) {
            auto const read = co_await sample(i);
            if (!read) co_return failure{read.error()};
        }
        co_return tally_.finish(how_.hottest, complete_);
    }

private:
    // ---- places -----------------------------------------------------------------------------------------------------

    /// Finds the longest beginnings of partition keys of which there are few enough. If there are too many as soon as
    /// there are several, their first ones are taken.
    task<result<void>> find_places() {
        places_ = {std::string{}};
        key_bounds const all_keys;
        auto const first = co_await first_key(all_keys);
        if (!first) co_return failure{first.error()};
        if (!*first) places_.clear();
        for (std::size_t length = 1; *first && how_.places > 1 && length <= longest_beginning; length *= 2) {
            std::vector<std::string> places{std::string{}};
            cut_ = false;
            auto const all = co_await each_beginning(**first, length, places);
            if (!all) co_return failure{all.error()};
            if (*all || places_.size() == 1) places_ = std::move(places);
            if (!*all || !cut_ || places_.size() * 2 > how_.places) break;
        }
        co_return result<void>{};
    }

    /// Adds the first key of each further beginning of this length. False: there are too many.
    task<result<bool>> each_beginning(std::string const& first, std::size_t length, std::vector<std::string>& places) {
        std::string key = first;
        for (;;) {
            bool const is_whole = key.size() <= length;
            cut_ = cut_ || !is_whole;
            auto const end = is_whole ? std::optional{key} : end_of_prefix(beginning_of_key(key, length));
            if (!end) co_return true;
            key_bounds const behind{.from = *end, .from_inclusive = !is_whole};
            auto next = co_await first_key(behind);
            if (!next) co_return failure{next.error()};
            if (!*next) co_return true;
            if (places.size() == how_.places) co_return false;
            key = **std::move(next);
            places.push_back(key);
        }
    }

    /// The first partition key within bounds.
    task<result<std::optional<std::string>>> first_key(key_bounds bounds) {
        query_page const what{.table = table_, .partition = bounds, .select = keys_only, .top = 1};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return failure{rows.error()};
            if (!rows->empty()) co_return std::optional{rows->front().partition_key};
        }
        co_return std::optional<std::string>{};
    }

    // ---- rows -------------------------------------------------------------------------------------------------------

    task<result<void>> sample(std::size_t place) {
        tally_.add_place();
        key_bounds bounds;
        if (place > 0) bounds.from = places_[place];
        if (place + 1 < places_.size()) bounds.to = places_[place + 1];
        left_ = (how_.rows - read_) / (places_.size() - place);
        auto const before = read_;
        auto const half = left_ / 2;
        auto const page = std::clamp(left_ / 4, least_page, limits::page_entities);
        next_.reset();
        progress_ = {};
        bool ended = false;
        if (how_.sized_rows > 0 && left_ > 0) {
            auto const read = co_await read_page(bounds, all_properties, how_.sized_rows);
            if (!read) co_return failure{read.error()};
            ended = !next_;
        }
        while (!ended && left_ > 0) {
            auto const filled = co_await read_page(bounds, keys_only, page);
            if (!filled) co_return failure{filled.error()};
            ended = !next_;
            if (!ended && *filled && left_ <= half) pass_partition(bounds);
        }
        complete_ = complete_ && ended;
        if (!ended && read_ > before) tally_.cut();
        co_return result<void>{};
    }

    /// Goes on behind a partition, which may have more rows.
    void pass_partition(key_bounds& bounds) {
        tally_.cut();
        complete_ = false;
        bounds.from = last_;
        bounds.from_inclusive = false;
        next_.reset();
        progress_ = {};
    }

    /// Reads a page, and sets `next_`. True: one partition fills it.
    task<result<bool>> read_page(key_bounds const& bounds, std::span<std::string_view const> select, std::size_t most) {
        query_page const what{.table = table_, .partition = bounds, .select = select, .top = std::min(most, left_)};
        page_reading pages{what, env_, next_};
        auto const rows = co_await pages.next_rows();
        if (!rows) co_return failure{rows.error()};
        next_ = pages.next_page();
        if (auto const stuck = progress_.stuck_at(next_, rows->empty(), env_.options())) co_return failure{*stuck};
        for (auto const& row : *rows) tally_.add(row, select.empty());
        left_ -= std::min(left_, rows->size());
        read_ += std::min(how_.rows - read_, rows->size());
        if (rows->empty()) co_return false;
        last_ = rows->back().partition_key;
        co_return rows->size() > 1 && rows->front().partition_key == last_;
    }

    std::string_view table_;
    sample_options const& how_;
    environment const& env_;
    std::vector<std::string> places_{};
    partition_tally tally_{};
    std::string last_{};                  ///< the partition of the row that was read last
    std::optional<continuation> next_{};  ///< of the range that is read
    page_progress progress_{};
    std::size_t left_ = 0;  ///< rows that may be read at this place
    std::size_t read_ = 0;
    bool complete_ = true;
    bool cut_ = false;  ///< some keys are longer than the beginnings that were tried last
};

task<result<partition_sample>> sampling(std::string table, sample_options how) {
    auto const call = co_await this_call();
    partition_sampling s{table, how, call.env};
    auto sample = co_await s.run();
    co_return sample;
}

failure bad_option(char const* member, char const* reason) {
    return fail(library_errc::value_out_of_range, {.reason = reason, .member = member});
}

result<void> check_options(sample_options const& how) {
    if (how.rows == 0) return bad_option("rows", "a sample has a row at least");
    if (how.places == 0 || how.places > most_places) return bad_option("places", "a sample is of 1 to 256 places");
    return {};
}

}  // namespace
}  // namespace tablemap::detail

namespace tablemap::inline v0_1 {

partition_sample sample_partitions(store_ptr const& s, std::string_view table, sample_options const& how,
                                   call_options const& o) {
    return value_or_throw(try_sample_partitions(s, table, how, o));
}

result<partition_sample> try_sample_partitions(store_ptr const& s, std::string_view table, sample_options const& how,
                                               call_options const& o) {
    std::string const name{table};
    if (auto const good = detail::check_options(how); !good) return failure{good.error().in("sample partitions", name)};
    return detail::run(
        *s, detail::service_call<partition_sample>{s, "sample partitions", name, detail::sampling(name, how)}, o);
}

}  // namespace tablemap
