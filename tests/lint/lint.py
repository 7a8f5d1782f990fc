# SPDX-License-Identifier: Apache-2.0
"""What the lints share: their command line, and the reading of CMake's lists."""

import re
import sys

INCLUDE = re.compile(r"^include\(([\w/.-]+\.cmake)\)$", re.MULTILINE)


def text_of_lists(lists):
    """The text of a CMakeLists.txt without comments, with the files that it includes in their places."""

    def included(line):
        file = lists.parent / line[1]
        return text_of_lists(file) if file.is_file() else line[0]

    return INCLUDE.sub(included, re.sub(r"#.*", "", lists.read_text(encoding="utf-8")))


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
