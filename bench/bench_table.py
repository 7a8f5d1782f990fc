#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of Google Benchmark results: the median CPU time of each case and its ratios to each baseline of its group.
Of cases that measure their time themselves (manual_time), it is that time.

usage: bench_table.py [--merge OUT] FILE...

A benchmark is named group/case or group/case/argument...; group/baseline_* is a baseline. A case is compared with the
baselines that have its arguments, or with those that have none. The first ratio is the median of the ratios of each run of a
program, in which a case and its baselines follow each other: a slow moment of the machine hits both. The second one, in
brackets, is that of the shortest times, which a machine that others use gives when they leave it alone. --merge writes the
benchmarks of all files into one.
"""

import argparse
import collections
import json
import pathlib
import re
import statistics
import sys

# Parts of a name that Google Benchmark appends and that say how, not what, was measured.
MODIFIER = re.compile(r"(iterations|repeats|min_time|min_warmup_time|threads):.*|real_time|process_time|manual_time")
NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def merge(contents):
    """The contents of several results as one, with the context of the first. What comes again is another repetition."""
    merged = {"context": contents[0]["context"], "benchmarks": []}
    seen = collections.Counter()
    for run in (run for content in contents for run in content["benchmarks"]):
        merged["benchmarks"].append({**run, "repetition_index": seen[run["name"]]})
        seen[run["name"]] += 1
    return merged


def times_of(benchmarks):
    """Nanoseconds by (group, case, arguments), each by repetition."""
    found = {}
    for run in benchmarks:
        if run.get("error_occurred"):
            print(f"{run['name']}: {run.get('error_message', 'failed')}", file=sys.stderr)
            continue
        if run.get("run_type") == "aggregate":
            continue
        name = run.get("run_name", run["name"])
        parts = [part for part in name.split("/") if not MODIFIER.fullmatch(part)]
        key = (parts[0], parts[1] if len(parts) > 1 else "", "/".join(parts[2:]))
        time = run["real_time" if "manual_time" in name.split("/") else "cpu_time"]
        found.setdefault(key, {})[run.get("repetition_index", 0)] = time * NANOSECONDS[run.get("time_unit", "ns")]
    return found


def median_of(times, key):
    return statistics.median(times[key].values())


def is_baseline(case):
    return case.startswith("baseline_")


def ratio(case, baseline):
    """The median of the ratios of the repetitions that both have; nothing if there is none."""
    both = [case[i] / baseline[i] for i in case.keys() & baseline.keys() if baseline[i] > 0]
    return statistics.median(both) if both else None


def ratio_of_shortest(case, baseline):
    return min(case.values()) / min(baseline.values())


def ratios(times, key):
    """The baselines of one case, each with the median ratio and that of the shortest times."""
    group, case, arguments = key
    if is_baseline(case):
        return []
    found = [
        (other, ratio(times[key], by_repetition), ratio_of_shortest(times[key], by_repetition))
        for (other_group, other, other_arguments), by_repetition in times.items()
        if other_group == group and is_baseline(other) and other_arguments in (arguments, "")
    ]
    return [one for one in found if one[1] is not None]


def readable(nanoseconds):
    for unit in ("s", "ms", "us"):
        if nanoseconds >= NANOSECONDS[unit]:
            return f"{nanoseconds / NANOSECONDS[unit]:.3g} {unit}" if nanoseconds < 1e12 else f"{nanoseconds / 1e9:.0f} s"
    return f"{nanoseconds:.3g} ns"


def table(times):
    rows = [("benchmark", "median time", "ratio to")]
    # Interleaved runs come in any order: by group and arguments, cases before their baselines.
    for key in sorted(times, key=lambda key: (key[0], key[2], is_baseline(key[1]), key[1])):
        compared = ", ".join(f"{by:.2f} ({best:.2f}) {name.removeprefix('baseline_')}" for name, by, best in sorted(ratios(times, key)))
        rows.append(("/".join(part for part in key if part), readable(median_of(times, key)), compared))

    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, time, compared in rows:
        yield f"{name:<{widths[0]}}  {time:>{widths[1]}}  {compared}".rstrip()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--merge", type=pathlib.Path, metavar="OUT")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args(arguments)

    content = merge([json.loads(file.read_text(encoding="utf-8")) for file in options.files])
    if options.merge:
        options.merge.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print("\n".join(table(times_of(content["benchmarks"]))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
