// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/companion.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The part of a transaction that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// The entity of the caller that gets an operation's etag, or none.
struct etag_target {
    tablemap::etag* etag = nullptr;
    bool* outdated = nullptr;
};

/// An operation of a transaction. Its body may grow in capacity.
struct transaction_item {
    encoded_write write;
    bool has_keys;
    etag_target to;
    std::vector<companion> implied{};  ///< of an insert: its rows in indexes
    std::size_t row_bytes = 0;         ///< that its rows in indexes may take
};

/// The operations of a transaction, checked as they are added. Thread safety: none.
class transaction_core {
public:
    transaction_core(std::shared_ptr<table_state const> table, clock& c) noexcept;

    store_ptr const& store() const noexcept { return table_->store; }
    std::string const& table() const noexcept { return table_->name; }
    bool operation_ids() const noexcept { return table_->operation_ids; }
    property_cipher const* cipher() const noexcept { return table_->cipher.get(); }
    tablemap::clock& clock() const noexcept { return clock_; }

    /// Returns the operation's position. Its fault is kept, if it is the first one. `has_keys` is false if there are no
    /// keys in `w` because they could not be made.
    std::size_t add(encoded_write w, bool has_keys, etag_target to);
    void clear() noexcept;

    std::size_t size() const noexcept { return items_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }
    std::string_view partition_key() const noexcept;
    bool has_room(std::size_t body_bytes) const noexcept;

    /// Why there is nothing to send. Any other error is explained as one of commit, with the operation it is about.
    std::optional<error> fault() const;
    std::vector<write_operation> operations() const;

    /// True if an entity of the transaction has rows in indexes.
    bool has_indexes() const noexcept;
    std::span<transaction_item> items() noexcept;
    error failed(error const& e);

    /// Refreshes the entities, and forgets the operations.
    std::vector<etag> succeeded(std::vector<etag> etags);

private:
    void imply_rows(transaction_item& added);
    static std::size_t most_rows(encoded_write const& w) noexcept;

    std::optional<error> check(transaction_item const& added, std::size_t hash) const;
    std::optional<error> check_place(transaction_item const& added, std::size_t hash) const;
    error explain(error const& e) const;

    std::shared_ptr<table_state const> table_;
    tablemap::clock& clock_;
    std::vector<transaction_item> items_;
    std::vector<std::size_t> row_hashes_;  ///< of each item's row key
    std::size_t body_bytes_ = 0;
    std::size_t bytes_ = 0;
    std::size_t implied_rows_ = 0;  ///< of the inserts, in indexes
    std::size_t other_rows_ = 0;    ///< that the other writes may have in indexes
    std::optional<error> fault_;    ///< the first
    bool in_doubt_ = false;         ///< a commit of these operations lost its response
};

}  // namespace tablemap::detail
