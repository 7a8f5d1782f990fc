#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the form of comments: the markers of public headers, the first word of each comment, and the length of lines.

usage: comments.py ROOT

In public headers the markers stand in one order: \\pre, \\return, \\throws, \\par with the titles Round trips, Cost, Thread safety,
Lifetime, Source; what they state is not stated in prose. A comment does not begin with a fragment such as "How rows are read": it names
the thing, "Options of reading rows". No line is longer than 120 characters, but for string literals, addresses, and the messages that
programs of tests/compile/reject expect.
"""

import pathlib
import re
import sys

import lint

FOLDERS = ["include", "src", "codegen", "tests", "examples", "bench"]
ORDER = ["\\pre", "\\return", "\\throws", "\\par Round trips", "\\par Cost", "\\par Thread safety", "\\par Lifetime", "\\par Source"]
MARKER = re.compile(r"\\(?:pre|returns?|throws?|exception|par)\b")
PROSE = re.compile(r"\b(Errors(?: here)?|Preconditions?|Round trips|Thread safety|Cost):")
FRAGMENT = re.compile(r"(?:What|Which|How|Whether|Where|Who)\b")
COMMENT = re.compile(r"\s*(///?<?)(?!/)\s*(.*?)\s*$")
RAW_STRING = re.compile(r'R"([^\s()\\]*)\(.*?\)\1"', re.DOTALL)
ADDRESS = re.compile(r"\S*://\S*")
EXPECTED_MESSAGE = re.compile(r"// expect(-\w+)?: ")
LONGEST = 120


def lines_of(text):
    """The lines, with raw strings emptied: they may hold anything. Each keeps its quotes and its number."""
    return RAW_STRING.sub(lambda match: '""' + "\n" * match[0].count("\n") + '""', text).split("\n")


def blocks(lines):
    """The comments: number of the first line, kind of comment, and the texts of its lines. A licence is no part of one."""
    found, kind = [], None
    for number, line in enumerate(lines, start=1):
        match = COMMENT.fullmatch(line)
        if match is None or match[2].startswith("SPDX-"):
            kind = None
        elif match[1] == kind:
            found[-1][2].append(match[2])
        else:
            kind = match[1]
            found.append((number, kind, [match[2]]))
    return found


def misplaced_markers(first, texts):
    """The markers that are unknown or stand behind a later one, each with its line."""
    latest = 0
    for number, text in enumerate(texts, start=first):
        match = MARKER.match(text)
        if match is None:
            continue
        marker = text if match[0] == "\\par" else match[0]
        if marker not in ORDER:
            yield number, f"{marker} is none of: {', '.join(ORDER)}"
        elif ORDER.index(marker) < latest:
            yield number, f"{marker} belongs before {ORDER[latest]}"
        else:
            latest = ORDER.index(marker)


def prose_forms(first, texts):
    for number, text in enumerate(texts, start=first):
        for match in PROSE.finditer(text):
            yield number, f'"{match[0]}" in prose: use a marker, such as \\throws or \\par'


def is_question(texts):
    sentence = re.match(r".*?[.?!](?=\s|$)", " ".join(texts))
    return sentence is not None and sentence[0].endswith("?")


def may_be_long(line):
    """True if the line cannot be wrapped: a string literal in it, an address alone too long, or an expected message."""
    comment = COMMENT.fullmatch(line)
    if comment is None:
        return '"' in line
    if EXPECTED_MESSAGE.match(line):
        return True
    return any(comment.start(2) + len(address) > LONGEST for address in ADDRESS.findall(line))


def check_file(text, is_public):
    """The problems of a file, each with its line."""
    lines = lines_of(text)
    for first, kind, texts in blocks(lines):
        if match := FRAGMENT.match(texts[0]):
            if not is_question(texts):
                yield first, f'the comment begins with "{match[0]}": begin with a noun or a verb'
        if is_public and kind.startswith("///"):
            yield from misplaced_markers(first, texts)
            yield from prose_forms(first, texts)
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST and not may_be_long(line):
            yield number, f"the line has {len(line)} characters: wrap it at {LONGEST}"


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    problems = []
    for file in sorted(file for folder in FOLDERS for file in (root / folder).rglob("*.[hc]pp")):
        path = file.relative_to(root).as_posix()
        is_public = path.startswith("include/tablemap/") and not path.startswith("include/tablemap/detail/")
        found = sorted(check_file(file.read_text(encoding="utf-8"), is_public))
        problems += [f"{path}:{line}: {message}" for line, message in found]
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
