# SPDX-License-Identifier: Apache-2.0
"""Shows on small trees that pages.py fails when it should."""

import pathlib
import tempfile
import unittest

import pages


class Pages(unittest.TestCase):
    def problems(self, text, lists="", page="docs/a.md"):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in ((page, text), ("examples/CMakeLists.txt", lists)):
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return pages.check(folder)

    named = "tablemap_add_page_example(a_page docs/b.md docs/a.md)\n"

    def test_block_of_a_named_page_is_right(self):
        self.assertEqual(self.problems("# A\n\n```cpp\nint a;\n```\n", self.named), [])

    def test_block_of_another_page_is_found(self):
        self.assertEqual(len(self.problems("```cpp\nint a;\n```\n")), 1)
        self.assertEqual(len(self.problems("```cpp\nint a;\n```\n", "tablemap_add_page_example(a_page docs/aa.md)\n")), 1)

    def test_page_that_is_named_in_a_comment_is_found(self):
        self.assertEqual(len(self.problems("```cpp\nint a;\n```\n", "# " + self.named)), 1)

    def test_reason_excuses_one_block(self):
        excused = "<!-- not compiled: it must not compile -->\n```cpp\nint a\n```\n"
        self.assertEqual(self.problems(excused), [])
        self.assertEqual(self.problems(excused, self.named), [])
        self.assertEqual(len(self.problems(excused + "\n```cpp\nint a;\n```\n")), 1)

    def test_empty_reason_is_none(self):
        self.assertEqual(len(self.problems("<!-- not compiled: -->\n```cpp\nint a\n```\n")), 1)

    def test_block_that_the_programs_leave_out_is_found(self):
        for begin in ("```c++", "  ```cpp", "~~~cpp", "```cpp title"):
            self.assertEqual(len(self.problems(f"{begin}\nint a;\n{begin.strip()[:3]}\n", self.named)), 1, begin)

    def test_cpp_under_another_mark_is_found(self):
        self.assertEqual(len(self.problems("```text\nauto t = tmap::ticks::now();\n```\n", self.named)), 1)
        self.assertEqual(len(self.problems("```\n#include <tablemap/tablemap.hpp>\n```\n", self.named)), 1)
        self.assertEqual(self.problems("```text\nplain\n```\n\n```sh\necho tmap::\n```\n"), [])

    def test_hidden_blocks_are_compiled_and_not_shown(self):
        page = "<!-- cpp\nint a;\n-->\n```cpp\nint b;\n```\n"
        self.assertEqual(pages.extract.blocks(page), [(2, "int a;\n"), (5, "int b;\n")])

    def test_pages_in_other_folders_count(self):
        self.assertEqual(len(self.problems("```cpp\nint a;\n```\n", page="README.md")), 1)
        self.assertEqual(len(self.problems("```cpp\nint a;\n```\n", page="examples/shop/README.md")), 1)
        self.assertEqual(self.problems("```cpp\nint a;\n```\n", page="build/azurite/README.md"), [])

    def test_links_lead_to_files_and_headings(self):
        self.assertEqual(self.problems("# A `b`: c\n\n[a](#a-b-c) [b](a.md#a-b-c) [c](../examples/) [d](https://example.org/x#y)\n"), [])
        self.assertEqual(self.problems("```sh\n[a](b.md)\n```\n"), [])

    def test_broken_links_are_found(self):
        for link in ("b.md", "#b", "a.md#b"):
            self.assertEqual(self.problems(f"# A\n\n[a]({link})\n"), [f"docs/a.md: the link {link} leads nowhere"])


if __name__ == "__main__":
    unittest.main()
