# SPDX-License-Identifier: Apache-2.0
"""Shows what performance_page.py writes."""

import unittest

import performance_page as page


class Page(unittest.TestCase):
    def test_table_stands_between_its_comments(self):
        text = "a\n<!-- measured: codec -->\nold\n<!-- end -->\nb\n"
        self.assertEqual(page.written(text, {"codec": ["| x |", "|---|"]}),
                         "a\n<!-- measured: codec -->\n| x |\n|---|\n<!-- end -->\nb\n")

    def test_place_of_no_table_is_an_error(self):
        with self.assertRaises(KeyError):
            page.written("<!-- measured: other -->\n<!-- end -->\n", {})

    def test_case_that_was_not_measured_has_a_dash(self):
        self.assertIn("| point read | – | – | – | – |", page.embedded_table({}))

    def test_row_has_time_baseline_and_ratio(self):
        times = {("encode", "entity", ""): {0: 3000.0}, ("encode", "baseline_by_hand", ""): {0: 2000.0}}
        self.assertIn("| encode an entity | 3.00 | 2.00 | 1.50 | 1.50 |", page.codec_table(times))

    def test_asynchronous_reads_are_compared_with_blocking_ones_of_the_same_store(self):
        times = {(group, case, ""): {0: time}
                 for group, case, time in (("async_embedded", "future", 3000.0),
                                           ("async_embedded", "baseline_blocking", 2000.0),
                                           ("async_file", "future", 9000.0),
                                           ("async_file", "baseline_blocking", 3000.0))}
        self.assertIn("| one at a time, a future | 3.00 | 1.50 | 9.00 | 3.00 |", page.asynchronous_table(times))

    def test_inserts_under_way_are_compared_with_those_by_hand_whose_handlers_run_there(self):
        group = "rest_beast_insert_c8"
        times = {(group, case, ""): {0: time}
                 for case, time in (("tablemap_io_context", 3000.0), ("baseline_beast_whole_io_context", 2000.0),
                                    ("baseline_beast_whole_inline", 1000.0))}
        table = list(page.under_way_table(times))
        self.assertIn("| 8 | on an `io_context` | 3.00 | 2.00 | 1.50 | 1.50 | – | – | – | – |", table)
        self.assertIn("| 8 | where the response comes | – | 1.00 | – | – | – | – | – | – |", table)

    def test_goal_that_is_missed_is_bold(self):
        times = {("embedded_page", "table", ""): {0: 2600.0, 1: 2200.0}, ("embedded_page", "baseline_sqlite", ""): {0: 2000.0, 1: 2000.0},
                 ("crypto_encode", "five_encrypted_members", ""): {0: 9900.0, 1: 12000.0, 2: 11000.0}}
        table = list(page.goals_table(times))
        self.assertIn("| embedded page of 1,000 | 1.15 | **1.20** | 1.10 |", table)
        self.assertIn("| encode five encrypted members, µs | 10 | **11.0** | 9.90 |", table)
        self.assertIn("| embedded point read | 1.25 | – | – |", table)

    def test_instructions_are_compared_with_those_by_hand_where_they_are_counted(self):
        counts = {name: {"instructions": 3000, "allocations": 4.0} for pair in page.OPERATIONS.values() for name in pair}
        counts["find_contact_by_hand"] = {"instructions": 2000, "allocations": 2.0}
        self.assertIn("| point read | 3,000 | – | – | 4 | 3,000 | 2,000 | 1.50 | 4 |", page.instructions_table(counts))

    def test_clients_are_columns(self):
        peers = {"other 1.0": {name: 1234.5 for name in page.PEER_OPERATIONS.values()}}
        table = list(page.http_table({}, peers))
        self.assertTrue(table[0].endswith("| other 1.0 |"))
        self.assertIn("| insert of an entity | – | – | – | – | 1,234 |", table)


if __name__ == "__main__":
    unittest.main()
