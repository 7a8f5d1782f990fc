// SPDX-License-Identifier: Apache-2.0
#include "patterns/partition_tally.hpp"

#include "base/digit_groups.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t least_steps = 16;  // of times that are compared
constexpr std::size_t least_rows = 100;  // of which a share means something
constexpr std::size_t least_times = 4;   // the rows of the partition in the middle that a large one has

std::string percent(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

}  // namespace

void time_trend::add(ticks t) noexcept {
    if (std::exchange(begun_, true)) {
        up_ += last_ < t ? 1U : 0U;
        down_ += t < last_ ? 1U : 0U;
    }
    last_ = t;
}

bool time_trend::is_ordered() const noexcept {
    auto const steps = up_ + down_;
    return steps >= least_steps && std::max(up_, down_) * 10 >= steps * 9;
}

void partition_tally::add(stored_entity const& row) {
    if (partitions_.empty() || partitions_.back().share.partition_key != row.partition_key)
        partitions_.push_back({.share = {.partition_key = row.partition_key}});
    auto& p = partitions_.back();
    ++p.share.rows;
    p.share.newest = std::max(p.share.newest, row.timestamp);
    p.rows.add(row.timestamp);
    ++rows_;
}

void partition_tally::size(stored_entity const& row) noexcept {
    ++sized_;
    bytes_ += entity_size(row);
}

void partition_tally::cut() noexcept {
    if (!partitions_.empty()) partitions_.back().share.more = true;
}

void partition_tally::pass() noexcept {
    cut();
    if (!partitions_.empty()) partitions_.back().passed = true;
}

/// A partition that was passed has a part of its rows in the sample only, so its share says little. It is compared with
/// the partition in the middle.
std::vector<key_finding> partition_tally::findings(std::vector<partition> const& sorted, std::size_t rows) {
    if (rows < least_rows) return {};
    if (sorted.size() == 1) {
        std::vector<key_finding> found{{hot_key::one_partition, lint_level::hint, {}}};
        if (sorted.front().rows.is_ordered()) found.push_back({hot_key::growing_rows, lint_level::warning, {}});
        return found;
    }
    auto const many = sorted[sorted.size() / 2].share.rows * least_times;
    auto const is_large = [many](partition const& p) {
        return p.share.share > 0.5 || (p.passed && p.share.rows >= many);
    };
    if (std::none_of(sorted.begin(), sorted.end(), is_large)) return {};
    auto const level = sorted.front().share.share > 0.5 ? lint_level::warning : lint_level::hint;
    std::vector<key_finding> found{{hot_key::large_share, level, {}}};
    if (std::any_of(sorted.begin(), sorted.end(),
                    [&](partition const& p) { return is_large(p) && p.rows.is_ordered(); }))
        found.push_back({hot_key::growing_rows, level, {}});
    return found;
}

partition_sample partition_tally::finish(std::size_t hottest, bool complete) const {
    partition_sample s{.rows = rows_, .partitions = partitions_.size(), .places = places_, .complete = complete};
    if (sized_ > 0) {
        s.bytes_per_row = static_cast<std::size_t>(bytes_ / sized_);
        s.estimated_bytes = bytes_ * rows_ / sized_;
    }
    time_trend of_partitions;
    std::vector<partition> sorted = partitions_;
    for (auto& p : sorted) {
        p.share.share = static_cast<double>(p.share.rows) / static_cast<double>(rows_);
        of_partitions.add(p.share.newest);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](partition const& a, partition const& b) { return a.share.rows > b.share.rows; });
    s.findings = findings(sorted, rows_);
    if (of_partitions.is_ordered()) s.findings.push_back({hot_key::time_ordered, lint_level::hint, {}});
    for (std::size_t i = 0; i < std::min(hottest, sorted.size()); ++i) s.hottest.push_back(std::move(sorted[i].share));
    return s;
}

}  // namespace tablemap::detail

namespace tablemap::inline v0_1 {

std::string_view key_finding::reason() const noexcept {
    switch (what) {
    case hot_key::one_partition: return "all entities are in one partition, which one server serves";
    case hot_key::few_partitions: return "the partition key has 16 values at most, so as many servers serve the table";
    case hot_key::time_ordered:
        return "partition keys grow with time, so all that is written at a moment goes to one end of the table";
    case hot_key::counted:
        return "the partition key begins with a number in order; if it is counted up, all inserts go to one end of the "
               "table";
    case hot_key::growing_rows: return "row keys of a partition grow with time, so all inserts go to one end of it";
    default:
        return level == lint_level::warning ? "one partition has more than half of the rows"
                                            : "a partition has many more rows than most others of the sample";
    }
}

std::string_view key_finding::remedy() const noexcept {
    switch (what) {
    case hot_key::time_ordered:
    case hot_key::counted:
        return "begin the partition key with a member that differs among the writes of a moment, or put "
               "spread<16>(part<&T::member>) before it; for lines that are only read by time, use a log_writer";
    case hot_key::growing_rows:
        return "spread the partition with spread<16>(part<&T::member>), or put a member into the partition key that "
               "differs among the writes of a moment";
    default:
        return "if many write to the table, put a member of many values into the partition key, or "
               "spread<16>(part<&T::member>)";
    }
}

std::string key_finding::text() const {
    std::string text{level == lint_level::warning ? "warning: " : "hint: "};
    if (!member.empty()) text.append(member).append(": ");
    return text.append(reason()).append("; ").append(remedy());
}

std::string partition_sample::text() const {
    std::string text = detail::counted(rows, "row", "rows") + " in " +
                       detail::counted(partitions, "partition", "partitions") + ", from " +
                       detail::counted(places, "place", "places") + (complete ? ", all of the table" : "") + "\n";
    if (bytes_per_row > 0)
        text += "about " + detail::counted(bytes_per_row, "byte", "bytes") + " a row, " +
                detail::counted(estimated_bytes, "byte", "bytes") + " together\n";
    for (std::size_t i = 0; i < hottest.size(); ++i)
        text += "partition " + std::to_string(i + 1) + ": " + detail::counted(hottest[i].rows, "row", "rows") +
                (hottest[i].more ? " or more, " : ", ") + detail::percent(hottest[i].share) + "\n";
    for (auto const& f : findings) text += f.text() + "\n";
    return text;
}

}  // namespace tablemap
