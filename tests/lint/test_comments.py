# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that comments.py fails when it should."""

import pathlib
import tempfile
import unittest

import comments

PUBLIC = "include/tablemap/table/a.hpp"
LONG = "x" * 121


class Comments(unittest.TestCase):
    def problems(self, text, name=PUBLIC):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return comments.check(folder)

    def assert_found(self, text, line, part, name=PUBLIC):
        found = self.problems(text, name)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"{name}:{line}: "), found[0])
        self.assertIn(part, found[0])

    def test_markers_in_order_are_right(self):
        text = "/// Reads.\n///\n" + "".join(f"/// {marker} x\n" if "par" not in marker else f"/// {marker}\n/// One.\n"
                                          for marker in comments.ORDER)
        self.assertEqual(self.problems(text + "int read();\n"), [])

    def test_markers_may_be_left_out_and_repeated(self):
        self.assertEqual(self.problems("/// Reads.\n/// \\pre a\n/// \\pre b\n/// \\throws c\n/// \\par Source\n/// d\n"), [])

    def test_every_pair_of_markers_has_one_order(self):
        for early, late in zip(comments.ORDER, comments.ORDER[1:]):
            self.assert_found(f"/// Reads.\n/// {late}\n/// {early}\n", 3, f"{early} belongs before {late}")

    def test_each_comment_has_its_own_order(self):
        self.assertEqual(self.problems("/// \\throws a\nint f();\n/// \\pre b\nint g();\n"), [])

    def test_unknown_marker_is_found(self):
        self.assert_found("/// Reads.\n/// \\par Complexity\n", 2, "\\par Complexity is none of")
        self.assert_found("/// \\returns it\n", 1, "\\returns is none of")

    def test_prose_form_is_found(self):
        for form in ("Errors", "Errors here", "Precondition", "Preconditions", "Round trips", "Thread safety", "Cost"):
            self.assert_found(f"int a;\n/// Reads. {form}: none.\n", 2, f'"{form}:" in prose')

    def test_markers_and_prose_are_free_outside_public_headers(self):
        text = "/// Reads. Errors: none.\n/// \\return a\n/// \\pre b\n"
        for name in ("include/tablemap/detail/table/a.hpp", "src/table/a.cpp", "tests/unit/table/a.cpp"):
            self.assertEqual(self.problems(text, name), [])
        self.assertEqual(self.problems("// Errors: none.\n"), [])

    def test_fragment_is_found(self):
        for word in ("What", "Which", "How", "Whether", "Where", "Who"):
            self.assert_found(f"int a;\n    /// {word} rows are read.\n", 2, f'begins with "{word}"', "src/a.cpp")
            self.assert_found(f"// {word} rows are read.\n", 1, f'begins with "{word}"', "bench/a.hpp")

    def test_fragment_is_found_behind_a_licence_and_a_comment_of_another_kind(self):
        self.assert_found("// SPDX-License-Identifier: Apache-2.0\n// How rows are read.\n", 2, "How", "codegen/a.cpp")
        self.assert_found("// Rows.\n/// How they are read.\n", 2, "How", "codegen/a.cpp")

    def test_only_the_first_line_begins_a_comment(self):
        self.assertEqual(self.problems("// Options that say\n// How rows are read.\n"), [])

    def test_other_word_is_right(self):
        self.assertEqual(self.problems("// However rows are read.\n\n// how it is\n\n// Rows: How?\n"), [])

    def test_question_is_right(self):
        self.assertEqual(self.problems("// Which rows are\n// read? All.\n"), [])
        self.assert_found("// Which rows are read. Is that all?\n", 1, "Which")

    def test_raw_string_is_no_comment(self):
        self.assertEqual(self.problems('auto a = R"(\n// How rows are read.\n' + LONG + ')";\n'), [])

    def test_long_line_is_found(self):
        self.assert_found("int a;\n// " + LONG + "\n", 2, "124 characters", "examples/a.cpp")
        self.assert_found("int " + LONG + ";\n", 1, "126 characters", "tests/a.hpp")
        self.assert_found('// "' + LONG + '"\n', 1, "126 characters")

    def test_line_of_120_characters_is_right(self):
        self.assertEqual(self.problems("// " + "ä" * 117 + "\n"), [])

    def test_long_literal_is_right(self):
        self.assertEqual(self.problems('auto a = "' + LONG + '";\n'), [])

    def test_long_address_is_right_only_if_alone_too_long(self):
        self.assertEqual(self.problems("/// https://" + LONG + "\n"), [])
        self.assert_found("/// " + "word " * 23 + "https://a.example\n", 1, "characters")

    def test_expected_message_may_be_long(self):
        self.assertEqual(self.problems("// expect: " + LONG + "\n// expect-gcc: " + LONG + "\n", "tests/compile/reject/a.cpp"), [])


if __name__ == "__main__":
    unittest.main()
