# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that namespaces.py fails when it should."""

import pathlib
import tempfile
import unittest

import namespaces


class Namespaces(unittest.TestCase):
    def problems(self, source):
        with tempfile.TemporaryDirectory() as folder:
            version = "#define TABLEMAP_VERSION_MAJOR 2\n#define TABLEMAP_VERSION_MINOR 13\n"
            for name, content in (("include/tablemap/version.hpp", version), ("src/a.cpp", source)):
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return namespaces.check(folder)

    def test_namespace_of_the_version_is_right(self):
        self.assertEqual(self.problems("namespace tablemap::inline v2_13 {\n"), [])
        self.assertEqual(self.problems("namespace tablemap::inline v2_13::detail {\n"), [])

    def test_missing_namespace_is_found(self):
        self.assertEqual(len(self.problems("namespace tablemap {\n")), 1)
        self.assertEqual(len(self.problems("namespace tablemap::detail {\n")), 1)

    def test_namespace_of_another_version_is_found(self):
        self.assertEqual(len(self.problems("namespace tablemap::inline v2_1 {\n")), 1)
        self.assertEqual(len(self.problems("namespace tablemap::inline v2_130 {\n")), 1)

    def test_alias_is_right(self):
        self.assertEqual(self.problems("namespace tm = tablemap;\n"), [])


if __name__ == "__main__":
    unittest.main()
