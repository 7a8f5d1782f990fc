// SPDX-License-Identifier: Apache-2.0
// expect-gcc: use of deleted function
// expect-clang: call to deleted member function
#include <tablemap/edm/dynamic_entity.hpp>

std::size_t count(tablemap::dynamic_entity const& e) {
    auto const all = e.properties();
    auto n = static_cast<std::size_t>(all.end() - all.begin());
#ifdef TABLEMAP_REJECT
    n = static_cast<std::size_t>(e.properties().end() - e.properties().begin());
#endif
    return n;
}

int main() {}
