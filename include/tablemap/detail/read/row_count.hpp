// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/store/operation.hpp"
#include "tablemap/detail/store/page_progress.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Counts the rows of a query by reading their keys.
class row_count_operation {
public:
    using value_type = std::size_t;

    /// The query is borrowed, and its select list replaced.
    explicit row_count_operation(query_description& query);

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);
    result<std::size_t> take();
    operation_label label() const noexcept { return {"count", query_.label().table}; }

private:
    struct range {
        query_page page;
        std::optional<continuation> next{};
        page_progress progress{};
    };

    step ask();
    std::optional<error> take_page(environment const& env, range& l, response& page);

    query_description& query_;
    std::vector<range> ranges_{};  ///< that have more pages
    std::vector<request> requests_{};
    std::size_t at_once_ = 1;
    std::size_t most_rows_ = 0;
    std::size_t count_ = 0;
    std::optional<error> fault_{};
};

/// Errors: those of the store.
result<std::size_t> count_rows(query_description& query);

}  // namespace tablemap::detail
