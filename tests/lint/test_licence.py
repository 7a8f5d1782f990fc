# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that licence.py fails when it should."""

import pathlib
import tempfile
import unittest

import licence

TAG = "SPDX-License-Identifier" + ": Apache-2.0\n"


class Licence(unittest.TestCase):
    def problems(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return licence.check(folder)

    def test_one_line_is_right(self):
        self.assertEqual(self.problems("src/a.cpp", f"// {TAG}int i;\n"), [])
        self.assertEqual(self.problems("scripts/run", f"#!/bin/sh\n# {TAG}"), [])

    def test_missing_line_is_found(self):
        for name in ("a.hpp", "src/a.cpp", "cmake/a.cmake", "CMakeLists.txt", "a.py", "a.sh", "scripts/run", ".ci/run"):
            with self.subTest(name=name):
                self.assertEqual(len(self.problems(name, "\n")), 1)

    def test_second_line_is_found(self):
        self.assertEqual(len(self.problems("a.cpp", f"// {TAG}// {TAG}")), 1)

    def test_other_licence_is_found(self):
        self.assertEqual(len(self.problems("a.cpp", "// SPDX-License-Identifier" + ": MIT\n")), 1)

    def test_other_files_need_none(self):
        self.assertEqual(self.problems("README.md", "\n"), [])
        self.assertEqual(self.problems("build/a.cpp", "\n"), [])


if __name__ == "__main__":
    unittest.main()
