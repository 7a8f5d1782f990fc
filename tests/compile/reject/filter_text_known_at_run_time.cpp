// SPDX-License-Identifier: Apache-2.0
// expect: is not a constant expression
// expect-clang: filter_text_must_be_a_string_literal
#include <tablemap/filter/raw.hpp>

tablemap::raw_filter chosen(char const* text) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter(text);
#else
    return tablemap::raw_filter::from_trusted_text(text);
#endif
}
