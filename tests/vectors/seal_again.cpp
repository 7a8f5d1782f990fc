// SPDX-License-Identifier: Apache-2.0
#include "vectors/sealed_vector.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

// usage: seal_again FILE
//
// Seals the plain texts of a file of vectors anew and writes the same records with them, for make_sealed_vectors.py to
// open.
int main(int count, char** arguments) {
    using namespace tablemap;
    if (count != 2) return 2;
    std::ifstream file{arguments[1]};
    for (auto v : test::parse_sealed_vectors({std::istreambuf_iterator<char>{file}, {}})) {
        v.fields["sealed"] = value_or_throw(detail::seal(v.key(), v.place(), v.type(), v["plain"]));
        v.fields["hash"] =
            value_or_throw(detail::blind_hash(v.key(), v.text("table"), v.text("property"), v.type(), v["plain"]));
        for (auto const& [name, value] : v.fields) std::cout << name << ' ' << test::hex(value) << '\n';
        std::cout << '\n';
    }
    return 0;
}
