// SPDX-License-Identifier: Apache-2.0
#include "page/frame.hpp"

#include "page/page_style.hpp"

namespace tablemap::inline v0_1::page {

namespace {

// By name: clang++ 14 crashes where it is written into a call.
constexpr markup style{style_text};

}  // namespace

void begin_page(html& to, std::string_view title) {
    to.add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "img-src data:; "
           "base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    to.text(title).add("</title>\n<style>\n").add(style).add("</style>\n</head>\n<body>\n");
}

void end_page(html& to) { to.add("</body>\n</html>\n"); }

}  // namespace tablemap::page
