#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the program tablemap-gen.

usage: command_test.py TABLEMAP-GEN CASES SCHEMA
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

PROGRAM, CASES, SCHEMA = sys.argv[1:4]
GOLDEN = pathlib.Path(CASES, "golden", "minimal.json")
EXPECTED = GOLDEN.with_suffix(".expected").read_text(encoding="utf-8")


def run(*arguments, **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([PROGRAM, *map(str, arguments)], text=True, **streams)


def full_disk():
    """Has writes beyond 100 bytes fail."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


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

    def assert_fails(self, done, text):
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, f"^tablemap-gen: .*{text}.*\n$")

    def test_files_that_cannot_be_read_or_written_are_errors(self):
        self.assert_fails(run(self.folder / "none.json"), "cannot read .*none.json: No such file or directory")
        self.assert_fails(run(self.folder), "cannot read .*: Is a directory")
        self.assert_fails(run(GOLDEN, "-o", self.folder, "--check"), "cannot read .*: Is a directory")
        self.assert_fails(run(GOLDEN, "-o", self.folder / "none" / "a.hpp"), "cannot write .*a.hpp: No such file")
        self.assert_fails(run(GOLDEN, "-o", self.folder), "cannot write .*: Is a directory")
        self.assertEqual(os.listdir(self.folder), [])

    def test_text_that_cannot_be_printed_is_an_error(self):
        for arguments in ([GOLDEN], ["--print-schema"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                self.assert_fails(run(*arguments, stdout=full), "cannot write to the standard output")

    def test_one_file_is_not_two(self):
        schema, header, depfile = self.folder / "a.json", self.folder / "a.hpp", self.folder / "a.d"
        schema.write_bytes(GOLDEN.read_bytes())
        (self.folder / "b.json").symlink_to("a.json")
        for arguments in (
            [schema, "-o", schema],
            [schema, "-o", self.folder / "b.json"],
            [schema, "-o", header, "--depfile", schema],
            [schema, "-o", header, "--depfile", self.folder / "." / "a.hpp"],
        ):
            self.assert_fails(run(*arguments), "too; name another file")
        self.assertEqual(schema.read_bytes(), GOLDEN.read_bytes())
        self.assertFalse(header.exists())
        self.assertEqual(run(schema, "-o", header, "--depfile", depfile).returncode, 0)

    def test_a_link_stays_and_its_file_is_written(self):
        real, link = self.folder / "real.hpp", self.folder / "link.hpp"
        link.symlink_to("real.hpp")
        for _ in ("to nothing", "to a file"):
            self.assertEqual(run(GOLDEN, "-o", link).returncode, 0)
            self.assertTrue(link.is_symlink())
            self.assertEqual(real.read_text(encoding="utf-8"), EXPECTED)
            real.write_text("old", encoding="utf-8")

    def test_a_pipe_is_written_into(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), encoding="utf-8") as end:
            self.assertEqual(run(GOLDEN, "-o", pipe).returncode, 0)
            self.assertEqual(end.read(), EXPECTED)
        self.assertTrue(pipe.is_fifo())

    def test_the_old_header_stays_when_the_disk_is_full(self):
        header = self.folder / "a.hpp"
        header.write_text("old", encoding="utf-8")
        done = run(GOLDEN, "-o", header, preexec_fn=full_disk, restore_signals=False)
        self.assert_fails(done, "cannot write .*a.hpp: File too large")
        self.assertEqual(header.read_text(encoding="utf-8"), "old")
        self.assertEqual(os.listdir(self.folder), ["a.hpp"])

    def test_the_rights_of_the_header_stay(self):
        header = self.folder / "a.hpp"
        header.touch(0o600)
        self.assertEqual(run(GOLDEN, "-o", header).returncode, 0)
        self.assertEqual(header.stat().st_mode & 0o777, 0o600)

    def test_runs_at_one_time_do_not_disturb_each_other(self):
        header = self.folder / "a.hpp"
        for _ in range(20):
            both = [subprocess.Popen([PROGRAM, str(GOLDEN), "-o", str(header)]) for _ in range(4)]
            self.assertEqual([each.wait() for each in both], [0] * 4)
            self.assertEqual(header.read_text(encoding="utf-8"), EXPECTED)
        self.assertEqual(os.listdir(self.folder), ["a.hpp"])

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
