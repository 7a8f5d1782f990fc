# SPDX-License-Identifier: Apache-2.0
"""Shows that check_compile.py fails when it should. The compiler comes from TABLEMAP_FAMILY and TABLEMAP_COMPILER."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import check_compile

FAMILY = os.environ.get("TABLEMAP_FAMILY", "gcc")
COMPILER = os.environ.get("TABLEMAP_COMPILER", "g++")
OTHER = "clang" if FAMILY == "gcc" else "gcc"

BAD_LINE = '#ifdef TABLEMAP_REJECT\nstatic_assert(sizeof(int) == 0, "a key  needs a part");\n#endif\n'


class CheckCompile(unittest.TestCase):
    def verdict(self, mode, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "case.cpp"
            path.write_text(text, encoding="utf-8")
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                code = check_compile.main(["--family", FAMILY, "--compiler", COMPILER, *options, mode, str(path)])
            return code, errors.getvalue()

    def assert_passes(self, mode, text, *options):
        code, errors = self.verdict(mode, text, *options)
        self.assertEqual((code, errors), (0, ""))

    def assert_fails(self, mode, text, phrase):
        code, errors = self.verdict(mode, text)
        self.assertEqual(code, 1)
        self.assertIn(phrase, errors)

    def test_accepts_what_compiles(self):
        self.assert_passes("accept", "int i = 1;\n")

    def test_fails_an_accept_file_that_does_not_compile(self):
        self.assert_fails("accept", "int i = nothing;\n", "does not compile but should")

    def test_passes_a_refusal_with_its_phrase(self):
        self.assert_passes("reject", f"// expect: a key needs a part\n{BAD_LINE}")

    def test_fails_when_the_phrase_is_not_said(self):
        self.assert_fails("reject", f"// expect: a key needs two parts\n{BAD_LINE}", "does not say: a key needs two parts")

    def test_finds_a_phrase_behind_the_first_error(self):
        other = BAD_LINE.replace("a key  needs a part", "rule 7")
        self.assert_passes("reject", f"// expect: a key needs a part\n// expect: rule 7\n{BAD_LINE}{other}")

    def test_fails_when_one_of_two_phrases_is_not_said(self):
        self.assert_fails("reject", f"// expect: a key\n// expect: rule 7\n{BAD_LINE}", "does not say: rule 7")

    def test_fails_when_the_bad_line_compiles(self):
        text = "// expect: a key\n#ifdef TABLEMAP_REJECT\nint i;\n#endif\n"
        self.assert_fails("reject", text, "compiles with the bad line")

    def test_accepts_a_reject_file_without_its_bad_line(self):
        self.assert_passes("accept", f"// expect: a key\n{BAD_LINE}")

    def test_fails_without_a_phrase(self):
        self.assert_fails("reject", BAD_LINE, "names no phrase")

    def test_fails_without_a_bad_line(self):
        self.assert_fails("reject", "// expect: a key\n", "holds no bad line")

    def test_ignores_a_phrase_for_the_other_compiler(self):
        self.assert_passes("reject", f"// expect-{OTHER}: never said\n// expect-{FAMILY}: a key\n{BAD_LINE}")

    def test_wants_a_phrase_for_this_compiler(self):
        self.assert_fails("reject", f"// expect-{OTHER}: a key\n{BAD_LINE}", "names no phrase")

    def test_does_not_find_the_phrase_in_the_quoted_source(self):
        text = "// expect: only_in_source\n#ifdef TABLEMAP_REJECT\nint i = nothing; // only_in_source\n#endif\n"
        self.assert_fails("reject", text, "does not say: only_in_source")


if __name__ == "__main__":
    unittest.main()
