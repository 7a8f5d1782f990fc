// SPDX-License-Identifier: Apache-2.0
#include "command/table_reading.hpp"

namespace tablemap::inline v0_1::command {

page::gathering gathering_of(table_reading const& o, console& c) {
    page::gathering how;
    how.tables = o.tables;
    how.rows = o.rows;
    how.exact = o.exact;
    how.type_property = o.type_property;
    how.progress = [&c](std::string const& line) { c.progress(line); };
    return how;
}

}  // namespace tablemap::inline v0_1::command
