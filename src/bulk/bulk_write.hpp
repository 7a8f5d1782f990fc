// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bulk/bulk_sender.hpp"
#include "bulk/progress_reporter.hpp"
#include "tablemap/detail/bulk/bulk_source.hpp"

#include <cstddef>
#include <system_error>

namespace tablemap::inline v0_1::detail {

/// A bulk write: rows go in, and it keeps the ledger of what became of them.
class bulk_write : bulk_sink {
public:
    /// All is borrowed.
    bulk_write(table_state const& table, bulk_options const& options, environment const& env);
    virtual ~bulk_write() = default;
    bulk_write(bulk_write const&) = delete;
    bulk_write& operator=(bulk_write const&) = delete;

    /// True if the write that is resumed has stored the next row already: it is to be passed over, not added.
    bool is_next_stored() const noexcept;
    std::size_t pass_over();

    /// Returns the row's position.
    std::size_t add(encoded_write w);

    /// Adds the rows of a source as they can be sent. Then no more rows are expected.
    task<> add_all(bulk_source& rows);

    /// Sends the rows, until no more are expected and all have ended.
    task<> send() { return sender_.run(); }

    /// The same, again and again.
    task<> send_always();

    /// If no more rows are expected, those at hand are sent without waiting for others.
    void expect_rows(bool more) noexcept;

    bool full() const noexcept { return sender_.full(); }
    bulk_progress progress() const noexcept;

    /// As it is now, open: rows that have not ended are in doubt.
    bulk_ledger ledger() const;

    bulk_report report() const;

protected:
    void tell() override;

private:
    void ended(std::size_t position, encoded_write& w, row_state s, error const* why, bool absent) noexcept override;
    bool expects_rows() const noexcept override { return expects_rows_; }
    bool is_done() const noexcept override { return !expects_rows_; }

    bool add_next(bulk_source& rows);
    void cut_short(std::error_code why);
    void leave_in_doubt(std::size_t position, encoded_write& w);
    void keep_rest_of_resumed(bulk_ledger& to) const;

    table_state const& table_;
    bulk_options const& options_;
    environment const& env_;
    bulk_report report_{};
    std::size_t passed_ = 0, absent_ = 0;
    std::size_t rows_ended_ = 0;  ///< since the ledger was handed out
    bool expects_rows_ = true;
    progress_reporter news_{};
    task_signal more_{};
    bulk_sender sender_;
};

}  // namespace tablemap::detail
