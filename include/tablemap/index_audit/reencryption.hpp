// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/property_cipher.hpp"

#include <span>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

using reencryption_report = rewrite_report;

/// Options of `reencrypt`, beside its work on values under other keys than the current one.
struct reencryption_options : rewrite_options {
    /// Encrypts values that are stored as plaintext and should not be: members that became `encrypted<T>`, and
    /// properties that the table's resolver chooses. Anyone who can write to the store can have a value of their own
    /// encrypted that way, so run it once. Rows that an older client encrypted are refused without the table's
    /// `legacy_keys`, and so are values of other types than their members.
    bool values_in_the_open = false;
};

namespace detail {

/// Brings the encrypted values of rows, and their blind indexes, under the current key. It merges the properties that
/// have to change, and so leaves all others as they are. Rows of indexes are treated like all others: they keep their
/// values. It replaces rows that an older client encrypted, and those with a blind index of a value that is no longer
/// there. A value that cannot be decrypted stays as it is, and the row is reported.
class key_rewriter final : public row_rewriter {
public:
    /// The types that the rows may be of; none: any. The indexes may be null. All is borrowed.
    key_rewriter(std::span<row_type const* const> types, index_set const* indexes, property_cipher const& cipher,
                 bool values_in_the_open)
        : types_(types), indexes_(indexes), cipher_(cipher), opens_(values_in_the_open) {}

    filter::expression const* condition() const noexcept override { return nullptr; }
    result<row_verdict> rewrite(stored_entity e) const override;

private:
    struct work;

    result<edited_entity> replace(stored_entity e) const;
    result<edited_entity> merge(stored_entity const& e, std::vector<std::string> const& changed) const;
    row_type const* type_of_row(stored_entity const& e) const;
    bool is_of_older_version(stored_entity const& e) const;
    static bool is_in_the_open(row_type const* type, property const& p);
    bool may_need_work(row_type const* type, stored_entity const& e, std::string_view key) const;
    void seal_what_is_in_the_open(row_type const* type, work& w) const;
    result<void> renew_indexes(row_type const& type, work& w) const;
    result<void> renew_known_indexes(work& w) const;

    std::span<row_type const* const> types_;
    index_set const* indexes_;
    property_cipher const& cipher_;
    bool opens_;
};

}  // namespace detail
}  // namespace tablemap
