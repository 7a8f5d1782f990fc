#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file is named in its CMakeLists.txt, or in a file that this includes, so that none is silently left
out of the build.

usage: sources.py ROOT
"""

import pathlib
import re
import sys

import lint

# Folders of sources; what names those of a folder is the next CMakeLists.txt in it or above it.
FOLDERS = ["src", "bench", "examples", "codegen"] + [
    f"tests/{kind}"
    for kind in ("access", "codegen", "concurrency", "contract", "docs", "faults", "interop", "property", "support", "unit")
]


def lists_of(file, root):
    """The CMakeLists.txt that is to name the file."""
    return next((f / "CMakeLists.txt" for f in file.parents if (f / "CMakeLists.txt").is_file()), root / "CMakeLists.txt")


def is_named(path, text):
    return re.search(rf"(?<![\w/.-]){re.escape(path)}(?![\w/.-])", text) is not None


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    problems = []
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.cpp")):
            lists = lists_of(file, root)
            text = lint.text_of_lists(lists) if lists.is_file() else ""
            if not is_named(file.relative_to(lists.parent).as_posix(), text):
                problems.append(f"{file.relative_to(root)}: not named in {lists.relative_to(root)}")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
