// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace tablemap::inline v0_1::command {

/// \throws usage_error if `file` is there and is not to be overwritten
void require_absent(std::string const& file, bool overwrite);

/// \throws usage_error as `require_absent`, and for what is no file
void require_free(std::string const& file, bool overwrite);

/// A file that has its name only once it is whole and on the disk. Until then it is `<file>.part`, which one process at
/// a time can write.
class output_file {
public:
    /// \throws std::runtime_error if `<file>.part` cannot be written, or another process writes it
    output_file(std::string const& file, bool overwrite);
    ~output_file();
    output_file(output_file const&) = delete;
    output_file& operator=(output_file const&) = delete;

    std::string const& part() const noexcept { return part_; }

    /// The stream, behind what `<file>.part` has, or at its beginning, without what it has.
    std::ostream& begin(bool behind);

    /// Gives the file its name. One that came up meanwhile is replaced only if it is to be overwritten.
    ///
    /// \throws std::runtime_error if something could not be written; `<file>.part` is left as it is
    void finish();

private:
    void lock() const;
    bool has_name() const;
    void give_name() const;

    std::string file_;
    std::string part_;
    bool overwrite_;
    int lock_;  ///< a descriptor of `part_`
    std::ofstream out_{};
};

/// Writes a text as a whole file.
///
/// \throws std::runtime_error as `output_file`
void write_file(std::string const& file, bool overwrite, std::string const& text);

}  // namespace tablemap::inline v0_1::command
