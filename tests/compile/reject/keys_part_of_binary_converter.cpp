// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K2]: the converter of this member's type stores tablemap::bytes, which have no form in a key
// expect: file::digest
#include <tablemap/table/table.hpp>

#include <string>

struct checksum {
    tablemap::bytes octets{};
};

template <> struct tablemap::converter<checksum> {
    using stored = tablemap::bytes;
    static stored to_property(checksum const& c) { return c.octets; }
    static checksum from_property(stored const& octets) { return {octets}; }
};

struct file {
    std::string folder{};
    std::string name{};
    checksum digest{};
};

template <> struct tablemap::mapping<file> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&file::folder>);
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&file::digest>);
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&file::name>);
#endif
};

std::string const& name_of(tablemap::table<file> const& t) { return t.name(); }

int main() {}
