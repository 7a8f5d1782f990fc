// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/embedded/store.hpp"

#include <cstdint>
#include <functional>
#include <string>

/// Backup, restore, compaction and upgrade of files of the embedded store. Of the options of a store they use `path`
/// and `busy_timeout`.
namespace tablemap::inline v0_1 {

/// Options of copying a file of the embedded store.
struct file_copy_options {
    bool overwrite = false;  ///< replace a file that is there

    /// Called with the pages that are copied so far, and with all of them. The first number begins anew if another
    /// process writes meanwhile.
    std::function<void(std::uint64_t copied, std::uint64_t of)> progress{};
};

/// The size of a file before and after.
struct file_sizes {
    std::uint64_t before = 0;  ///< in bytes
    std::uint64_t after = 0;
};

/// The format of a file before and after.
struct file_formats {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

/// Writes a copy of an embedded store into another file, as the store was at one moment, while any process reads and
/// writes it. The copy is checked, and has its name only once it is whole and on the disk. It is a store itself.
///
/// \return the size of the copy in bytes, or an error: as `open_embedded`; `store_errc::cannot_open` if `to` is there
/// and is not to be overwritten, or is the store itself; `full`, `io_failed`
/// \par Cost
/// A read of the whole file and one of the copy. While other processes write at a high rate, the log of their writes
/// may grow to its bound.
result<std::uint64_t> back_up_embedded(embedded_options const& store, std::string const& to,
                                       file_copy_options const& how = {});

/// Makes a file of a backup the store at `store.path`. The backup is checked before anything is changed, and stays as
/// it is.
///
/// \return the size of the file in bytes, or an error: as `open_embedded` for the backup; `store_errc::cannot_open` if
/// the store is there and is not to be overwritten; `busy` if it is to be overwritten and is open, in this process or
/// another; `corrupt` if it is damaged, so that its users cannot be kept out. No process may open it meanwhile
/// \par Cost
/// Two reads of the backup and one of the copy.
result<std::uint64_t> restore_embedded(std::string const& backup, embedded_options const& store,
                                       file_copy_options const& how = {});

/// Gives back the space of what was erased, and puts the rows of each table next to each other. Other processes may
/// read meanwhile; their writes wait, for `busy_timeout` at most. The file shrinks when the log is next folded into it:
/// at once if no one else has it open.
///
/// \return the sizes, or an error: as `open_embedded`; `store_errc::busy`, `full`
/// \par Cost
/// Reads and writes the whole file. It takes up to twice its size again on the disk while it runs.
result<file_sizes> compact_embedded(embedded_options const& store);

/// Gives a file the latest format that this version of tablemap has. Earlier versions may refuse it from then on. A
/// store does this by itself when something is stored that needs a later format.
///
/// \return the formats, or an error: as `open_embedded`; `store_errc::busy`, `full`
result<file_formats> upgrade_embedded(embedded_options const& store);

/// Reads a whole file and looks for damage.
///
/// \return nothing, or an error: as `open_embedded`; `store_errc::corrupt`
result<void> check_embedded(embedded_options const& store);

}  // namespace tablemap
