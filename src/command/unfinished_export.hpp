// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/open_store.hpp"
#include "command/query.hpp"
#include "tablemap/base/entity_key.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

/// Tells which rows an unfinished export has, in a file `<part>.of` beside it, so that it goes on with the same ones.
class export_note {
public:
    export_note(std::string const& part, store_options const& from, row_choice const& rows);

    void write() const;

    /// \throws usage_error if the file is missing, or is of other rows
    void require() const;

    void remove() const;

private:
    std::string path_;
    std::string text_;
};

/// Cuts the file of an unfinished export behind its last whole line, since the process that wrote it may have ended
/// within one.
///
/// \return the keys of that line; nothing if there is none
/// \throws std::runtime_error if that line or what is behind it is no row. The file is as it was then
std::optional<entity_key> cut_behind_last_row(std::string const& file);

}  // namespace tablemap::inline v0_1::command
