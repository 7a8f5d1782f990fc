// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/call_limits.hpp"
#include "embedded/connection.hpp"
#include "embedded/log_bounds.hpp"
#include "embedded/resident_files.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace tablemap::inline v0_1::detail::embedded {

/// The connections of one store: one that writes, and for a file as many that read as there are calls at once. A
/// database in memory belongs to its one connection.
class connection_pool {
public:
    explicit connection_pool(embedded_options const& options);
    ~connection_pool();

    /// A connection for the time of one call.
    class lease {
    public:
        ~lease() {
            if (connection_) pool_.give_back(connection_, is_writer_);
        }
        lease(lease const&) = delete;
        lease& operator=(lease const&) = delete;

        explicit operator bool() const noexcept { return connection_ != nullptr; }
        connection& operator*() const noexcept { return *connection_; }
        connection* operator->() const noexcept { return connection_; }

    private:
        friend class connection_pool;
        lease(connection_pool& p, connection* c, bool is_writer) noexcept
            : pool_(p), connection_(c), is_writer_(is_writer) {}

        connection_pool& pool_;
        connection* connection_;
        bool is_writer_;
    };

    /// Errors (thrown): `library_errc::deadline_exceeded`, `cancelled`.
    lease writer(call_limits const& limits);

    /// Errors (thrown): as `writer`, and those of opening a file.
    lease reader(call_limits const& limits);

    /// For a call that must not wait. Empty if none is free: in memory, if another call uses the database for longer
    /// than a read of an entity takes.
    lease try_reader(call_limits const& limits) noexcept;

private:
    std::unique_ptr<connection> idle_reader() noexcept;
    std::unique_ptr<connection> open_reader() const;
    lease try_writer(call_limits const& limits) noexcept;
    void give_back(connection* c, bool is_writer) noexcept;

    /// Before a write. Errors (thrown): `store_errc::busy` if the log is as long as it may be and a reader holds it.
    void keep_log_short(call_limits const& limits);
    bool try_fold_log();

    embedded_options const& options_;
    bool in_memory_;
    log_bounds const log_bounds_;
    std::int64_t next_fold_;  // pages
    gate write_gate_;
    std::unique_ptr<connection> writer_;
    resident_files reader_files_;
    std::mutex readers_mutex_;
    std::vector<std::unique_ptr<connection>> idle_readers_;
};

}  // namespace tablemap::detail::embedded
