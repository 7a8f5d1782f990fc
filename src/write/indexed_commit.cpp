// SPDX-License-Identifier: Apache-2.0
#include "write/indexed_commit.hpp"

#include "store/ask.hpp"
#include "store/retry.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/write_group.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error of_item(error const& e, std::size_t position) {
    auto d = e.details();
    d.failed_index = position;
    return error{e.code(), std::move(d)};
}

std::optional<error> first_unread(std::vector<response> const& reads) {
    auto const unread = std::find_if_not(reads.begin(), reads.end(), tells_presence);
    return unread == reads.end() ? std::nullopt : unread->failure;
}

/// One run of `commit_indexed`.
class indexed_commit {
public:
    indexed_commit(std::string_view table, capabilities const& can, property_cipher const* cipher,
                   std::span<transaction_item> items, environment const& env)
        : table_(table), can_(can), cipher_(cipher), items_(items), env_(env) {}

    task<response> run() {
        for (;;) {
            auto const began = env_.now();
            auto const reads = entity_reads();
            auto found = co_await ask_all(reads);
            if (auto const unread = first_unread(found)) co_return failed(*unread);
            if (lost_ && any_holds_our_id(found)) co_return succeeded({});
            if (auto const fault = plan(found)) co_return failed(*fault);
            auto const looked = co_await look();
            if (!looked) co_return failed(looked.error());
            auto answer = co_await send();
            if (answer.ok()) co_return succeeded(std::move(answer.etags));
            auto const next = next_time(*answer.failure, began);
            if (!next) co_return failed(next.error());
            co_await pause_until(*next);
        }
    }

private:
    std::vector<request> entity_reads() const {
        std::vector<request> reads;
        for (auto const& p : items_) {
            auto const& e = p.write.entity;
            if (needs_read(p.write)) reads.emplace_back(get_entity{table_, e.partition_key, e.row_key, {}, true});
        }
        return reads;
    }

    /// Then the whole group was applied.
    bool any_holds_our_id(std::vector<response>& reads) const {
        std::size_t read = 0;
        return std::any_of(items_.begin(), items_.end(), [&](transaction_item const& p) {
            if (!needs_read(p.write)) return false;
            auto& r = reads[read++];
            auto const& id = p.write.entity.operation_id;
            return r.ok() && id && p.write.kind != write_kind::erase && operation_id_in(r.body) == id;
        });
    }

    std::optional<error> plan(std::vector<response>& reads) {
        plans_.clear();
        std::size_t read = 0;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            auto& w = items_[i].write;
            auto plan = w.indexes && !needs_read(w) ? write_plan{w.kind, {}, items_[i].implied}
                                                    : plan_write(w, needs_read(w) ? &reads[read++] : nullptr, cipher_);
            if (!plan) return of_item(plan.error(), i);
            plans_.push_back(std::move(*plan));
        }
        if (auto r = make_group(); !r) return std::move(r).error();
        return check_limits();
    }

    result<void> make_group() {
        group_ = {};
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (auto r = group_.add(items_[i].write, plans_[i]); !r) return r;
        return {};
    }

    std::optional<error> check_limits() const {
        if (group_.size() > can_.transaction_operations)
            return error{service_errc::invalid_input,
                         {.reason = "a group transaction has at most " + std::to_string(can_.transaction_operations) +
                                    " operations; to the " + std::to_string(group_.members()) +
                                    " of this one the rows of indexes add " +
                                    std::to_string(group_.size() - group_.members()) +
                                    "; commit fewer at once, has_room() tells when"}};
        if (group_.body_bytes() > can_.transaction_bytes)
            return error{service_errc::request_body_too_large,
                         {.reason = "this group transaction has " + std::to_string(group_.body_bytes()) + " bytes, " +
                                    std::to_string(group_.body_bytes_of_rows()) +
                                    " of them in rows of indexes, and the store takes at most " +
                                    std::to_string(can_.transaction_bytes) + "; commit fewer at once"}};
        return std::nullopt;
    }

    /// Reads the rows of indexes that might be other entities'. One member may write a row that another erases: the
    /// group is made again from all that is known then.
    task<result<void>> look() {
        std::vector<request> looks;
        for (std::size_t i = 0; i < items_.size(); ++i) add_looks(plans_[i], items_[i].write, table_, looks);
        if (looks.empty()) co_return result<void>{};
        auto found = co_await ask_all(looks);
        if (auto unread = first_unread(found)) co_return failure{*std::move(unread)};
        std::span<response> left{found};
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (auto r = take_looks(plans_[i], items_[i].write, left); !r) co_return failure{of_item(r.error(), i)};
        co_return make_group();
    }

    /// Sends the group, without the rows of indexes that turn out to be missing.
    task<response> send() {
        for (;;) {
            request const group = transact{table_, group_.operations()};
            auto answer = co_await ask(group);
            bool const repaired =
                !answer.ok() && answer.outcome() != outcome::in_doubt && group_.repair(*answer.failure);
            if (!repaired) co_return answer;
        }
    }

    /// The time to do all again after this failure, if that may help. The driver has sent the group as often as the
    /// call's policy allows; writes of any version that are made twice have the same effect as once.
    result<time_point> next_time(error const& met, time_point began) {
        if (met.outcome() == outcome::in_doubt) {
            bool const again = !std::exchange(lost_, true) &&
                               std::all_of(items_.begin(), items_.end(),
                                           [](transaction_item const& p) { return may_be_repeated(p.write); });
            auto const until = again ? next_look({}, env_) : std::nullopt;
            return until ? result<time_point>{*until} : failure{met};
        }
        auto explained = group_.explain(met);
        auto const changed = group_.changed_entity(met);
        bool const is_outdated = changed && may_be_planned_again(items_[*changed].write);
        if (!is_outdated && !group_.changed_row(met)) return failure{std::move(explained)};
        return next_try({}, ++tries_, env_.now() - began, explained, env_, call_again_remedy);
    }

    response succeeded(std::vector<etag> etags) const {
        response answer;
        answer.etags = std::move(etags);
        answer.etags.resize(items_.size());
        return answer;
    }

    response failed(error const& e) const {
        return response::failed(lost_ && e.outcome() == outcome::not_applied ? doubt_later(e) : e);
    }

    std::string_view table_;
    capabilities const& can_;
    property_cipher const* cipher_;
    std::span<transaction_item> items_;
    environment const& env_;
    int tries_ = 0;
    bool lost_ = false;                ///< a response to the group
    std::vector<write_plan> plans_{};  ///< of each item
    write_group group_{};
};

}  // namespace

task<response> commit_indexed(std::string_view table, capabilities const& can, property_cipher const* cipher,
                              std::span<transaction_item> items) {
    auto const call = co_await this_call();
    indexed_commit commit{table, can, cipher, items, call.env};
    auto answer = co_await commit.run();
    co_return answer;
}

}  // namespace tablemap::detail
