// SPDX-License-Identifier: Apache-2.0
#include "command/stats.hpp"

#include "base/digit_groups.hpp"
#include "command/chosen_rows.hpp"
#include "command/finding_lines.hpp"

#include "tablemap/patterns/hot_partitions.hpp"

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t hottest = 10;

struct partition_rows {
    std::string key{};
    std::size_t rows = 0;
    std::uint64_t bytes = 0;
};

/// Counts rows that come in the order of their keys.
class exact_count {
public:
    void add(dynamic_entity const& row) {
        if (partitions_ == 0 || present_.key != row.partition_key) {
            end_partition();
            present_ = {row.partition_key, 0, 0};
            ++partitions_;
        }
        auto const bytes = entity_size(row);
        ++present_.rows, present_.bytes += bytes;
        ++rows_, bytes_ += bytes;
    }

    void write(std::ostream& out) {
        end_partition();
        out << "partitions: " << partitions_ << "\nrows: " << rows_ << "\nbytes: " << bytes_ << " ("
            << bytes_for_people(bytes_) << ")\n";
        for (auto const& p : most_)
            out << "partition '" << printable(p.key) << "': " << counted(p.rows, "row") << ", "
                << bytes_for_people(p.bytes) << "\n";
    }

    std::size_t rows() const noexcept { return rows_; }

private:
    /// Keeps the partitions with the most rows.
    void end_partition() {
        if (present_.rows == 0) return;
        auto const fewer = [](auto const& a, auto const& b) { return a.rows > b.rows; };
        most_.insert(std::upper_bound(most_.begin(), most_.end(), present_, fewer), present_);
        if (most_.size() > hottest) most_.pop_back();
        present_.rows = 0;
    }

    partition_rows present_{};
    std::vector<partition_rows> most_{};
    std::size_t partitions_ = 0, rows_ = 0, bytes_ = 0;
};

int count_all(table<dynamic_entity> const& t, console& c) {
    require_key_order(t, "partitions cannot be counted");
    exact_count count;
    for (auto const& row : t.scan().read_ahead()) {
        count.add(row.value);
        if (count.rows() % 256 == 0) c.progress(t.name() + ": " + detail::counted(count.rows(), "row", "rows"));
    }
    c.end_progress();
    count.write(c.out());
    return done;
}

}  // namespace

int stats(stats_options const& o, console& c) {
    auto const store = open_store(o.store);
    if (o.exact) return count_all({store, o.table}, c);
    auto const sample = sample_partitions(store, o.table, {.rows = o.sample, .hottest = hottest});
    c.out() << sample.text();
    for (std::size_t i = 0; i < sample.hottest.size(); ++i)
        c.out() << "partition " << i + 1 << " has the key '" << printable(sample.hottest[i].partition_key) << "'\n";
    return done;
}

}  // namespace tablemap::inline v0_1::command
