// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M0]: the struct has no member of this number
#include <tablemap/detail/reflect/fields.hpp>

struct point {
    int x{};
    int y{};
};

int last(point const& p) {
#ifdef TABLEMAP_REJECT
    return tablemap::detail::get_field<2>(p);
#else
    return tablemap::detail::get_field<1>(p);
#endif
}

int main() {}
