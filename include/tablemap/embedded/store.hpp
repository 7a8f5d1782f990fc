// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// The embedded store: the table service's semantics on one SQLite file, or in memory.
namespace tablemap::inline v0_1 {

/// The failures that an acknowledged write survives.
enum class durability {
    full,    ///< the loss of power: every response waits for the disk
    normal,  ///< the end of the process, not the loss of power
};

struct embedded_options {
    std::string path{};  ///< a file, created if missing, never a URI; ":memory:" for a private store in memory
    durability synchronous = durability::full;
    /// The file may not grow beyond so many pages of 8 KiB. A file that is larger already may not grow at all. The log
    /// beside it may have as many pages, at least 16 and at most 8,192, and those of one transaction.
    std::optional<std::int64_t> max_page_count{};
    std::chrono::milliseconds busy_timeout{5000};  ///< the longest wait for another process that is writing
    std::function<ticks()> now{};  ///< the clock of timestamps; empty: the system's. Not called concurrently
};

/// Opens an embedded store, and creates its file if there is none.
///
/// A relative path is taken from the working directory of the process at this moment. Closing the last store of a file
/// folds the write-ahead log (`path`-wal) into it. A write to a file that was deleted, renamed or replaced meanwhile
/// fails with `store_errc::file_gone`.
///
/// It keeps the service's rules and is stricter where the service's behaviour is unclear. Etags rise strictly with
/// every write, over processes and clocks that step back; with `durability::normal`, a write after a loss of power may
/// get the etag of a write that was lost with it, if the clock is behind. A page of a query with a `where` examines at
/// most 10,000 entities, so it may be empty and still have a continuation.
///
/// \throws error `store_errc::cannot_open`, `not_a_database`, `foreign_database`, `newer_format`, `corrupt`,
/// `read_only`, `busy`, `full`, `io_failed`; `library_errc::invalid_connection_string` for options that contradict
/// themselves. A file that is refused is left as it is.
/// \par Thread safety
/// The store is thread-safe: reads run side by side, writes one after the other; with `durability::full`, writes of
/// rows that wait for others are committed together. Several processes may have the same file open on one machine; not
/// over a network file system. A child of `fork` must not use or destroy a store that its parent opened: it opens the
/// file again. While the file is open, the process must not open and close it by other means than SQLite: closing drops
/// the locks.
result<store_ptr> open_embedded(embedded_options options);

/// Reads `embedded:<path>` with options behind semicolons: `synchronous=full|normal`, `max_page_count=<pages>`,
/// `busy_timeout=<milliseconds>`. Names are in lower case and each is given once. A path in it holds no semicolon;
/// `embedded_options` takes any path.
///
/// \throws error `library_errc::invalid_connection_string`, naming the option and the expected form
result<embedded_options> parse_embedded(std::string_view connection_string);

}  // namespace tablemap
