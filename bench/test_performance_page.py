# SPDX-License-Identifier: Apache-2.0
"""Shows what performance_page.py writes."""

import unittest

import performance_page as page


class times(dict):
    """Some times, and one microsecond for all other cases."""

    def __missing__(self, key):
        return {0: 1000.0}


class Page(unittest.TestCase):
    def test_table_stands_between_its_comments(self):
        text = "a\n<!-- measured: codec -->\nold\n<!-- end -->\nb\n"
        self.assertEqual(page.written(text, {"codec": ["| x |", "|---|"]}),
                         "a\n<!-- measured: codec -->\n| x |\n|---|\n<!-- end -->\nb\n")

    def test_place_of_no_table_is_an_error(self):
        with self.assertRaises(KeyError):
            page.written("<!-- measured: other -->\n<!-- end -->\n", {})

    def test_case_that_was_not_measured_is_an_error(self):
        results = page.Measured({}, "build/bench-clang.json", "scripts/bench --clang")
        with self.assertRaises(SystemExit) as e:
            list(page.goals_table(times(), results))
        self.assertEqual(str(e.exception), "error: build/bench-clang.json has no decode_entity/entity: run scripts/bench --clang")

    def test_file_that_is_missing_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, "error: .*no/bench.json"):
            page.main("page", "no/bench.json", "peers", "instructions")

    def test_row_has_time_baseline_and_ratio(self):
        results = times({("encode", "entity", ""): {0: 3000.0}, ("encode", "baseline_by_hand", ""): {0: 2000.0}})
        self.assertIn("| encode an entity | 3.00 | 2.00 | 1.50 | 1.50 |", page.codec_table(results))

    def test_asynchronous_reads_are_compared_with_blocking_ones_of_the_same_store(self):
        results = times({(group, case, ""): {0: time}
                         for group, case, time in (("async_embedded", "future", 3000.0),
                                                   ("async_embedded", "baseline_blocking", 2000.0),
                                                   ("async_file", "future", 9000.0),
                                                   ("async_file", "baseline_blocking", 3000.0))})
        self.assertIn("| one at a time, a future | 3.00 | 1.50 | 9.00 | 3.00 |", page.asynchronous_table(results))

    def test_inserts_under_way_are_compared_with_those_by_hand_whose_handlers_run_there(self):
        group = "rest_beast_insert_c8"
        results = times({(group, case, ""): {0: time}
                         for case, time in (("tablemap_io_context", 3000.0), ("baseline_beast_whole_io_context", 2000.0),
                                            ("baseline_beast_whole_inline", 4000.0))})
        table = list(page.under_way_table(results))
        self.assertIn("| 8 | on an `io_context` | 3.00 | 2.00 | 1.50 | 1.50 | 1.00 | 1.00 | 1.00 | 1.00 |", table)
        self.assertIn("| 8 | where the response comes | – | 4.00 | – | – | – | 1.00 | – | – |", table)

    def test_goal_that_is_missed_is_bold(self):
        results = times({("embedded_page", "table", ""): {0: 2600.0, 1: 2200.0},
                         ("embedded_page", "baseline_sqlite", ""): {0: 2000.0, 1: 2000.0},
                         ("crypto_encode", "five_encrypted_members", ""): {0: 9900.0, 1: 12000.0, 2: 11000.0}})
        table = list(page.goals_table(results))
        self.assertEqual(table[0], "| operation | at most | median | shortest |")
        self.assertIn("| embedded page of 1,000 | 1.15 | **1.20** | 1.10 |", table)
        self.assertIn("| encode five encrypted members, µs | 10 | **11.0** | 9.90 |", table)

    def test_goals_have_a_row_for_the_second_struct(self):
        results = times({("embedded_find_contact", "table", ""): {0: 1500.0}})
        table = list(page.goals_table(results))
        self.assertEqual(table[table.index("| embedded point read | 1.25 | 1.00 | 1.00 |") + 1],
                         "| embedded point read, `contact` | 1.25 | **1.50** | **1.50** |")

    def test_goals_of_clang_stand_beside_those_of_gcc(self):
        table = list(page.goals_table(times(), times({("embedded_find", "table", ""): {0: 2000.0}})))
        self.assertEqual(table[0], "| operation | at most | g++, median | shortest | clang, median | shortest |")
        self.assertIn("| embedded point read | 1.25 | 1.00 | 1.00 | **2.00** | **2.00** |", table)

    def test_groups_of_the_second_struct_have_goals(self):
        goals = {group for group, *_ in [*page.GOALS.values(), *page.TIME_GOALS.values()]}
        self.assertLessEqual(page.WITH_CONTACT, goals)

    def test_instructions_are_compared_with_those_by_hand_where_they_are_counted(self):
        counts = {name: {"instructions": 3000, "allocations": 4.0} for pair in page.OPERATIONS.values() for name in pair}
        counts |= {name + "_by_hand": {"instructions": 2000, "allocations": 2.0} for name in counts}
        table = list(page.instructions_table(counts))
        self.assertIn("| point read | 3,000 | 2,000 | 1.50 | 4 | 3,000 | 2,000 | 1.50 | 4 |", table)
        self.assertIn("| `modify` | 3,000 | – | – | 4 | 3,000 | – | – | 4 |", table)

    def test_clients_are_columns(self):
        peers = {"other 1.0": {name: 1234.5 for name in page.PEER_OPERATIONS.values()}}
        table = list(page.http_table(times(), peers))
        self.assertTrue(table[0].endswith("| other 1.0 |"))
        self.assertIn("| insert of an entity | 1.00 | 1.00 | 1.00 | 1.00 | 1,234 |", table)


if __name__ == "__main__":
    unittest.main()
