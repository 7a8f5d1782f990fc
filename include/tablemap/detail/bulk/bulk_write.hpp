// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/bulk/bulk_sender.hpp"
#include "tablemap/detail/write/operations.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace tablemap::inline v0_1::detail {

/// A bulk write as a flow: rows go in, and it keeps the ledger of what became of them.
class bulk_write {
public:
    using value_type = bulk_report;

    /// `retry` is the policy of the call's options; unset: that of the store.
    bulk_write(std::shared_ptr<table_state const> table, bulk_options options,
               std::optional<retry_policy> const& retry);
    ~bulk_write();
    bulk_write(bulk_write&&) noexcept;
    bulk_write& operator=(bulk_write&&) = delete;

    /// True if the write that is resumed has stored the next row already: it is to be passed over, not added.
    bool is_next_stored() const noexcept;
    std::size_t pass_over();

    /// Returns the row's position.
    std::size_t add(encoded_write w);

    bool full() const noexcept;
    bool busy() const noexcept;
    bool ended() const noexcept;  ///< nothing more is sent
    void drain(bool now) noexcept;

    /// There is more in the source, but it is not read for this reason.
    void cut_short(std::error_code why);

    std::size_t rows() const noexcept;
    bulk_progress progress() const noexcept;

    /// As it is now, open: rows that have not ended are in doubt.
    bulk_ledger ledger() const;

    flow_step next(environment const& env);
    void answered(environment const& env, std::size_t slot, response&& answer);
    result<bulk_report> take();

    table_state const& table() const noexcept;
    operation_label label() const noexcept { return {"bulk write", table().name}; }

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace tablemap::detail
