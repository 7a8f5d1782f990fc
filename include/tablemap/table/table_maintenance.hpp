// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/table/table_reading.hpp"

#include <utility>

namespace tablemap {

/// What rewrites the rows of a whole `table<T>`, or looks whether they are as they should be: after a new version of T, a new
/// encryption key, a new index. Conventions, errors and thread safety: see there.
template <class T> class table_maintenance : public table_reading<T> {
public:
    /// Rewrites the rows that have an older version of T (see `versions`), each on condition that nobody changed it meanwhile;
    /// columns that T does not know stay. A row whose upgrade cannot be read is left as it is and reported, and so is one that
    /// holds what cannot be decrypted. Run again after an error it goes on where it ended; the error is `in_doubt` once any row
    /// may have been rewritten. Returns what was done. Errors: those of the key provider. Round trips: a scan of the table
    /// for old rows, and at least one for each.
    migration_report migrate(migration_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_migrate(std::move(options), o));
    }
    result<migration_report> try_migrate(migration_options options = {}, call_options const& o = {}) const {
        return run(operations_.migrate(std::move(options)), o);
    }

    /// Brings the encrypted values of all rows, and their blind indexes, under the current key: the step after a rotation, before
    /// the old key is forgotten. Each row is merged on condition that nobody changed it meanwhile. What cannot be decrypted is left
    /// as it is and its row reported. Run again after an error it reads the whole table again, and rewrites what is left; the
    /// error is `in_doubt` once any row may have been rewritten. Returns what was done.
    /// Errors: `library_errc::no_encryption_key`, those of the key provider. Round trips: a scan of the table, and at least one
    /// for each row that has to change.
    reencryption_report reencrypt(reencryption_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_reencrypt(std::move(options), o));
    }
    result<reencryption_report> try_reencrypt(reencryption_options options = {}, call_options const& o = {}) const {
        return run(operations_.reencrypt(std::move(options)), o);
    }

    /// Looks for rows of indexes that are out of step with the entities, in all of the table or in one partition,
    /// `verify_indexes(partition("Sales"))`, and writes nothing. What seems wrong is looked at again before it is a finding, so
    /// that writers at work are not taken for faults. Returns what was found. Errors: those of the store;
    /// `library_errc::invalid_cursor` for a `resume` of something else. Round trips: one for each page of rows; where they do
    /// not add up another one or two for each page of the partition, and about two for each row that is out of step.
    index_report verify_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report verify_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                call_options const& o = {}) const {
        return value_or_throw(try_verify_indexes(p, std::move(options), o));
    }
    result<index_report> try_verify_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return run(operations_.audit_indexes(false, std::move(options)), o);
    }
    template <class... Values>
    result<index_report> try_verify_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                            call_options const& o = {}) const {
        return run(operations_.audit_indexes(false, p, std::move(options)), o);
    }

    /// The same, and repairs what it finds: writes rows that are missing or differ, erases those that no entity implies, each on
    /// condition that neither the row nor its entity was changed meanwhile. Entities beside whose rows something was written
    /// have a new etag. A value that two entities have in a unique index is reported and left, and so is what cannot be read:
    /// a row that only begins like those of an index, without the members of the row key, is someone else's.
    /// Run again after an error it goes on; the error is `in_doubt` once anything may have been written. Run it after an index
    /// was declared for a table with rows, when all programs that write to the table know the index. Errors: as
    /// `verify_indexes`. Round trips: as there, and one for each group of up to 100 rows to be written.
    index_report rebuild_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(std::move(options), o));
    }
    template <class... Values>
    index_report rebuild_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                 call_options const& o = {}) const {
        return value_or_throw(try_rebuild_indexes(p, std::move(options), o));
    }
    result<index_report> try_rebuild_indexes(index_audit_options options = {}, call_options const& o = {}) const {
        return run(operations_.audit_indexes(true, std::move(options)), o);
    }
    template <class... Values>
    result<index_report> try_rebuild_indexes(partition_values<Values...> const& p, index_audit_options options = {},
                                             call_options const& o = {}) const {
        return run(operations_.audit_indexes(true, p, std::move(options)), o);
    }

protected:
    using table_reading<T>::table_reading;
    using table_reading<T>::operations_;
    using table_reading<T>::run;
};

}  // namespace tablemap
