#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that sources of a test program that are compiled as one declare no function of the same name in unnamed namespaces:
such functions would be overloads, and a call might take another one than its source means. Other names that come twice do
not compile.

usage: batches.py ROOT
"""

import collections
import pathlib
import re
import sys

import lint

PROGRAM = re.compile(r"\b(?:tablemap_add_test|add_library|add_executable)\(\s*(?:NAME )?(\S+)([^)]*)\)")
ALONE = re.compile(r"\btablemap_compile_alone\(([^)]*)\)")
SOURCE = re.compile(r"[\w/.-]+\.cpp")
OPENS = re.compile(r"(?:inline )?namespace(?: ([\w: ]+))? \{")
# At the beginning of a line: what precedes the name is its type.
FUNCTION = re.compile(
    r"(?:template <[^(]*> |\[\[\w+\]\] )*(?!TEST|INSTANTIATE|TYPED|MATCHER|class |struct |using |enum |friend )"
    r"[A-Za-z_][^=(]*?[ &*>]([a-z_]\w*)\("
)


def functions(text):
    """The names of functions in the unnamed namespaces of a source that clang-format laid out."""
    found, spaces = set(), []
    for line in text.split("\n"):
        if opens := OPENS.fullmatch(line):
            spaces.append(opens[1])
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        elif spaces and spaces[-1] is None and "operator" not in line and (function := FUNCTION.match(line)):
            found.add(function[1])
    return found


def check(root):
    """The problems of the tree at `root`, one line each."""
    problems = []
    for lists in sorted((pathlib.Path(root) / "tests").rglob("CMakeLists.txt")):
        text = lint.text_of_lists(lists)
        alone = {name for sources in ALONE.findall(text) for name in sources.split()}
        for program, sources in PROGRAM.findall(text):
            holders = collections.defaultdict(list)
            for name in dict.fromkeys(SOURCE.findall(sources)):
                if name not in alone and (source := lists.parent / name).is_file():
                    for function in functions(source.read_text(encoding="utf-8")):
                        holders[function].append(name)
            for function, names in sorted(holders.items()):
                if len(names) > 1:
                    problems.append(f"{program}: '{function}' is in {' and '.join(names)}: rename one, or compile it alone")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
