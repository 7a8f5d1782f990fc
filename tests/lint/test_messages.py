# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that messages.py fails when it should."""

import pathlib
import tempfile
import unittest

import messages

TWO_PARTS = 'static_assert(ok, "tablemap[K1]: keys are made "\n              "by \\"key\\"");\n'


class Messages(unittest.TestCase):
    def problems(self, header, *phrases):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include/tablemap/keys").mkdir(parents=True)
            (root / "include/tablemap/keys/key.hpp").write_text(header, encoding="utf-8")
            (root / "tests/compile/reject").mkdir(parents=True)
            text = "".join(f"// expect: {p}\n" for p in phrases)
            (root / "tests/compile/reject/a.cpp").write_text(text, encoding="utf-8")
            return messages.check(root)

    def test_expected_message_is_right(self):
        self.assertEqual(self.problems(TWO_PARTS, 'tablemap[K1]: keys are made by "key"'), [])
        self.assertEqual(self.problems(TWO_PARTS, "tablemap[K1]: keys are"), [])

    def test_message_that_nobody_expects_is_found_with_its_place(self):
        found = self.problems("\n" + TWO_PARTS, "tablemap[K2]: keys are made")
        self.assertEqual(found, ["include/tablemap/keys/key.hpp:2: no file of tests/compile/reject expects: "
                                 "tablemap[K1]: keys are made by 'key'"])

    def test_end_of_a_message_does_not_count(self):
        self.assertEqual(len(self.problems(TWO_PARTS, "made by")), 1)

    def test_beginning_of_two_messages_does_not_count(self):
        header = TWO_PARTS + 'static_assert(ok, "tablemap[K1]: keys are long");\n'
        self.assertEqual(len(self.problems(header, "tablemap[K1]: keys are")), 2)
        self.assertEqual(self.problems(header, "tablemap[K1]: keys are m", "tablemap[K1]: keys are l"), [])

    def test_message_about_the_compiler_is_left_out(self):
        self.assertEqual(self.problems('"tablemap[M0]: this compiler spells enumerators otherwise"'), [])


if __name__ == "__main__":
    unittest.main()
