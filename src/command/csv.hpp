// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// CSV (RFC 4180). Our own, since no reader of Debian's tells an empty text in quotes from nothing.
namespace tablemap::inline v0_1::command {

inline constexpr int end_of_file = std::char_traits<char>::eof();

/// A place in a file, both from 1. The column counts bytes.
struct file_place {
    std::size_t line = 1;
    std::size_t column = 1;
};

/// Text that is not what its place in a file demands, or a file that cannot be read.
struct file_fault : std::runtime_error {
    file_fault(file_place at, std::string const& what) : std::runtime_error{what}, place(at) {}
    file_place place;
};

/// For a stream that ended at `at`: a read that failed is no end of the file.
///
/// \throws file_fault if it failed
void require_end(std::istream const& in, file_place at);

struct csv_field {
    std::string text{};
    bool quoted = false;
    file_place place{};
};

/// The bytes that some programs write in front of UTF-8.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The most fields of a record.
inline constexpr std::size_t most_fields = 1'100;

/// Reads records. One record may have 8 MiB and `most_fields`, more than any row.
class csv_reader {
public:
    /// \par Lifetime
    /// The stream outlives the reader.
    explicit csv_reader(std::istream& in) : in_(in) {}

    /// Reads the next record. Lines without any character are passed over.
    ///
    /// \return false at the end
    /// \throws file_fault for a quote that is not closed, text behind one, a record that is too long, a read that fails
    bool next(std::vector<csv_field>& record);

    /// The number of bytes read so far.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    int peek();
    char take();
    bool at_end_of_line();
    void skip_end_of_line();
    void skip_mark();
    void skip_empty_lines();
    csv_field field();
    void quoted(csv_field& f);
    void plain(csv_field& f);
    void put(csv_field& f, char c);
    [[noreturn]] void refuse(char const* what) const;

    std::istream& in_;
    std::string start_{};  ///< bytes that were read to look for a byte order mark
    file_place at_{};
    std::size_t bytes_ = 0;
    std::size_t record_ = 0;  ///< bytes of the present record
};

/// Appends a field, in quotes if it has to be, or if it is an empty text.
void append_csv_field(std::string& out, std::string_view text);

}  // namespace tablemap::inline v0_1::command
