#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file is named in its CMakeLists.txt, so that none is silently left out of the build.

usage: sources.py ROOT
"""

import pathlib
import re
import sys

# Folder of sources, folder of the CMakeLists.txt that names them by their path from there.
OWNERS = {
    "src": ".",
    "tests/unit": "tests",
    "tests/contract": "tests",
    "tests/support": "tests",
    "bench": "bench",
    "examples": "examples",
    "codegen": "codegen",
    "tests/codegen": "tests/codegen",
}


def is_named(path, text):
    """Named in full, or, as examples are, by the stem that a function completes."""
    if re.search(rf"(?<![\w/.-]){re.escape(path)}(?![\w/.-])", text):
        return True
    return re.search(rf"\btablemap_add_example\({re.escape(path.removesuffix('.cpp'))}[\s)]", text) is not None


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    problems = []
    for folder, owner in OWNERS.items():
        lists = root / owner / "CMakeLists.txt"
        text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8")) if lists.is_file() else ""
        for file in sorted((root / folder).rglob("*.cpp")):
            if not is_named(file.relative_to(root / owner).as_posix(), text):
                problems.append(f"{file.relative_to(root)}: not named in {lists.relative_to(root)}")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check(arguments[0])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
