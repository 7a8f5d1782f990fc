# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that sources.py fails when it should."""

import pathlib
import tempfile
import unittest

import sources


class Sources(unittest.TestCase):
    def problems(self, source, lists, text):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ((source, ""), (lists, text)):
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return sources.check(folder)

    def test_named_source_is_right(self):
        self.assertEqual(self.problems("src/base/a.cpp", "CMakeLists.txt", "PRIVATE\n    src/base/a.cpp)\n"), [])
        self.assertEqual(self.problems("tests/unit/base/a.cpp", "tests/CMakeLists.txt", "SOURCES unit/base/a.cpp"), [])

    def test_next_list_above_counts(self):
        self.assertEqual(self.problems("examples/shop/main.cpp", "examples/shop/CMakeLists.txt", "main.cpp"), [])
        self.assertEqual(len(self.problems("examples/shop/main.cpp", "CMakeLists.txt", "main.cpp")), 1)

    def test_included_list_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / "tests" / "unit"
            unit.mkdir(parents=True)
            for name, content in (("a.cpp", ""), ("b.cpp", ""), ("tests.cmake", "SOURCES unit/a.cpp")):
                (unit / name).write_text(content, encoding="utf-8")
            (unit.parent / "CMakeLists.txt").write_text("include(unit/tests.cmake)\n", encoding="utf-8")
            self.assertEqual(sources.check(folder), ["tests/unit/b.cpp: not named in tests/CMakeLists.txt"])

    def test_own_options_beside_a_third_party_library_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "src").mkdir()
            (root / "src" / "a.cpp").write_text('#include "a.hpp"\n', encoding="utf-8")
            (root / "src" / "a.hpp").write_text("#include <simdjson.h>\n#include <bit>\n", encoding="utf-8")
            lists = "add_library(a src/a.cpp)\nset_source_files_properties(src/a.cpp\n    PROPERTIES {} x)\n"
            (root / "CMakeLists.txt").write_text(lists.format("COMPILE_OPTIONS"), encoding="utf-8")
            self.assertEqual(
                sources.check(folder), ["src/a.cpp: has compile options of its own and includes <simdjson.h>"]
            )
            (root / "CMakeLists.txt").write_text(lists.format("SKIP_UNITY_BUILD_INCLUSION"), encoding="utf-8")
            self.assertEqual(sources.check(folder), [])

    def test_missing_source_is_found(self):
        self.assertEqual(len(self.problems("src/base/a.cpp", "CMakeLists.txt", "src/base/b.cpp")), 1)

    def test_longer_name_does_not_count(self):
        self.assertEqual(len(self.problems("src/base/a.cpp", "CMakeLists.txt", "other/src/base/a.cpp src/base/a.cpp.in")), 1)

    def test_commented_out_source_is_found(self):
        self.assertEqual(len(self.problems("src/base/a.cpp", "CMakeLists.txt", "# src/base/a.cpp\n")), 1)


if __name__ == "__main__":
    unittest.main()
