# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that batches.py fails when it should."""

import pathlib
import tempfile
import unittest

import batches


class Batches(unittest.TestCase):
    def problems(self, first, second, lists="tablemap_add_test(NAME unit_x SOURCES a.cpp b.cpp)"):
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder) / "tests"
            tests.mkdir()
            for name, content in (("a.cpp", first), ("b.cpp", second), ("CMakeLists.txt", lists)):
                (tests / name).write_text(content, encoding="utf-8")
            return batches.check(folder)

    @staticmethod
    def unnamed(line):
        return f"namespace x {{\nnamespace {{\n\n{line}\n\n}}  // namespace\n}}  // namespace x\n"

    def test_overload_is_found(self):
        self.assertEqual(len(self.problems(self.unnamed("int f(int a) { return a; }"), self.unnamed("long f(long a);"))), 1)

    def test_template_is_found(self):
        self.assertEqual(len(self.problems(self.unnamed("template <class T> T f(T a) {"), self.unnamed("int f(int a) {"))), 1)

    def test_other_names_are_right(self):
        self.assertEqual(self.problems(self.unnamed("int f(int a) {"), self.unnamed("int g(int a) {")), [])

    def test_call_within_a_function_is_right(self):
        self.assertEqual(self.problems(self.unnamed("int f(int a) {"), self.unnamed("void g() {\n    return f(1);\n}")), [])

    def test_named_namespace_is_right(self):
        self.assertEqual(self.problems(self.unnamed("int f(int a) {"), "namespace x {\nint f(long a);\n}  // namespace x\n"), [])

    def test_source_that_is_compiled_alone_is_right(self):
        lists = "tablemap_compile_alone(b.cpp)\ntablemap_add_test(NAME unit_x SOURCES a.cpp b.cpp)"
        self.assertEqual(self.problems(self.unnamed("int f(int a) {"), self.unnamed("int f(long a) {"), lists), [])

    def test_overload_within_a_folder_of_the_library_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            wire = pathlib.Path(folder) / "src" / "wire"
            wire.mkdir(parents=True)
            (wire.parent.parent / "CMakeLists.txt").write_text("", encoding="utf-8")
            (wire / "a.cpp").write_text(self.unnamed("int f(int a) {"), encoding="utf-8")
            (wire / "b.cpp").write_text(self.unnamed("int f(long a) {"), encoding="utf-8")
            self.assertEqual(len(batches.check(folder)), 1)
            (wire / "b.cpp").rename(wire.parent / "b.cpp")
            self.assertEqual(batches.check(folder), [])


if __name__ == "__main__":
    unittest.main()
