#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file has the licence line exactly once.

usage: licence.py ROOT
"""

import os
import pathlib
import re
import sys

import lint

SUFFIXES = {".hpp", ".cpp", ".h", ".ipp", ".cmake", ".py", ".sh", ".js", ".mjs"}
NAMES = {"CMakeLists.txt"}
# Programs without a suffix.
SCRIPT_FOLDERS = {"scripts", ".ci"}
SKIPPED = {"build", "node_modules", "__pycache__"}

# In two pieces, so that this line is not taken for the licence line.
LINE = re.compile(r"^\s*(//|#)\s*SPDX-License-Identifier" + r": Apache-2\.0\s*$", re.MULTILINE)


def needs_line(path):
    return path.suffix in SUFFIXES or path.name in NAMES or (not path.suffix and path.parent.name in SCRIPT_FOLDERS)


def source_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and (not f.startswith(".") or f in SCRIPT_FOLDERS))
        yield from (path for path in (pathlib.Path(folder) / name for name in sorted(files)) if needs_line(path))


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    problems = []
    for path in source_files(root):
        found = len(LINE.findall(path.read_text(encoding="utf-8")))
        if found != 1:
            problems.append(f"{path.relative_to(root)}: has {found} lines 'SPDX-License-Identifier" + ": Apache-2.0', needs 1")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
