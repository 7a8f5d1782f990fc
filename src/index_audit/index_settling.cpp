// SPDX-License-Identifier: Apache-2.0
#include "index_audit/index_settling.hpp"

#include "store/ask.hpp"
#include "store/task_group.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
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

std::vector<write_operation> writes_of(index_check& c) {
    std::vector<write_operation> own;
    c.add_writes(own);
    return own;
}

/// The repairs of some checks, which are written together.
struct joint_repair {
    std::vector<index_check*> checks{};
    std::vector<write_operation> operations{};
    std::size_t bytes = 0;
};

/// One run of `settle`.
class settling {
public:
    settling(audit& all, std::vector<std::unique_ptr<index_check>> suspects)
        : all_(all), checks_(std::move(suspects)), at_once_(std::max<std::size_t>(all.options.at_once, 1)) {}

    task<> run() {
        for (;;) {
            co_await look_at_all();
            if (all_.fault) co_return;
            auto const groups = group_repairs();
            if (groups.empty()) co_return;
            co_await write(groups);
        }
    }

private:
    task<> look_at_all() {
        next_ = 0;
        task_group some;
        for (std::size_t i = 0; i < std::min(at_once_, checks_.size()); ++i) some.add(look_at_some());
        co_await some.all();
    }

    task<> look_at_some() {
        while (!all_.fault && next_ < checks_.size()) {
            auto& c = *checks_[next_++];
            if (c.needs_look()) co_await c.look();
        }
    }

    /// As many repairs as fit go into one group: each has a condition of its own. A repair of a row of another group
    /// waits until that is written, since one of the two would be refused.
    std::vector<joint_repair> group_repairs() const {
        std::vector<joint_repair> groups;
        std::set<std::pair<std::string_view, std::string_view>> met;
        bool open = false;
        for (auto const& c : checks_) {
            if (!c->has_repair()) continue;
            auto const own = writes_of(*c);
            if (!open || c->alone() || !joins(groups.back(), own)) {
                if (std::any_of(own.begin(), own.end(), [&](auto& o) { return met.contains(row_of(o)); })) continue;
                if (groups.size() == at_once_) break;
                groups.push_back({{}, own, bytes_of(own)});
                open = !c->alone();
            }
            groups.back().checks.push_back(c.get());
            for (auto const& o : own) met.insert(row_of(o));
        }
        return groups;
    }

    std::size_t bytes_of(std::span<write_operation const> operations) const {
        std::size_t bytes = 0;
        for (auto const& o : operations)
            bytes += transaction_bytes_of(all_.table.store->capabilities(), all_.table.name, o);
        return bytes;
    }

    /// Adds writes to a group if that has room, and its rows are others.
    bool joins(joint_repair& group, std::vector<write_operation> const& own) const {
        auto const& can = all_.table.store->capabilities();
        auto& there = group.operations;
        std::vector<write_operation> more;
        for (auto const& o : own) {
            if (o.partition_key != there.front().partition_key) return false;
            auto const same = std::find_if(there.begin(), there.end(), [&](auto& g) { return g.row_key == o.row_key; });
            if (same == there.end())
                more.push_back(o);
            else if (!is_same_touch(*same, o))
                return false;
        }
        auto const bytes = group.bytes + bytes_of(more);
        if (there.size() + more.size() > can.transaction_operations || bytes > can.transaction_bytes) return false;
        there.insert(there.end(), more.begin(), more.end());
        group.bytes = bytes;
        return true;
    }

    task<> write(std::vector<joint_repair> const& groups) {
        std::vector<request> writes;
        writes.reserve(groups.size());
        for (auto const& g : groups) writes.emplace_back(transact{all_.table.name, g.operations});
        auto const answers = co_await ask_all(writes);
        for (std::size_t i = 0; i < groups.size(); ++i) take_written(groups[i], answers[i]);
    }

    static void take_written(joint_repair const& group, response const& answer) {
        bool const refused = group.checks.size() > 1 && answer.outcome() == outcome::not_applied;
        if (refused && may_be_too_large(*answer.failure)) {
            for (auto* const c : group.checks) c->separate();
            return;
        }
        auto const at_fault = refused ? answer.failure->failed_index() : std::nullopt;
        if (!at_fault || *at_fault >= group.operations.size()) {
            for (auto* const c : group.checks) c->answered(answer);
            return;
        }
        // Whom it concerns looks again, and the others are sent without it. What belongs to a check ends when that goes
        // on.
        std::string const row{group.operations[*at_fault].row_key};
        for (auto* const c : group.checks) {
            auto const own = writes_of(*c);
            if (std::any_of(own.begin(), own.end(), [&](auto& o) { return o.row_key == row; })) c->answered(answer);
        }
    }

    audit& all_;
    std::vector<std::unique_ptr<index_check>> checks_;
    std::size_t at_once_;
    std::size_t next_ = 0;  ///< of the checks to look at
};

}  // namespace

task<> settle(audit& all, std::vector<std::unique_ptr<index_check>> suspects) {
    settling settled{all, std::move(suspects)};
    co_await settled.run();
}

}  // namespace tablemap::detail
