// SPDX-License-Identifier: Apache-2.0
#include "index_rounds.hpp"

#include <algorithm>

namespace tablemap::detail {
namespace {

/// True if a group failed for a reason that concerns one of its operations, or their number.
bool may_be_of_one_alone(error const& e) {
    return e.failed_index() || e.code() == error_kind::too_large || e.code() == error_kind::invalid_argument;
}

}  // namespace

std::span<request const> index_rounds::ask() {
    auto const most = std::max<std::size_t>(all_.options.at_once, 1);
    requests_.clear();
    asked_.clear();
    ask_reads(most);
    if (requests_.empty()) ask_writes(most);
    return requests_;
}

void index_rounds::ask_reads(std::size_t most) {
    for (std::size_t i = 0; i < checks_.size() && requests_.size() < most; ++i) {
        auto const& c = *checks_[i];
        if (c.wants() != index_check::wish::read) continue;
        requests_.emplace_back(get_entity{all_.scope.table, c.asked().partition_key, c.asked().row_key, {}, true});
        asked_.push_back({i});
    }
}

/// As many as fit go into one group: each has a condition of its own.
void index_rounds::ask_writes(std::size_t most) {
    groups_.clear();
    std::size_t bytes = 0;
    bool open = false;
    for (std::size_t i = 0; i < checks_.size(); ++i) {
        auto& c = *checks_[i];
        if (c.wants() != index_check::wish::write) continue;
        if (open && !c.alone() && joins_group(c, groups_.back(), bytes)) {
            asked_.back().push_back(i);
            continue;
        }
        if (groups_.size() == most) break;
        bytes = 0;
        c.add_writes(groups_.emplace_back());
        for (auto const& o : groups_.back()) bytes += transaction_bytes_of(all_.scope.where.can(), all_.scope.table, o);
        asked_.push_back({i});
        open = !c.alone();
    }
    for (auto const& g : groups_) requests_.emplace_back(transact{all_.scope.table, g});
}

bool index_rounds::joins_group(index_check& c, std::vector<write_operation>& group, std::size_t& bytes) {
    auto const& can = all_.scope.where.can();
    std::vector<write_operation> own;
    c.add_writes(own);
    std::size_t more = 0;
    for (auto const& o : own) {
        more += transaction_bytes_of(can, all_.scope.table, o);
        for (auto const& g : group)
            if (g.row_key == o.row_key || g.partition_key != o.partition_key) return false;
    }
    if (group.size() + own.size() > can.transaction_operations || bytes + more > can.transaction_bytes) return false;
    group.insert(group.end(), own.begin(), own.end());
    bytes += more;
    return true;
}

void index_rounds::answered(std::span<response> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
        auto& answer = answers[i];
        bool const shared =
            asked_[i].size() > 1 && answer.outcome() == outcome::not_applied && may_be_of_one_alone(*answer.failure);
        for (auto const at : asked_[i]) {
            auto& c = *checks_[at];
            if (c.wants() == index_check::wish::read)
                c.answered_read(answer);
            else if (shared)
                c.separate();
            else
                c.answered_write(answer);
        }
    }
}

}  // namespace tablemap::detail
