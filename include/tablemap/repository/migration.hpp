// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/filter/expression.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/store/operation.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap {

/// What a migration has done so far.
struct migration_report {
    std::size_t rewritten = 0;       ///< rows that have the current version now
    std::size_t done_by_others = 0;  ///< rows that someone else upgraded or erased meanwhile
    std::vector<bad_row> refused{};  ///< rows that were left as they are, each with the reason
};

/// How a migration is watched.
struct migration_options {
    /// Called after every page, wherever the migration is driven. What it throws ends the migration.
    std::function<void(migration_report const&)> progress{};
};

namespace detail {

/// Rewrites the rows of older versions of a type, each on condition that nobody changed it meanwhile; a row that someone did
/// change is read again. Columns that the type does not know stay.
///
/// Run again after an interruption it goes on where it ended, because it asks the store for rows of older versions only.
/// Memory: one page.
class migration_operation {
public:
    using value_type = migration_report;

    /// `check` says whether an upgraded row can be read. `table` and `type` are borrowed.
    migration_operation(std::string_view table, row_type const& type, result<void> (*check)(dynamic_entity const&),
                        migration_options options);

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);
    result<migration_report> take();

private:
    /// A row that is being rewritten: what is sent for it next is its new content, or a read after a conflict.
    struct row {
        std::string partition_key, row_key;
        std::string body{};
        tablemap::etag etag{};
        bool to_read = false;
        int tries = 0;
    };

    step ask_page();
    step ask_rows();
    step after_page(response& answer);
    void after_write(row& r, response& answer);
    void after_read(row& r, response& answer);
    void upgrade(row& r, stored_entity e);
    void refuse(row& r, error e);
    static void finish(row& r) noexcept { r.tries = -1; }
    step fail_with(error e);

    std::string_view table_;
    row_type const& type_;
    result<void> (*check_)(dynamic_entity const&);
    migration_options options_;
    filter::expression where_;
    std::optional<continuation> next_{};
    bool reads_page_ = true;
    std::vector<row> rows_{};
    std::vector<std::size_t> asked_{};
    std::vector<request> requests_{};
    migration_report report_{};
    bool changed_something_ = false;  ///< or may have
    std::optional<error> fault_{};
};

}  // namespace detail
}  // namespace tablemap
