# SPDX-License-Identifier: Apache-2.0
import json
import subprocess
import sys
import unittest

import serve


def said(**numbers):
    return json.dumps({"requests": 100, "microseconds": 2_000_000, "refused": 0, "lost": 0} | numbers)


class figures(unittest.TestCase):
    def test_are_requests_per_second_and_cpu_microseconds_of_each(self):
        self.assertEqual(serve.figures("Running 2s test\n" + said() + "\n", 0.5), (50, 5000))

    def test_a_response_that_is_no_success_fails(self):
        with self.assertRaisesRegex(serve.failure, "3 requests were refused"):
            serve.figures(said(refused=3), 1)

    def test_a_request_without_a_response_fails(self):
        with self.assertRaisesRegex(serve.failure, "2 got no response"):
            serve.figures(said(lost=2), 1)

    def test_a_run_without_requests_fails(self):
        with self.assertRaises(serve.failure):
            serve.figures(said(requests=0), 1)


class tables(unittest.TestCase):
    def found(self, mine, emulator):
        return {(case, name): values for case in serve.CASES for name, values in (("mine", mine), ("azurite", emulator))}

    def test_hold_medians_and_their_ratios_to_the_emulator(self):
        found = self.found([(900, 50), (1000, 40), (7000, 10)], [(100, 800)])
        text = "\n".join(serve.table(found, ["azurite", "mine"]))
        self.assertRegex(text, r"point read, per s +100 +1,000 \(10\.0 x\)")
        self.assertRegex(text, r"CPU us each +800 +40 \(20\.0 x\)")


class requests(unittest.TestCase):
    def test_are_signed_without_their_query(self):
        date = "Fri, 20 Nov 2026 00:00:00 GMT"
        self.assertEqual(serve.signed(date, "/a/T()?$top=1"), serve.signed(date, "/a/T()"))
        self.assertNotEqual(serve.signed(date, "/a/T()"), serve.signed(date, "/a/U()"))

    def test_read_rows_that_were_stored(self):
        keys = {serve.keys_of(n) for n in range(serve.ROWS)}
        asked = {tuple(target.split("'")[1:4:2]) for target, _ in serve.requests_of("read")}
        self.assertEqual(len(asked), serve.READS)
        self.assertLessEqual(asked, keys)

    def test_insert_a_row_of_a_kilobyte_whose_keys_are_to_be_filled_in(self):
        ((_, body),) = serve.requests_of("insert")
        self.assertEqual(body.count("@row@"), 2)
        self.assertLess(900, len(body))


class the_program(unittest.TestCase):
    def test_says_which_server_does_not_start(self):
        done = subprocess.run(
            [sys.executable, serve.__file__, "/bin/false", "/nowhere.js"], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere.js", done.stderr)


if __name__ == "__main__":
    unittest.main()
