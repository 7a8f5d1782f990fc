// SPDX-License-Identifier: Apache-2.0
#include "command/copy.hpp"

#include "base/digit_groups.hpp"
#include "command/named_blobs.hpp"
#include "command/table_comparison.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

/// The copy of one table.
class table_copy {
public:
    table_copy(table<dynamic_entity> const& from, table<dynamic_entity> const& to, copy_options const& o, console& c)
        : from_(from), to_(to), verify_(o.verify), importer_(to, o.mode), console_(c) {}

    int run() {
        if (verify_) require_comparable(from_, to_);
        auto rows = from_.scan().read_ahead();
        auto row = rows.begin();  // reads, so that a source that is not there makes no table
        static_cast<void>(to_.create_if_not_exists(if_being_deleted::wait));
        for (; row != rows.end(); ++row) take(std::move(row->value));
        write();
        auto const summary = from_.name() + ": " + detail::counted(copied_, "row", "rows") + " copied, " +
                             detail::with_separators(before_) + " there before, " + detail::with_separators(failed_) +
                             " failed";
        named_.report(from_.name(), console_);
        if (failed_ > 0) return console_.fail(failed, summary);
        console_.note(summary);
        return verify_ ? compare() : done;
    }

private:
    void take(dynamic_entity row) {
        named_.look_at(row);
        bytes_ += entity_size(row);
        rows_.push_back(std::move(row));
        if (rows_.size() >= chunk_rows || bytes_ >= chunk_bytes) write();
    }

    void write() {
        auto const results = importer_.write(rows_);
        for (std::size_t i = 0; i < results.size(); ++i) note(rows_[i], results[i]);
        rows_.clear(), bytes_ = 0;
        console_.progress(from_.name() + ": " + detail::counted(copied_ + before_, "row", "rows") + " copied");
    }

    void note(dynamic_entity const& row, row_result const& r) {
        if (r.state == row_state::stored)
            ++(r.was_there ? before_ : copied_);
        else if (++failed_ <= most_reports)
            console_.note(printable(from_.name() + " '" + row.partition_key + "' '" + row.row_key + "': " + r.reason));
    }

    int compare() {
        auto const d = compare_tables(from_, to_, console_);
        if (d.equal()) {
            console_.note(from_.name() + ": verified, " + detail::counted(d.rows, "row is", "rows are") + " equal");
            return done;
        }
        return console_.fail(no, from_.name() + ": the tables differ: of " + detail::counted(d.rows, "row ", "rows ") +
                                     detail::counted(d.missing, "is", "are") + " missing in the copy and " +
                                     detail::counted(d.different, "is", "are") + " different; the copy has " +
                                     detail::with_separators(d.extra) + " more. The first one is '" +
                                     d.first->partition_key + "' '" + d.first->row_key + "'");
    }

    table<dynamic_entity> from_, to_;
    bool verify_;
    row_importer importer_;
    named_blobs named_{};
    console& console_;
    std::vector<dynamic_entity> rows_{};
    std::size_t bytes_ = 0, copied_ = 0, before_ = 0, failed_ = 0;
};

bool is_given(store_options const& o) { return !o.connection.empty() || !o.file.empty(); }

/// A copy onto itself would be found equal, and the source might be deleted then.
void require_two_stores(copy_options const& o) {
    if (!is_given(o.from) && !is_given(o.to))
        throw usage_error{"give --from, --to or both; without them both stores would be the same"};
    if (is_same_store(o.from, o.to))
        throw usage_error{"both stores are the same; --from and --to must name different ones"};
}

}  // namespace

int copy(copy_options const& o, console& c) {
    auto const from = open_store(o.from), to = open_store(o.to);
    require_two_stores(o);
    int code = done;
    for (auto const& name : o.tables) code = std::max(code, table_copy{{from, name}, {to, name}, o, c}.run());
    return code;
}

}  // namespace tablemap::inline v0_1::command
