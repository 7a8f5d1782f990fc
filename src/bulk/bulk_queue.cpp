// SPDX-License-Identifier: Apache-2.0
#include "bulk/bulk_queue.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {

std::size_t memory_of(bulk_row const& r) noexcept {
    auto const& e = r.write.entity;
    auto bytes = sizeof(bulk_row) + e.partition_key.size() + e.row_key.size() + e.body.size();
    for (auto const& i : r.write.rows) bytes += sizeof(index_row) + i.entity.row_key.size() + i.entity.body.size();
    if (r.plan)
        for (auto const& b : r.plan->companions) bytes += sizeof(companion) + b.row_key.size() + b.body.size();
    return bytes;
}

bulk_queue::bulk_queue(bulk_group_limits limits) : limits_(limits), by_size_(limits.rows + 1) {}

void bulk_queue::add(bulk_row row) {
    std::string_view const key = row.write.entity.partition_key;
    auto at = partitions_.find(key);
    bool const is_new = at == partitions_.end();
    if (is_new) {
        at = partitions_.try_emplace(std::string{key}).first;
        at->second.key = at->first;
        at->second.place = by_size_[0].insert(by_size_[0].end(), &at->second);
    }
    auto& p = at->second;
    p.count(row);
    p.rows.push_back(std::move(row));
    if (is_new || p.filed_at > 0) file(p);
}

/// Moves a partition to its place in the order of sizes.
void bulk_queue::file(bulk_partition& p) noexcept {
    bool const whole = p.urgent || p.bytes >= limits_.bytes;
    auto const size = whole ? limits_.rows : std::min(p.operations, limits_.rows);
    if (p.filed_at != size) move_to(p, size);
}

void bulk_queue::move_to(bulk_partition& p, std::size_t list) noexcept {
    auto& to = by_size_[list];
    to.splice(to.end(), by_size_[p.filed_at], p.place);
    p.filed_at = list;
}

void bulk_queue::hold(bulk_partition& p) noexcept { move_to(p, 0); }

bool bulk_queue::was_sent(bulk_row const& r) const noexcept {
    return r.doubtful || r.strikes > 0 || r.conflicts > 0 || r.most < limits_.rows;
}

void bulk_queue::release(bulk_partition& p) {
    p.urgent = !p.rows.empty() && was_sent(p.rows.front());
    if (!p.rows.empty()) return file(p);
    by_size_[p.filed_at].erase(p.place);
    partitions_.erase(partitions_.find(p.key));
}

bulk_partition* bulk_queue::pick(bool partial) noexcept {
    auto const last = partial ? std::prev(by_size_.rend()) : std::next(by_size_.rbegin());
    auto const at = std::find_if(by_size_.rbegin(), last, [](auto const& l) { return !l.empty(); });
    return at == last ? nullptr : at->front();
}

std::size_t bulk_queue::next_group(bulk_partition const& p) const {
    std::size_t count = 0, bytes = 0, operations = 0, most = limits_.rows;
    std::vector<std::size_t> hashes;
    hashes.reserve(std::min(p.rows.size(), limits_.rows));
    for (auto const& r : p.rows) {
        most = std::min(most, r.most);
        bytes += r.bytes;
        operations += r.operations;
        if (count > 0 && (count >= most || operations > limits_.rows || bytes > limits_.bytes)) break;
        // Rows of one hash are taken for one entity: that only ends the group early.
        auto const h = hash{}(r.write.entity.row_key);
        if (std::find(hashes.begin(), hashes.end(), h) != hashes.end()) break;
        hashes.push_back(h);
        ++count;
    }
    return count;
}

std::size_t bulk_queue::requests_of(bulk_partition const& p, std::size_t rows) noexcept {
    std::size_t reads = 0, operations = 0;
    for (auto at = p.rows.begin(); rows > 0; --rows, ++at) {
        if (at->plan)
            reads += static_cast<std::size_t>(
                std::count_if(at->plan->companions.begin(), at->plan->companions.end(), needs_look));
        else if (needs_read(at->write))
            ++reads;
        operations += at->operations;
    }
    return reads > 0 ? reads : operations;
}

std::vector<bulk_row> bulk_queue::take(bulk_partition& p, std::size_t rows) {
    std::vector<bulk_row> taken;
    taken.reserve(rows);
    for (; rows > 0; --rows) {
        p.discount(p.rows.front());
        taken.push_back(std::move(p.rows.front()));
        p.rows.pop_front();
    }
    return taken;
}

void bulk_queue::put_back(bulk_partition& p, std::vector<bulk_row> rows) {
    for (auto& r : rows) {
        r.planned_before = r.plan != nullptr;
        p.count(r);
    }
    p.rows.insert(p.rows.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

std::vector<bulk_row> bulk_queue::take_doubtful(bulk_partition& p) {
    std::vector<bulk_row> taken;
    for (auto at = p.rows.begin(); at != p.rows.end();) {
        if (!at->doubtful) {
            ++at;
            continue;
        }
        p.discount(*at);
        taken.push_back(std::move(*at));
        at = p.rows.erase(at);
    }
    return taken;
}

std::vector<bulk_row> bulk_queue::take_all() {
    std::vector<bulk_row> all;
    for (auto at = partitions_.begin(); at != partitions_.end();) {
        auto& p = at->second;
        std::move(p.rows.begin(), p.rows.end(), std::back_inserter(all));
        p.rows.clear();
        p.bytes = p.operations = 0;
        if (p.filed_at == 0) {  // it will be released
            ++at;
            continue;
        }
        by_size_[p.filed_at].erase(p.place);
        at = partitions_.erase(at);
    }
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.tag < b.tag; });
    return all;
}

}  // namespace tablemap::detail
