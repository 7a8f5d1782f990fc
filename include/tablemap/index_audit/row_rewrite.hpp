// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/page_progress.hpp"
#include "tablemap/filter/expression.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/store/modify.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// The results of `migrate` or `reencrypt` so far.
struct rewrite_report {
    std::size_t rewritten = 0;       ///< rows that are as they should be now
    std::size_t done_by_others = 0;  ///< rows that someone else rewrote or erased meanwhile
    std::vector<bad_row> refused{};  ///< rows that were left as they are, or a part of them was, each with the reason
};

/// Options of `migrate` and `reencrypt`.
struct rewrite_options {
    /// Called after every page, on the thread that drives the operation. An exception ends the operation.
    std::function<void(rewrite_report const&)> progress{};
};

namespace detail {

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

    /// Decides about one row.
    ///
    /// \throws error one because of which no row can be rewritten, such as those of the provider of keys
    virtual result<row_verdict> rewrite(stored_entity e) const = 0;
};

/// Rewrites rows of a table, each with its companion rows, on condition that nobody changed it meanwhile; a row that
/// was changed is read again. Holds one page in memory.
class rewrite_operation {
public:
    using value_type = rewrite_report;

    /// `table` is borrowed.
    rewrite_operation(std::string_view table, std::unique_ptr<row_rewriter const> rewriter, rewrite_options options);

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);
    result<rewrite_report> take();

private:
    /// A row that is being rewritten. Its next request is a read after a conflict, a read of a row of an index, or its
    /// new content.
    struct row {
        std::string partition_key, row_key;
        edited_entity edit{};
        std::optional<error> refused{};  ///< of a part, when the rest is written
        tablemap::etag etag{};
        bool to_read = false;
        bool looks = false;  ///< at a row of an index
        int tries = 0;
    };

    step ask_page();
    step ask_rows();
    step after_page(environment const& env, response& answer);
    void ask(row& r);
    request write_request(row const& r);
    void after_look(row& r, response& answer);
    void after_write(row& r, response& answer);
    void after_read(row& r, response& answer);
    bool rewrite(row& r, stored_entity e);
    void refuse(row& r, error const& e);
    static void finish(row& r) noexcept { r.tries = -1; }
    step fail_with(error const& e);

    std::string_view table_;
    std::unique_ptr<row_rewriter const> rewriter_;
    rewrite_options options_;
    std::optional<continuation> next_{};
    page_progress progress_{};
    bool reads_page_ = true;
    std::vector<row> rows_{};
    std::vector<std::size_t> asked_{};
    std::vector<request> requests_{};
    std::vector<std::vector<write_operation>> groups_{};  ///< of requests
    rewrite_report report_{};
    bool changed_something_ = false;  ///< or may have
    std::optional<error> fault_{};
};

}  // namespace detail
}  // namespace tablemap
