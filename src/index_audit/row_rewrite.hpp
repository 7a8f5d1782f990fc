// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <memory>
#include <optional>
#include <string_view>

/// Rewriting rows of a table, for `migrate` and `reencrypt`.
namespace tablemap::inline v0_1::detail {

/// The decision about a row. If it is empty, the row is as it should be.
struct row_verdict {
    std::optional<edited_entity> edit{};  ///< written in its place
    std::optional<error> refused{};       ///< why it, or a part of it, is left as it is
};

/// Selects rows and rewrites them.
class row_rewriter {
public:
    virtual ~row_rewriter() = default;

    /// The filter of the rows to read; null: all. Borrowed.
    virtual filter::expression const* condition() const noexcept = 0;

    /// Decides about one row. Errors: those because of which no row can be rewritten, such as those of the provider of
    /// keys.
    virtual result<row_verdict> rewrite(stored_entity e) const = 0;
};

/// Rewrites rows of a table, each with its companion rows, on condition that nobody changed it meanwhile; a row that
/// was changed is read again after a random wait. Holds one page in memory. An error in place of the rewriter is the
/// result. The table's name is borrowed.
task<result<rewrite_report>> rewrite_rows(std::string_view table, result<std::unique_ptr<row_rewriter const>> rewriter,
                                          rewrite_options options);

}  // namespace tablemap::detail
