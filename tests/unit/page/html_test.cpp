// SPDX-License-Identifier: Apache-2.0
#include "page/html.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tablemap::test {
namespace {

template <class Write> std::string written(Write write) {
    page::html to;
    write(to);
    return std::move(to).take();
}

TEST(html, text_is_escaped) {
    auto const text = written([](auto& to) { to.text("</script><a href=\"x\" b='y'>&amp;"); });
    EXPECT_EQ(text, "&lt;/script&gt;&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
}

TEST(html, control_characters_become_their_signs) {
    auto const text = written([](auto& to) { to.text(std::string_view{"a\0b\n\x1b\x7f", 6}); });
    EXPECT_EQ(text, "a␀b␊␛␡");
}

TEST(html, characters_that_turn_text_are_replaced) {
    auto const text = written([](auto& to) { to.text("a\u202Eb\u2066c\u2026"); });
    EXPECT_EQ(text, "a\uFFFDb\uFFFDc\u2026");
}

TEST(html, long_key_is_cut_in_front_of_a_character) {
    auto const text = written([](auto& to) { to.key(std::string(159, 'a') + "é" + std::string(20, 'b')); });
    EXPECT_EQ(text, "<bdi class=\"key\">" + std::string(159, 'a') + "…</bdi>");
}

TEST(html, empty_key_is_named) {
    EXPECT_EQ(written([](auto& to) { to.key(""); }), "<span class=\"none\">(empty)</span>");
}

TEST(html, amounts_have_units) {
    EXPECT_EQ(written([](auto& to) { to.bytes(17); }), "17&nbsp;bytes");
    EXPECT_EQ(written([](auto& to) { to.bytes(3 * 1024 + 205); }), "3.2&nbsp;KiB");
    EXPECT_EQ(written([](auto& to) { to.percent(0.411); }), "41&nbsp;%");
    EXPECT_EQ(written([](auto& to) { to.percent(0.0523); }), "5.2&nbsp;%");
    EXPECT_EQ(written([](auto& to) { to.percent(0.0001); }), "&lt;&nbsp;0.1&nbsp;%");
}

}  // namespace
}  // namespace tablemap::test
