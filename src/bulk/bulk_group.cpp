// SPDX-License-Identifier: Apache-2.0
#include "bulk/bulk_group.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Measures the part of a group that a row takes with its plan.
void measure_planned(bulk_row& r, std::string_view table, capabilities const& can) {
    r.operations = 1 + r.plan->companions.size();
    r.bytes = transaction_bytes_of(can, table, r.write.operation()) +
              transaction_bytes_of(can, table, r.write.entity.partition_key, r.plan->companions);
}

/// Plans a row with its companions, and measures it.
result<void> plan_row(bulk_row& r, response* read, std::string_view table, capabilities const& can,
                      property_cipher const* cipher) {
    auto plan = plan_write(r.write, read, cipher);
    if (!plan) return failure{std::move(plan).error()};
    r.plan = std::make_unique<write_plan>(std::move(*plan));
    r.planned_before = false;
    measure_planned(r, table, can);
    return {};
}

}  // namespace

result<void> measure(bulk_row& r, std::string* stored, std::string_view table, capabilities const& can,
                     property_cipher const* cipher) {
    auto& w = r.write;
    r.bytes = transaction_bytes_of(can, table, w.operation());
    if (!w.indexes) return {};
    if (needs_read(w) && !stored) {
        auto const rows = w.indexes->rows_in_partition();
        r.operations = 1 + rows;
        r.bytes *= 1 + rows;
        return {};
    }
    response read;
    if (stored) {
        read.body = std::move(*stored);
        read.etag = etag{w.if_match};
    }
    return plan_row(r, stored ? &read : nullptr, table, can, cipher);
}

bulk_group::bulk_group(bulk_partition& p, std::vector<bulk_row> taken, time_point began_at)
    : partition(p),
      rows(std::move(taken)),
      began(began_at),
      indexed_(std::any_of(rows.begin(), rows.end(), [](auto const& r) { return r.write.indexes; })) {}

std::span<request const> bulk_group::missing_reads(std::string_view table) {
    reads_.clear();
    for (auto const& r : rows) {
        auto const& e = r.write.entity;
        if (r.plan)
            add_looks(*r.plan, r.write, table, reads_);
        else if (needs_read(r.write))
            reads_.emplace_back(get_entity{table, e.partition_key, e.row_key, {}, true});
    }
    answers_.assign(reads_.size(), response{});
    open_ = reads_.size();
    return reads_;
}

bool bulk_group::answered(std::size_t read, response&& answer) {
    answers_[read] = std::move(answer);
    return --open_ == 0;
}

std::optional<error> bulk_group::why_unread() const {
    for (auto const& a : answers_)
        if (!tells_presence(a)) return a.failure;
    return std::nullopt;
}

std::vector<bulk_group::refusal> bulk_group::take_responses(std::string_view table, capabilities const& can,
                                                            property_cipher const* cipher) {
    std::span<response> answers{answers_};
    std::vector<refusal> refused;
    std::vector<bulk_row> kept;
    kept.reserve(rows.size());
    for (auto& r : rows) {
        result<void> known;
        if (r.plan) {
            known = take_looks(*r.plan, r.write, answers);
            measure_planned(r, table, can);
        } else {
            auto* const read = needs_read(r.write) ? &answers.front() : nullptr;
            if (read) answers = answers.subspan(1);
            known = plan_row(r, read, table, can, cipher);
        }
        if (known)
            kept.push_back(std::move(r));
        else
            refused.push_back({std::move(r), known.error()});
    }
    rows = std::move(kept);
    return refused;
}

std::vector<bulk_row> bulk_group::fill(bulk_group_limits limits) {
    std::vector<bulk_row> rest, kept;
    kept.reserve(rows.size());  // the group borrows from them
    std::size_t bytes = 0;
    for (auto& r : rows) {
        bytes += r.bytes;
        bool const fits = with_indexes.size() + r.operations <= limits.rows && bytes <= limits.bytes;
        if (!rest.empty() || (!kept.empty() && (!fits || with_indexes.touches(*r.plan)))) {
            rest.push_back(std::move(r));
            continue;
        }
        kept.push_back(std::move(r));
        value_or_throw(with_indexes.add(kept.back().write, *kept.back().plan));
    }
    rows = std::move(kept);
    return rest;
}

void bulk_group::forget_look(write_group::changed const& at) {
    detail::forget_look(rows[at.member].plan->companions, at.row_key);
}

request const& bulk_group::to_send(std::string_view table) {
    std::span<write_operation const> all = with_indexes.operations();
    if (!indexed()) {
        operations_.clear();
        operations_.reserve(rows.size());
        for (auto const& r : rows) operations_.push_back(r.write.operation());
        all = operations_;
    }
    what_ = request_of(table, all);
    return what_;
}

}  // namespace tablemap::detail
