#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up the JUnit files of several CTest runs.

usage: test-totals.py [--failed N] FILE...

Prints the skipped tests with their reasons and the failed tests and, last, "N passed, N failed"; N of --failed counts as
further failures. A test that runs many cases of GoogleTest counts as all that passed. The exit code is 0 only when
something passed and nothing failed.
"""

import argparse
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

# How CTest explains a test that ran and asked to be skipped. Any other reason for not running is a failure.
SKIPPED = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")


CASES_PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.", re.MULTILINE)
CASES_FAILED = re.compile(r"^ *(\d+) FAILED TESTS?$", re.MULTILINE)
CASE_SKIPPED = re.compile(r": Skipped\n(.*)$", re.MULTILINE)


def outcome(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    message = case.find("skipped").get("message", "") if case.find("skipped") is not None else ""
    return "skipped" if status == "disabled" or message.startswith(SKIPPED) else "failed"


def results(name, case):
    """Triples of name, outcome and number of cases."""
    what = outcome(case)
    output = case.findtext("system-out") or ""
    skipped = [(f"{name}: {reason}", "skipped", 1) for reason in CASE_SKIPPED.findall(output)]
    if what == "skipped":
        return skipped or [(name, what, 1)]
    passed = sum(map(int, CASES_PASSED.findall(output)))
    if what == "failed":
        return [(name, what, max(1, sum(map(int, CASES_FAILED.findall(output))))), (name, "passed", passed), *skipped]
    if not passed and not skipped:  # no GoogleTest, or one whose cases are expected to fail
        return [(name, what, 1)]
    return [(name, what, passed), *skipped]


def read(file):
    """The results in a file; one that is missing or damaged counts as one failure."""
    try:
        cases = xml.parse(file).getroot().iter("testcase")
        return [result for case in cases for result in results(f"{file.stem}: {case.get('name')}", case)]
    except (OSError, xml.ParseError) as error:
        return [(f"{file}: {error}", "failed", 1)]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failed", type=int, default=0)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args(arguments)

    tests = [test for file in options.files for test in read(file)]
    for wanted in ("skipped", "failed"):
        names = collections.Counter(name for name, result, _ in tests if result == wanted)
        for name, times in names.items():
            print(f"{wanted}: {name}" + (f" ({times} cases)" if times > 1 else ""))

    passed = sum(count for _, result, count in tests if result == "passed")
    failed = sum(count for _, result, count in tests if result == "failed") + options.failed
    if not passed:
        print("no test passed")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
