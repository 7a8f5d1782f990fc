// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P8]: a log tail is of one mapped struct
#include <tablemap/patterns/latest.hpp>

#include <string>

void read(tablemap::table<tablemap::dynamic_entity> const& rows) {
#ifdef TABLEMAP_REJECT
    tablemap::latest(rows, tablemap::partition("u1"), 10);
#else
    rows.query(tablemap::partition("u1")).top(10).count();
#endif
}

int main() {}
