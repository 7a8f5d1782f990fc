# SPDX-License-Identifier: Apache-2.0
"""Plants secrets and sees that find_secrets.py finds them."""

import base64
import contextlib
import io
import pathlib
import tempfile
import unittest
import urllib.parse

import find_secrets

SENT = "bDlWQ4pXr5fEjWnOAWSPGcsH+0q5Zc/e1PSnzHnCtYg="


class FindSecrets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "records"

    def run_with(self, log, sent=SENT, ctest=""):
        """The exit code of a run in which tests wrote this."""
        logs = self.folder.parent / "Temporary"
        logs.mkdir(exist_ok=True)
        (logs / "LastTest.log.tmp").write_text(ctest, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            find_secrets.main("begin", self.folder)
            if sent:
                (self.folder / "sent-1.txt").write_text(sent + "\n", encoding="utf-8")
            if log is not None:
                (self.folder / "log-1.txt").write_text(log, encoding="utf-8")
            code = find_secrets.main("look", self.folder, logs)
        self.assertNotIn(SENT, said.getvalue())
        return code

    def test_a_clean_log_is_right(self):
        self.assertEqual(self.run_with("event=request action=get request_id=5d2f0d5e-1002-0000-0000-000000000000\n"), 0)

    def test_a_planted_secret_is_found(self):
        encoded = urllib.parse.quote(SENT, safe="")
        lower = encoded.replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d")
        for where in (SENT, f"'{SENT}'", f"sig={encoded}", f"sig={lower}", "xyz" + SENT + "xyz"):
            with self.subTest(where=where):
                self.assertEqual(self.run_with(f"a line\nmessage={where} b\n"), 1)

    def test_a_secret_in_base64_is_found_wherever_it_begins(self):
        for lead in range(4):
            text = base64.b64encode(b"x" * lead + SENT.encode() + b"yz").decode()
            self.assertEqual(self.run_with(text), 1)

    def test_the_key_of_the_emulator_is_found(self):
        self.assertEqual(self.run_with("AccountKey=" + find_secrets.STATIC[0]), 1)

    def test_the_output_of_the_tests_is_looked_through(self):
        self.assertEqual(self.run_with("fine\n", ctest="what(): " + SENT), 1)

    def test_nothing_to_look_through_is_a_failure(self):
        self.assertEqual(self.run_with(None), 1)
        self.assertEqual(self.run_with("fine\n", sent=""), 1)

    def test_a_run_of_it_alone_is_skipped(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(find_secrets.main("look", self.folder), find_secrets.SKIPPED)
        self.assertIn("skipped", said.getvalue())


if __name__ == "__main__":
    unittest.main()
