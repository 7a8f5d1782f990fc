// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/property_cipher.hpp"

namespace tablemap::inline v0_1 {

using migration_report = rewrite_report;
using migration_options = rewrite_options;

namespace detail {

/// Makes rows of older versions of a type rows of the current one, and with each its rows in indexes. Columns that the
/// type does not know stay.
///
/// Run again after an interruption it goes on where it ended, because it asks the store for rows of older versions
/// only.
class version_rewriter final : public row_rewriter {
public:
    /// `check` says whether an upgraded row can be read. `type`, its indexes and the cipher, which may be null, are
    /// borrowed.
    version_rewriter(row_type const& type, result<void> (*check)(dynamic_entity const&), index_set const* indexes,
                     property_cipher const* cipher);

    filter::expression const* condition() const noexcept override { return &where_; }
    result<row_verdict> rewrite(stored_entity e) const override;

private:
    result<row_verdict> upgraded(stored_entity e, int version) const;
    result<void> check_keys(dynamic_entity const& e) const;

    row_type const& type_;
    result<void> (*check_)(dynamic_entity const&);
    index_set const* indexes_;
    property_cipher const* cipher_;
    filter::expression where_;
};

}  // namespace detail
}  // namespace tablemap
