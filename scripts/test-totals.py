#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up the JUnit files of several CTest runs.

usage: test-totals.py [--failed N] FILE...

Prints the skipped and the failed tests and, last, "N passed, N failed"; N of --failed counts as further failures. The exit
code is 0 only when something passed and nothing failed.
"""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as xml

# How CTest explains a test that ran and asked to be skipped. Any other reason for not running is a failure.
SKIPPED = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")


def outcome(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    message = case.find("skipped").get("message", "") if case.find("skipped") is not None else ""
    return "skipped" if status == "disabled" or message.startswith(SKIPPED) else "failed"


def read(file):
    """Pairs of test name and outcome; a file that is missing or damaged counts as one failure."""
    try:
        cases = xml.parse(file).getroot().iter("testcase")
        return [(f"{file.stem}: {case.get('name')}", outcome(case)) for case in cases]
    except (OSError, xml.ParseError) as error:
        return [(f"{file}: {error}", "failed")]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failed", type=int, default=0)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args(arguments)

    tests = [test for file in options.files for test in read(file)]
    for wanted in ("skipped", "failed"):
        for name, result in tests:
            if result == wanted:
                print(f"{wanted}: {name}")

    passed = sum(result == "passed" for _, result in tests)
    failed = sum(result == "failed" for _, result in tests) + options.failed
    if not passed:
        print("no test passed")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
