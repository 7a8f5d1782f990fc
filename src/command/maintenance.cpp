// SPDX-License-Identifier: Apache-2.0
#include "command/maintenance.hpp"

#include "command/output_file.hpp"
#include "tablemap/embedded/maintenance.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::command {
namespace {

embedded_options file_of(store_options const& o) {
    auto const text = connection_string_of(o);
    if (!text.starts_with("embedded:"))
        throw usage_error{"only embedded stores are files; give --store embedded:<path>, or copy tables"};
    return value_or_throw(parse_embedded(text));
}

file_copy_options copy_options_of(file_copy const& o, console& c) {
    return {.overwrite = o.overwrite, .progress = [&c](std::uint64_t copied, std::uint64_t of) {
                c.progress(std::to_string(copied * 100 / std::max<std::uint64_t>(of, 1)) + " % of " +
                           std::to_string(of) + " pages");
            }};
}

}  // namespace

int backup(file_copy const& o, console& c) {
    require_absent(o.file, o.overwrite);
    auto const size = value_or_throw(back_up_embedded(file_of(o.store), o.file, copy_options_of(o, c)));
    c.note("backed up to " + o.file + ", " + bytes_for_people(size));
    return done;
}

int restore(file_copy const& o, console& c) {
    auto const file = file_of(o.store);
    require_absent(file.path, o.overwrite);
    auto const size = value_or_throw(restore_embedded(o.file, file, copy_options_of(o, c)));
    c.note("restored " + file.path + " from " + o.file + ", " + bytes_for_people(size));
    return done;
}

int compact(file_options const& o, console& c) {
    auto const sizes = value_or_throw(compact_embedded(file_of(o.store)));
    c.note("compacted from " + bytes_for_people(sizes.before) + " to " + bytes_for_people(sizes.after));
    return done;
}

int upgrade(file_options const& o, console& c) {
    auto const formats = value_or_throw(upgrade_embedded(file_of(o.store)));
    c.note(formats.before == formats.after
               ? "the file has format " + std::to_string(formats.after) + " already"
               : "upgraded from format " + std::to_string(formats.before) + " to " + std::to_string(formats.after));
    return done;
}

}  // namespace tablemap::inline v0_1::command
