#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that sources that are compiled as one, those of a test program or of a folder of the library, declare no function of
the same name in unnamed namespaces: such functions would be overloads, and a call might take another one than its source means.
Other names that come twice do not compile.

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


def names_alone(text):
    return {name for sources in ALONE.findall(text) for name in sources.split()}


def batches(root):
    """What is compiled as one: its name, the folder of its list, and its sources relative to that."""
    for lists in sorted((root / "tests").rglob("CMakeLists.txt")):
        text = lint.text_of_lists(lists)
        alone = names_alone(text)
        for program, sources in PROGRAM.findall(text):
            yield program, lists.parent, [s for s in dict.fromkeys(SOURCE.findall(sources)) if s not in alone]
    for lists in (root / "CMakeLists.txt", root / "codegen" / "CMakeLists.txt"):
        alone = names_alone(lint.text_of_lists(lists)) if lists.is_file() else set()
        top = root / "src" if lists.parent == root else lists.parent
        for folder in sorted({source.parent for source in top.rglob("*.cpp")}):
            sources = [source.relative_to(lists.parent).as_posix() for source in sorted(folder.glob("*.cpp"))]
            yield folder.relative_to(root).as_posix(), lists.parent, [s for s in sources if s not in alone]


def check(root):
    """The problems of the tree at `root`, one line each."""
    problems = []
    for batch, folder, sources in batches(pathlib.Path(root)):
        holders = collections.defaultdict(list)
        for name in sources:
            if (source := folder / name).is_file():
                for function in functions(source.read_text(encoding="utf-8")):
                    holders[function].append(name)
        for function, names in sorted(holders.items()):
            if len(names) > 1:
                problems.append(f"{batch}: '{function}' is in {' and '.join(names)}: rename one, or compile it alone")
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
