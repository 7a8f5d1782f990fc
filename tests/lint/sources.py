#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file is named in its CMakeLists.txt, or in a file that this includes, so that none is silently left
out of the build; and that a source with compile options of its own includes no third-party library: its classes may have other
members where a source is optimised, and the linker keeps one of both.

usage: sources.py ROOT
"""

import pathlib
import re
import sys

import layers
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


OWN_OPTIONS = re.compile(r"set_source_files_properties\(([^)]*?)\bPROPERTIES\b[^)]*\bCOMPILE_OPTIONS\b")


def third_party_headers(path, root, seen):
    """The headers of third-party libraries that the source at `path` includes, by way of the project's own ones too."""
    file = root / path
    if path in seen or not file.is_file():
        return
    seen.add(path)
    source = layers.Source(path, "", False, ())
    for bracketed, quoted in layers.INCLUDE.findall(layers.without_comments(file.read_text(encoding="utf-8"))):
        header = bracketed or quoted
        if own := layers.resolve(root, source, header):
            yield from third_party_headers(own, root, seen)
        elif any(re.fullmatch(p.headers, header) for p in layers.PLACES):
            yield header


def foreign_beside_own_options(root):
    lists = root / "CMakeLists.txt"
    for named in OWN_OPTIONS.findall(lint.text_of_lists(lists) if lists.is_file() else ""):
        for path in named.split():
            for header in third_party_headers(path, root, set()):
                yield f"{path}: has compile options of its own and includes <{header}>"


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root).resolve()
    problems = list(foreign_beside_own_options(root))
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.cpp")):
            lists = lists_of(file, root)
            text = lint.text_of_lists(lists) if lists.is_file() else ""
            if not is_named(file.relative_to(lists.parent).as_posix(), text):
                problems.append(f"{file.relative_to(root)}: not named in {lists.relative_to(root)}")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
