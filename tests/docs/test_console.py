# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest

import console

PAGE = """text
```console
$ echo a b
a b
$ echo 'seen 12 at 9'
seen … at 9
```
```sh
not run
```
"""


class Console(unittest.TestCase):
    def check(self, page, program="/bin/true", store=None):
        with tempfile.TemporaryDirectory() as folder:
            return console.check(page, program, folder, store)

    def test_runs_the_blocks_that_are_marked(self):
        self.assertEqual([c for c, _ in console.commands(PAGE)], ["echo a b", "echo 'seen 12 at 9'"])
        self.assertEqual(self.check(PAGE), "")

    def test_finds_another_line(self):
        self.assertIn("a c", self.check(PAGE.replace("\na b", "\na c")))

    def test_finds_a_missing_line(self):
        self.assertIn("more", self.check(PAGE.replace("at 9\n```", "at 9\nmore\n```")))

    def test_dots_stand_for_text_of_one_line(self):
        self.assertFalse(console.matches(["1", "2"], ["…"]))
        self.assertTrue(console.matches(["x 1 y"], ["x … y"]))
        self.assertFalse(console.matches(["x 1 z"], ["x … y"]))

    def test_wants_a_failure_where_the_program_complains(self):
        self.assertEqual(self.check("```console\n$ echo 'false: no'; false\nfalse: no\n```\n", "/bin/false"), "")
        self.assertIn("ended with 0", self.check("```console\n$ echo 'false: no'\nfalse: no\n```\n", "/bin/false"))
        self.assertIn("ended with 1", self.check("```console\n$ false\n```\n"))

    def test_names_the_store_to_the_program(self):
        self.assertEqual(self.check("```console\n$ echo a\na --store x y\n```\n", "/bin/echo", "x y"), "")

    def test_leaves_out_what_is_too_much_for_a_store_far_away(self):
        page = "```console\n$ echo a\na\n```\n```console embedded\n$ echo b\nc\n```\n"
        self.assertIn("shows this instead:\nc", self.check(page))
        self.assertEqual(self.check(page, store="x"), "")

    def test_names_the_store_in_pipes_too(self):
        self.assertEqual(self.check("```console\n$ (echo a) | cat\na --store x y\n```\n", "/bin/echo", "x y"), "")

    def test_runs_beside_the_data_of_the_page(self):
        with tempfile.TemporaryDirectory() as beside, tempfile.TemporaryDirectory() as folder:
            for name in ("old", "data.csv", "main.cpp"):
                open(os.path.join(folder if name == "old" else beside, name), "w", encoding="utf-8").close()
            console.prepare(folder, os.path.join(beside, "README.md"))
            self.assertEqual(os.listdir(folder), ["data.csv"])


if __name__ == "__main__":
    unittest.main()
