#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the program tablemap-gen.

usage: command_test.py TABLEMAP-GEN CASES SCHEMA
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, CASES, SCHEMA = sys.argv[1:4]
GOLDEN = pathlib.Path(CASES, "golden", "minimal.json")
EXPECTED = GOLDEN.with_suffix(".expected").read_text(encoding="utf-8")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_prints_the_header(self):
        done = run(GOLDEN)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, EXPECTED, ""))

    def test_writes_the_header_and_what_it_depends_on(self):
        header, depfile = self.folder / "a b.hpp", self.folder / "a.d"
        done = run(GOLDEN, "-o", header, "--depfile", depfile)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(header.read_text(encoding="utf-8"), EXPECTED)
        escaped = str(header).replace(" ", "\\ ")
        self.assertEqual(depfile.read_text(encoding="utf-8"), f"{escaped}: {GOLDEN}\n")

    def test_check_tells_whether_the_header_is_right_and_writes_nothing(self):
        header = self.folder / "a.hpp"
        self.assertEqual(run(GOLDEN, "-o", header, "--check").returncode, 1)
        self.assertFalse(header.exists())
        header.write_text(EXPECTED, encoding="utf-8")
        self.assertEqual(run(GOLDEN, "-o", header, "--check").returncode, 0)
        header.write_text(EXPECTED + "\n", encoding="utf-8")
        done = run(GOLDEN, "-o", header, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("differs from what", done.stderr)

    def test_errors_go_to_the_error_stream_with_the_path_that_was_given(self):
        schema = self.folder / "a.json"
        schema.write_text("{}", encoding="utf-8")
        done = run(schema, "-o", self.folder / "a.hpp")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith(f"{schema}:1:1: error: "), done.stderr)
        self.assertFalse((self.folder / "a.hpp").exists())

    def test_files_that_are_not_there_are_errors(self):
        done = run(self.folder / "none.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot read", done.stderr)
        self.assertEqual(run(GOLDEN, "-o", self.folder / "none" / "a.hpp").returncode, 2)

    def test_wrong_arguments_are_errors(self):
        for arguments in ([], ["--check", GOLDEN], ["--unknown"], [GOLDEN, "--depfile", "x"]):
            self.assertEqual(run(*arguments).returncode, 2, arguments)

    def test_prints_the_json_schema(self):
        self.assertEqual(run("--print-schema").stdout, pathlib.Path(SCHEMA).read_text(encoding="utf-8"))

    def test_says_what_it_is(self):
        self.assertIn("--print-schema", run("--help").stdout)
        self.assertRegex(run("--version").stdout, r"^tablemap-gen \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
