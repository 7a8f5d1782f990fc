// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/property_cipher.hpp"

#include <string_view>

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
///
/// `types` are those that the rows may be of; none: any. The indexes may be null.
///
/// \return what was done, or error `library_errc::no_encryption_key` if the cipher is null
/// \par Lifetime
/// All but the options is borrowed.
task<result<reencryption_report>> reencrypt_rows(std::string_view table, static_list<row_type const*> types,
                                                 index_set const* indexes, property_cipher const* cipher,
                                                 reencryption_options options);

}  // namespace detail
}  // namespace tablemap
