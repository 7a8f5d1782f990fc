// SPDX-License-Identifier: Apache-2.0
#include "patterns/option_check.hpp"
#include "patterns/partition_tally.hpp"
#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/keys/text.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/detail/store/service_call.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_places = 256;
constexpr std::size_t least_page = 50;
constexpr std::size_t longest_beginning = 128;
constexpr std::string_view keys_only[] = {"PartitionKey"};

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
        : table_(table), how_(how), env_(env), most_places_(std::min(how.places, how.rows)) {}

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
        for (std::size_t length = 1; *first && most_places_ > 1 && length <= longest_beginning; length *= 2) {
            std::vector<std::string> places{std::string{}};
            cut_ = false;
            auto const all = co_await each_beginning(**first, length, places);
            if (!all) co_return failure{all.error()};
            if (*all || places_.size() == 1) places_ = std::move(places);
            if (!*all || !cut_ || places_.size() * 2 > most_places_) break;
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
            if (places.size() == most_places_) co_return false;
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
        in_a_row_ = 0;
        auto const whole = co_await size_rows(bounds);
        if (!whole) co_return failure{whole.error()};
        bool ended = *whole;
        while (!ended && left_ > 0) {
            auto const read = co_await read_page(bounds, page);
            if (!read) co_return failure{read.error()};
            ended = !next_;
            if (!ended && in_a_row_ >= page && left_ <= half) pass_partition(bounds);
        }
        complete_ = complete_ && ended;
        if (!ended && read_ > before) tally_.cut();
        co_return result<void>{};
    }

    /// Goes on behind a partition, which may have more rows.
    void pass_partition(key_bounds& bounds) {
        tally_.pass();
        complete_ = false;
        in_a_row_ = 0;
        bounds.from = last_;
        bounds.from_inclusive = false;
        next_.reset();
        progress_ = {};
    }

    /// Reads the first rows of a place with all properties. A continuation belongs to the properties that were
    /// selected, so the rows count only if they are all of the place. True: they are.
    task<result<bool>> size_rows(key_bounds const& bounds) {
        if (how_.sized_rows == 0) co_return false;
        query_page const what{.table = table_, .partition = bounds, .top = std::min(how_.sized_rows, left_)};
        page_reading pages{what, env_};
        auto const rows = co_await pages.next_rows();
        if (!rows) co_return failure{rows.error()};
        for (auto const& row : *rows) tally_.size(row);
        if (!pages.ended()) co_return false;
        add(*rows);
        co_return true;
    }

    /// Reads a page, and sets `next_`.
    task<result<void>> read_page(key_bounds const& bounds, std::size_t most) {
        query_page const what{.table = table_, .partition = bounds, .select = keys_only, .top = std::min(most, left_)};
        page_reading pages{what, env_, next_};
        auto const rows = co_await pages.next_rows();
        if (!rows) co_return failure{rows.error()};
        next_ = pages.next_page();
        if (auto const stuck = progress_.stuck_at(next_, rows->empty(), env_.options())) co_return failure{*stuck};
        add(*rows);
        co_return result<void>{};
    }

    void add(std::vector<stored_entity> const& rows) {
        for (auto const& row : rows) {
            in_a_row_ = row.partition_key == last_ ? in_a_row_ + 1 : 1;
            last_ = row.partition_key;
            tally_.add(row);
        }
        left_ -= std::min(left_, rows.size());
        read_ += std::min(how_.rows - read_, rows.size());
    }

    std::string_view table_;
    sample_options const& how_;
    environment const& env_;
    std::size_t most_places_;  ///< each has a row at least
    std::vector<std::string> places_{};
    partition_tally tally_{};
    std::string last_{};                  ///< the partition of the row that was read last
    std::size_t in_a_row_ = 0;            ///< rows of it that were read one after the other
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

result<void> check_sample_options(sample_options const& how) {
    if (how.rows == 0) return failure{out_of_range("rows", "a sample has a row at least")};
    if (how.places == 0 || how.places > most_places)
        return failure{out_of_range("places", "a sample is of 1 to 256 places")};
    if (how.sized_rows > limits::page_entities)
        return failure{out_of_range("sized_rows", "a page of rows with their properties has 1,000 rows at most")};
    return {};
}

result<void> check_order(store const& s) {
    if (s.capabilities().ordered_results) return {};
    return fail(library_errc::unsupported,
                {.reason = "rows are counted by their partitions in key order, which this store does not give; query "
                           "the keys of the table in_any_order() and count them"});
}

task<result<partition_sample>> checked_sampling(store_ptr s, std::string table, sample_options how) {
    if (auto const good = check_sample_options(how); !good) co_return failure{good.error()};
    if (auto const good = check_order(*s); !good) co_return failure{good.error()};
    auto sample = co_await sampling(std::move(table), how);
    co_return sample;
}

}  // namespace

service_call<partition_sample> sampling_call(store_ptr const& s, std::string table, sample_options const& how) {
    auto first = checked_sampling(s, table, how);
    return {s, "sample partitions", std::move(table), std::move(first)};
}

}  // namespace tablemap::detail

namespace tablemap::inline v0_1 {

partition_sample sample_partitions(store_ptr const& s, std::string_view table, sample_options const& how,
                                   call_options const& o) {
    return value_or_throw(try_sample_partitions(s, table, how, o));
}

result<partition_sample> try_sample_partitions(store_ptr const& s, std::string_view table, sample_options const& how,
                                               call_options const& o) {
    return detail::run(*s, detail::sampling_call(s, std::string{table}, how), o);
}

}  // namespace tablemap
