// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/write/indexed_commit.hpp"
#include "tablemap/detail/write/transaction_core.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Sends a transaction. Keeps its operations alive, whatever becomes of the `transaction` itself.
class commit_operation {
public:
    using value_type = std::vector<etag>;

    explicit commit_operation(std::shared_ptr<transaction_core> what) noexcept : what_(std::move(what)) {}

    step start(environment const&);
    step resume(environment const&, std::span<response> answers);
    result<std::vector<etag>> take();

    operation_label label() const noexcept { return {"commit", what_->table()}; }

private:
    std::shared_ptr<transaction_core> what_;
    std::optional<error> fault_{};
    std::unique_ptr<indexed_commit> indexed_{};
    std::vector<write_operation> operations_{};
    request sent_{};
    response answer_{};
};

/// The blocking driver for commits: compiled once.
result<std::vector<etag>> commit(std::shared_ptr<transaction_core> const& what, call_options const& o);

}  // namespace tablemap::detail
