# SPDX-License-Identifier: Apache-2.0
"""The command line that the lints share."""

import sys


def run(check, usage, arguments=None):
    """Prints the problems of the tree that the one argument names. Returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 1:
        print(usage, file=sys.stderr)
        return 2
    problems = check(arguments[0])
    for problem in problems:
        print(problem)
    return 1 if problems else 0
