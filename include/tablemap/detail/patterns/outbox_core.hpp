// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/transaction_core.hpp"
#include "tablemap/patterns/outbox_receipt.hpp"
#include "tablemap/patterns/outbox_status.hpp"
#include "tablemap/store/modify.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The part of an outbox that does not depend on types.
///
/// Rows of an outbox lie in the partition of the entities whose changes they belong to:
///
///     ~outbox_head                   the next sequence number, the counts of effects, and the lease of a relay
///     ~outbox_pending_<sequence>     an effect that is to be applied; 19 digits
///     ~outbox_parked_<sequence>      one that failed too often, or waits behind one of its entity that did
namespace tablemap::inline v0_1::detail {

/// The beginning of the row keys of all rows of outboxes.
inline constexpr std::string_view outbox_prefix = "~outbox_";

/// The place of an outbox.
struct outbox_place {
    std::shared_ptr<table_state const> table;
    std::string queue;  ///< empty: none
};

/// Errors (thrown): `library_errc::value_out_of_range` for a queue that can have no such name, or whose poison queue
/// cannot.
outbox_place make_outbox_place(std::shared_ptr<table_state const> table, std::string queue);

/// An effect, encoded.
struct encoded_effect {
    std::string_view type{};  ///< of static storage
    std::string json{};
    std::size_t position = 0;      ///< of the operation of the transaction that it belongs to
    bool moves = false;            ///< it moves the entity, which must not be erased by the same transaction
    std::optional<error> fault{};  ///< why it cannot be stored
};

/// Commits a transaction with its effects: reads the head of the partition, then sends the head, the changes and the
/// effects as one group under the head's etag. If another writer of the outbox was faster, it begins again. Then it
/// puts a message into the queue, if there is one.
task<result<outbox_receipt>> commit_with_effects(outbox_place place, std::shared_ptr<transaction_core> what,
                                                 std::vector<encoded_effect> effects, modify_options options);

/// Reads the work that is left in these partitions; in all if none is named. An error in their place is the result.
task<result<outbox_status>> read_outbox_status(outbox_place place, result<std::vector<std::string>> partitions);

/// A call of an outbox.
class outbox_call : public plain_call<outbox_receipt> {
public:
    outbox_call(std::shared_ptr<transaction_core> what, task<result<outbox_receipt>> first)
        : plain_call(std::move(first)), what_(std::move(what)) {}

    store_ptr const& store() const noexcept { return what_->store(); }
    operation_label label() const noexcept { return {"commit", what_->table()}; }

private:
    std::shared_ptr<transaction_core> what_;
};

class outbox_status_call : public plain_call<outbox_status> {
public:
    outbox_status_call(std::shared_ptr<table_state const> of, task<result<outbox_status>> first)
        : plain_call(std::move(first)), of_(std::move(of)) {}

    store_ptr const& store() const noexcept { return of_->store; }
    operation_label label() const noexcept { return {"status", of_->name}; }

    result<outbox_status> take() {
        auto r = plain_call::take();
        if (!r) r = failure{r.error().in("status", of_->name)};
        return r;
    }

private:
    std::shared_ptr<table_state const> of_;
};

}  // namespace tablemap::detail
