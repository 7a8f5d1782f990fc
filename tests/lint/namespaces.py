#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the library's declarations are in the inline namespace of its version.

version.hpp gives the version; 0.1 has the namespace v0_1. A header without it, or with that of the version before, would
link with a library of another version.

usage: namespaces.py ROOT
"""

import pathlib
import re
import sys

import lint

OPENING = re.compile(r"^\s*(?:inline\s+)?namespace tablemap\b(?P<rest>[^{;=]*)\{")


def namespace_of_version(root):
    text = (root / "include/tablemap/version.hpp").read_text(encoding="utf-8")
    number = {part: re.search(rf"#define TABLEMAP_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR")}
    return f"v{number['MAJOR']}_{number['MINOR']}"


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    wanted = f"::inline {namespace_of_version(root)}"
    problems = []
    for folder in ("include", "src"):
        for file in sorted(f for f in (root / folder).rglob("*") if f.suffix in (".hpp", ".cpp")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                found = OPENING.match(line)
                if found and not re.match(rf"{re.escape(wanted)}(::|\s)", found["rest"]):
                    problems.append(f"{file.relative_to(root)}:{number}: open namespace tablemap{wanted}")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
