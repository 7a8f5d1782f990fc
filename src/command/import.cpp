// SPDX-License-Identifier: Apache-2.0
#include "command/import.hpp"

#include "base/digit_groups.hpp"
#include "command/import_ledger.hpp"
#include "command/input_file.hpp"
#include "command/report_failure.hpp"
#include "command/stored_check.hpp"

#include "tablemap/base/redaction.hpp"

#include <utility>
#include <vector>

namespace tablemap::inline v0_1::command {
namespace {

/// Rows that are written together, with their numbers and places in the file.
struct chunk {
    std::vector<dynamic_entity> rows{};
    std::vector<std::size_t> positions{};
    std::vector<file_place> places{};
    std::size_t bytes = 0;

    bool is_full() const noexcept { return rows.size() >= chunk_rows || bytes >= chunk_bytes; }
};

std::string place_text(std::string const& file, file_place p) {
    return file + ":" + std::to_string(p.line) + ":" + std::to_string(p.column) + ": ";
}

class importing {
public:
    importing(import_options const& o, table<dynamic_entity> const& t, import_ledger ledger, input_file& file,
              console& c)
        : options_(o), file_(file), console_(c), importer_(t, o.mode), ledger_(std::move(ledger)), check_(t) {}

    int run() {
        auto const source = file_.rows(options_.keys);
        auto const fault = read_all(*source);
        write();
        check_.finish();
        ledger_.finish();
        if (fault) console_.note(printable(at(fault->place) + fault->what() + "; nothing behind it was read"));
        if (fault || failed_ > 0) return console_.fail(failed, summary());
        console_.note(summary());
        return done;
    }

private:
    /// \return what keeps the file from being read to its end
    std::optional<file_fault> read_all(row_source& source) {
        try {
            while (auto row = source.next()) {
                take(std::move(*row));
                if (chunk_.is_full()) write();
                report_progress(source.bytes());
            }
            return std::nullopt;
        } catch (file_fault const& e) {
            ledger_.set(rows_, row_state::failed);
            return e;
        }
    }

    void take(source_row row) {
        auto const position = rows_++;
        if (!row.fault.empty()) return refuse(position, row.place, row.fault);
        if (ledger_.is_stored(position)) {
            ++before_;
            return check_.add(row.value);
        }
        chunk_.bytes += entity_size(row.value);
        chunk_.rows.push_back(std::move(row.value));
        chunk_.positions.push_back(position);
        chunk_.places.push_back(row.place);
    }

    void write() {
        auto const results = importer_.write(chunk_.rows);
        for (std::size_t i = 0; i < results.size(); ++i) note(chunk_.positions[i], chunk_.places[i], results[i]);
        chunk_ = {};
        ledger_.save();
    }

    void note(std::size_t position, file_place at, row_result const& r) {
        if (r.state != row_state::stored) return refuse(position, at, r.reason);
        ledger_.set(position, row_state::stored);
        ++(r.was_there ? before_ : stored_);
    }

    void refuse(std::size_t position, file_place place, std::string const& why) {
        ledger_.set(position, row_state::failed);
        if (++failed_ <= most_reports) console_.note(printable(at(place) + redacted(why)));
        if (failed_ == most_reports) console_.note("further rows that fail are counted only");
    }

    std::string at(file_place p) const { return place_text(options_.file, p); }

    void report_progress(std::size_t bytes) {
        std::string line = detail::counted(rows_, "row", "rows") + " read";
        if (auto const size = file_.size(); size && *size > 0)
            line += ", " + std::to_string(bytes * 100 / *size) + " % of " + bytes_for_people(*size);
        console_.progress(line);
    }

    std::string summary() const {
        return detail::counted(stored_, "row", "rows") + " stored, " + detail::with_separators(before_) +
               " stored before, " + detail::with_separators(failed_) + " failed";
    }

    import_options const& options_;
    input_file& file_;
    console& console_;
    row_importer importer_;
    import_ledger ledger_;
    stored_check check_;
    chunk chunk_{};
    std::size_t rows_ = 0, stored_ = 0, before_ = 0, failed_ = 0;
};

import_ledger open_ledger(import_options const& o) {
    if (o.ledger.empty()) return {"", "", ""};
    if (o.file == "-") throw usage_error{"--ledger needs a file: the standard input cannot be read again"};
    return {o.ledger, o.table + ", " + redacted(connection_string_of(o.store)), identity_of(o.file)};
}

}  // namespace

int import(import_options const& o, console& c) {
    input_file file{o.file, o.format};
    table<dynamic_entity> const t{open_store(o.store), o.table};
    if (o.create_table) static_cast<void>(t.create_if_not_exists());
    try {
        return importing{o, t, open_ledger(o), file, c}.run();
    } catch (file_fault const& e) {
        return c.fail(failed, place_text(o.file, e.place) + e.what());
    } catch (error const& e) {
        if (e.code() != service_errc::table_not_found) throw;
        return c.fail(failed, message_of(e, "table", "--create-table creates it"));
    }
}

}  // namespace tablemap::inline v0_1::command
