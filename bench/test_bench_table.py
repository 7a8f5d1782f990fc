# SPDX-License-Identifier: Apache-2.0
"""Shows what bench_table.py makes of results."""

import unittest

import bench_table


def run(name, time, repetition, **more):
    return {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": repetition, "cpu_time": time,
            "real_time": 10 * time, "time_unit": "us", **more}


class Table(unittest.TestCase):
    def test_ratio_is_the_median_of_those_of_the_repetitions(self):
        runs = [run("a/case", time, i) for i, time in enumerate((2, 40, 3))]
        runs += [run("a/baseline_x", time, i) for i, time in enumerate((1, 20, 3))]  # the second one was disturbed
        times = bench_table.times_of(runs)
        self.assertEqual(bench_table.ratios(times, ("a", "case", "")), [("baseline_x", 2.0, 2.0)])
        self.assertEqual(bench_table.median_of(times, ("a", "case", "")), 3000)

    def test_runs_of_one_program_are_repetitions(self):
        contents = [{"context": {}, "benchmarks": [{**run("a/case", time, 0)}]} for time in (1, 3)]
        times = bench_table.times_of(bench_table.merge(contents)["benchmarks"])
        self.assertEqual(times[("a", "case", "")], {0: 1000, 1: 3000})

    def test_case_that_failed_is_left_out(self):
        self.assertEqual(bench_table.times_of([run("a/case", 1, 0, error_occurred=True)]), {})

    def test_aggregates_are_not_counted_twice(self):
        runs = [run("a/case", 1, 0), {**run("a/case_median", 9, 0), "run_type": "aggregate"}]
        self.assertEqual(list(bench_table.times_of(runs)), [("a", "case", "")])

    def test_manual_time_is_elapsed_time(self):
        times = bench_table.times_of([run("a/case/manual_time", 1, 0)])
        self.assertEqual(bench_table.median_of(times, ("a", "case", "")), 10_000)

    def test_baseline_with_the_same_arguments_is_compared(self):
        runs = [run("a/case/8", 6, 0), run("a/baseline_x/8", 3, 0), run("a/baseline_x/64", 1, 0)]
        self.assertEqual(bench_table.ratios(bench_table.times_of(runs), ("a", "case", "8")),
                         [("baseline_x", 2.0, 2.0)])

    def test_ratio_of_the_shortest_times_takes_each_from_any_repetition(self):
        runs = [run("a/case", time, i) for i, time in enumerate((3, 6, 9))]
        runs += [run("a/baseline_x", time, i) for i, time in enumerate((6, 2, 6))]
        self.assertEqual(bench_table.ratios(bench_table.times_of(runs), ("a", "case", "")), [("baseline_x", 1.5, 1.5)])
        self.assertIn("1.50 (1.50) x", "\n".join(bench_table.table(bench_table.times_of(runs))))


if __name__ == "__main__":
    unittest.main()
