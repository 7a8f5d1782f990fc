// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q3]: the text of raw_filter is a string literal
#include <tablemap/filter/raw.hpp>

#include <string>

tablemap::raw_filter chosen(std::string const& name) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter("Name eq '" + name + "'");
#else
    return tablemap::raw_filter("Name eq {}", name);
#endif
}
