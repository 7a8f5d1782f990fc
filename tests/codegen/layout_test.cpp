// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"
#include "types.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tablemap::codegen {
namespace {

call call_of(std::string open, std::size_t arguments, std::size_t width) {
    call c{std::move(open), {}, ");"};
    for (std::size_t i = 0; i < arguments; ++i) c.arguments.emplace_back(width, static_cast<char>('a' + i));
    return c;
}

TEST(layout, puts_what_fits_on_one_line) {
    code_writer out{4};
    out.constant("auto x", call_of("f(", 3, 3));
    EXPECT_EQ(out.take(), "    auto x = f(aaa, bbb, ccc);\n");
}

TEST(layout, breaks_lines_at_the_bracket_or_after_the_equals_sign) {
    code_writer out;
    out.constant("auto x", call_of("f(", 3, 50));
    EXPECT_EQ(out.take(), "auto x = f(" + std::string(50, 'a') + ", " + std::string(50, 'b') + ",\n           " +
                              std::string(50, 'c') + ");\n");
    out.constant("auto constant_of_a_long_name", call_of("f(", 2, 50));
    EXPECT_EQ(out.take(),
              "auto constant_of_a_long_name =\n    f(" + std::string(50, 'a') + ", " + std::string(50, 'b') + ");\n");
}

TEST(layout, ends_every_statement) {
    for (std::size_t width : {3U, 50U, 110U, 130U}) {
        code_writer out;
        out.chain("auto x", std::string(width, 'a'), {});
        out.chain("auto x", std::string(width, 'a'), {{".b(", {std::string(width, 'b')}, ")"}});
        auto const text = out.take();
        EXPECT_EQ(std::count(text.begin(), text.end(), ';'), 2) << text;
        EXPECT_TRUE(text.ends_with(";\n"));
    }
}

TEST(layout, puts_short_functions_on_one_line) {
    code_writer body{8};
    body.line("return 1;");
    code_writer out{4};
    out.function("int", {"f(", {}, ") const"}, body.take());
    EXPECT_EQ(out.take(), "    int f() const { return 1; }\n");
}

TEST(layout, breaks_comments_at_words) {
    code_writer out;
    out.comment(std::string(60, 'a') + " " + std::string(60, 'b') + "\n  c");
    EXPECT_EQ(out.take(), "/// " + std::string(60, 'a') + "\n/// " + std::string(60, 'b') + " c\n");
}

TEST(layout, keeps_a_comment_from_swallowing_the_next_line) {
    code_writer out;
    out.comment("a path\\");
    out.comment("what?\?/");
    out.comment(std::string(100, 'a') + " C:\\ " + std::string(30, 'b'));
    EXPECT_EQ(out.take(), "/// a path\\.\n/// what?\?/.\n/// " + std::string(100, 'a') + " C:\\.\n/// " +
                              std::string(30, 'b') + "\n");
}

TEST(layout, leaves_out_of_comments_what_compilers_warn_of) {
    EXPECT_EQ(comment_text("a\u202eb\u2066c\nd"), "a b c d");
    EXPECT_EQ(comment_text({"a\0b", 3}), "a b");
    EXPECT_EQ(comment_text("größe \u2026"), "größe \u2026");
}

TEST(layout, fills_templates) { EXPECT_EQ(filled("{a} and {b}, {a}", {{"a", "x"}, {"b", "{a}"}}), "x and {a}, x"); }

TEST(cpp_text, is_read_back_by_a_compiler_as_it_was) {
    EXPECT_EQ(cpp_text("a\"b\\c\n1"), R"("a\"b\\c\0121")");
    EXPECT_EQ(cpp_text("größe"), "\"größe\"");
    EXPECT_EQ(cpp_text("what?\?!"), R"("what?\?!")");
    EXPECT_EQ(cpp_text("\u202e0"), R"("\342\200\2560")");
}

}  // namespace
}  // namespace tablemap::codegen
