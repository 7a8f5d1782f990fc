// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::detail::embedded {

/// The identity of the file that a name stands for, whatever its contents.
struct file_identity {
    std::uint64_t device;
    std::uint64_t number;

    friend bool operator==(file_identity const&, file_identity const&) = default;
};

/// Empty if there is no such file, or none that the process may look at.
std::optional<file_identity> identity_of(char const* path) noexcept;

/// Errors (thrown): `store_errc::file_gone`, always.
[[noreturn]] void refuse_file_gone(std::string const& path);

}  // namespace tablemap::detail::embedded
