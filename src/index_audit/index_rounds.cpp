// SPDX-License-Identifier: Apache-2.0
#include "index_rounds.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// True if a group may have failed for what one of its operations holds, or for their number.
bool may_be_too_large(error const& e) noexcept {
    return e.code() == error_kind::too_large || e.code() == error_kind::invalid_argument;
}

/// One merge is enough for an entity that several checks found unchanged since it was read.
bool is_same_touch(write_operation const& a, write_operation const& b) noexcept {
    return a.kind == write_kind::merge && b.kind == write_kind::merge && a.if_match == b.if_match && a.body == b.body;
}

std::pair<std::string_view, std::string_view> row_of(write_operation const& o) noexcept {
    return {o.partition_key, o.row_key};
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

/// As many as fit go into one group: each has a condition of its own. A check that meets a row of another group waits
/// for the next round, since one of the two would be refused.
void index_rounds::ask_writes(std::size_t most) {
    groups_.clear();
    std::set<std::pair<std::string_view, std::string_view>> met;
    std::size_t bytes = 0;
    bool open = false;
    for (std::size_t i = 0; i < checks_.size(); ++i) {
        auto& c = *checks_[i];
        if (c.wants() != index_check::wish::write) continue;
        own_.clear();
        c.add_writes(own_);
        if (open && !c.alone() && joins_group(groups_.back(), bytes)) {
            asked_.back().push_back(i);
        } else {
            if (std::any_of(own_.begin(), own_.end(), [&](auto& o) { return met.contains(row_of(o)); })) continue;
            if (groups_.size() == most) break;
            bytes = bytes_of(own_);
            groups_.push_back(own_);
            asked_.push_back({i});
            open = !c.alone();
        }
        for (auto const& o : own_) met.insert(row_of(o));
    }
    for (auto const& g : groups_) requests_.emplace_back(transact{all_.scope.table, g});
}

std::size_t index_rounds::bytes_of(std::span<write_operation const> operations) const {
    std::size_t bytes = 0;
    for (auto const& o : operations)
        bytes += transaction_bytes_of(all_.scope.store.capabilities(), all_.scope.table, o);
    return bytes;
}

/// Adds `own_` to a group if that has room, and its rows are others.
bool index_rounds::joins_group(std::vector<write_operation>& group, std::size_t& bytes) {
    auto const& can = all_.scope.store.capabilities();
    std::vector<write_operation> more;
    for (auto const& o : own_) {
        if (o.partition_key != group.front().partition_key) return false;
        auto const there = std::find_if(group.begin(), group.end(), [&](auto& g) { return g.row_key == o.row_key; });
        if (there == group.end())
            more.push_back(o);
        else if (!is_same_touch(*there, o))
            return false;
    }
    auto const more_bytes = bytes_of(more);
    if (group.size() + more.size() > can.transaction_operations || bytes + more_bytes > can.transaction_bytes)
        return false;
    group.insert(group.end(), more.begin(), more.end());
    bytes += more_bytes;
    return true;
}

void index_rounds::answered(std::span<response> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
        auto& first = *checks_[asked_[i].front()];
        if (first.wants() == index_check::wish::read)
            first.answered_read(answers[i]);
        else
            answered_group(i, answers[i]);
    }
}

void index_rounds::answered_group(std::size_t group, response const& answer) {
    auto const& asked = asked_[group];
    bool const refused = asked.size() > 1 && answer.outcome() == outcome::not_applied;
    if (refused && may_be_too_large(*answer.failure)) {
        for (auto const at : asked) checks_[at]->separate();
        return;
    }
    auto const at_fault = refused ? answer.failure->failed_index() : std::nullopt;
    if (!at_fault || *at_fault >= groups_[group].size()) {
        for (auto const at : asked) checks_[at]->answered_write(answer);
        return;
    }
    // Whom it concerns looks again, and the others are sent without it. What belongs to a check ends when that goes on.
    std::string const row{groups_[group][*at_fault].row_key};
    for (auto const at : asked) {
        own_.clear();
        checks_[at]->add_writes(own_);
        if (std::any_of(own_.begin(), own_.end(), [&](auto& o) { return o.row_key == row; }))
            checks_[at]->answered_write(answer);
    }
}

}  // namespace tablemap::detail
