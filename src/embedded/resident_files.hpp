// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace tablemap::inline v0_1::detail::embedded {

/// While it lives, calls of SQLite on this thread fail where they would wait: for the disk, if they read through
/// `resident_files`, and for other processes.
class no_waiting {
public:
    no_waiting() noexcept;
    ~no_waiting();
    no_waiting(no_waiting const&) = delete;
    no_waiting& operator=(no_waiting const&) = delete;

    /// True if a call failed for this reason. It can be tried again where waiting is allowed.
    bool has_refused() const noexcept { return has_refused_; }

    static bool is_here() noexcept { return here != nullptr; }

    /// True, and remembered, if this thread must not wait.
    static bool refuses() noexcept;

private:
    static inline thread_local no_waiting* here = nullptr;

    no_waiting* const outer_;
    bool has_refused_ = false;
};

/// A file system of SQLite: the usual one, whose reads know which parts of a database the system holds in memory. It is
/// registered as long as it lives, and must outlive the connections that are opened with its name.
///
/// Linux alone tells this by a mapping. Elsewhere no part is taken for one in memory.
class resident_files {
public:
    resident_files();
    ~resident_files();

    char const* name() const noexcept;

private:
    struct file_system;
    std::unique_ptr<file_system> registered_;
};

}  // namespace tablemap::detail::embedded
