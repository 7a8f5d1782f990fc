// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/patterns/copies_rule.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The part of writes that keep copies which does not depend on types.
namespace tablemap::inline v0_1::detail {

/// The reads before a row is written: of rows that it holds copies of, and of rows that hold copies of it.
struct copies_reads {
    std::vector<std::string> sources{};  ///< row keys, each once
    std::vector<copies_query> holders{};
};

/// A version of a row that was read.
struct row_version {
    std::string row_key{};
    tablemap::etag etag{};
};

/// The writes of one try.
struct copies_writes {
    std::optional<encoded_write> own{};    ///< of the row that the operation is about; it stands first
    std::vector<encoded_write> others{};   ///< of rows that hold copies of it
    std::vector<row_version> unchanged{};  ///< rows that must still have these versions when the others are written
    bool unlinks = false;                  ///< the others lose their source, which is erased
};

/// The typed part of a write that keeps copies. May be asked several times, each time for a fresh try.
class copies_editor {
public:
    virtual ~copies_editor() = default;

    /// Begins a try. `own` is the response to a read of the row, null if it is not read.
    virtual result<copies_reads> begin(response* own, environment const& env) = 0;

    /// The row of `copies_reads::sources[i]`; it may be absent.
    virtual result<void> take_source(std::size_t i, response& answer) = 0;

    /// A page of `holders[i]`. Returns the number of its rows.
    virtual result<std::size_t> take_holders(std::size_t i, response& page, environment const& env) = 0;

    /// The writes of this try; none if nothing has to be written.
    virtual result<copies_writes> compose(environment const& env) = 0;
};

/// Says if the row itself is read at the beginning of each try.
enum class own_row : bool { given, read };

/// Reads the row if that is wanted, then the rows that it is copied from and to, then writes everything in one group
/// transaction under the etags that were read. After a conflict it repeats with a jittered wait. A conflict of the row
/// itself ends the write unless it read that row. All is borrowed.
///
/// \return the etag of the row, empty if it was erased; nothing if the row itself was not written
task<result<std::optional<etag>>> write_with_copies(std::shared_ptr<table_state const> const& table,
                                                    entity_key const& own, own_row how, modify_options options,
                                                    copies_editor& edit);

/// A read of a row that a write depends on.
request read_for_write(std::string_view table, std::string_view partition_key, std::string_view row_key);

/// A query of rows that a write depends on. All is borrowed.
query_page query_for_write(std::string_view table, std::string_view partition_key, copies_query const& what,
                           std::optional<continuation> const& next);

/// A merge of nothing: it fails if the row has another version, and gives it a new one.
encoded_write check_version(std::string_view partition_key, row_version const& version);

/// The error for rows that do not fit together because someone wrote between the reads. It is handled like a conflict
/// of the store.
error changed_meanwhile();

/// The rows of a page as they stand in it, with the properties that their types do not know.
class rows_in_page {
public:
    /// `page` is borrowed. Its capacity may grow. It is parsed once, for the first row that is asked for.
    explicit rows_in_page(std::string& page) : page_(page) {}

    /// A row's body. Errors: as `read_dynamic_page`; `changed_meanwhile` if there is none by that key.
    result<std::string> body(std::string const& row_key);

private:
    std::string& page_;
    std::optional<std::unordered_map<std::string, stored_entity>> rows_{};
};

/// The change of a row of a page in which copies differ; nothing if none do.
result<std::optional<edited_entity>> compose_in_page(rows_in_page& page, bool outdated,
                                                     static_list<row_type const*> types, encoded_state const& before,
                                                     encoded_state const& after, property_cipher const* cipher);

/// The error of the row that a member links to; of a row that may hold copies, with the member that would link to its
/// source.
error of_source(error const& e, std::string_view link);
error of_holder(error const& e, std::string_view link);

/// A write of such a row.
encoded_write write_of(edited_entity&& e, row_version const& version, std::string_view partition_key);

}  // namespace tablemap::detail
