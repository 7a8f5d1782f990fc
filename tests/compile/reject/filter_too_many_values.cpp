// SPDX-License-Identifier: Apache-2.0
// expect: tablemap_Q3_the_filter_needs_exactly_one_value_for_each_placeholder
#include <tablemap/filter/raw.hpp>

#include <string>

tablemap::raw_filter chosen(std::string const& name) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter("Age ge {} and Name eq '{}'", 18, name);
#else
    return tablemap::raw_filter("Age ge {} and Name eq {}", 18, name);
#endif
}
