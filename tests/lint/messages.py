#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every rule which a static_assert states has a program that breaks it.

usage: messages.py ROOT

A message is the text of a static_assert in include/ that begins with a rule, as "tablemap[K1]: ". A file of tests/compile/reject must
expect the message, or so much of its beginning that no other message begins alike. Messages about the compiler itself are left out: no
program can break them with a compiler that is supported.
"""

import pathlib
import re
import sys

import lint

MESSAGE = re.compile(r'"(tablemap\[\w+\]: (?:[^"\\]|\\.)*)"((?:\s*"(?:[^"\\]|\\.)*")*)')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
ABOUT_COMPILERS = "tablemap[M0]: this compiler spells "
EXPECT = re.compile(r"^\s*//\s*expect(?:-(?:gcc|clang))?:\s*(tablemap\[.*?)\s*$", re.MULTILINE)


def normalise(text):
    """One space for any white space, one kind of quotes."""
    return re.sub(r"\s+", " ", re.sub(r"[‘’`´“”\"]", "'", text)).strip()


def unescaped(literal):
    return re.sub(r"\\(.)", r"\1", literal)


def read_messages(root):
    """The place of each message, in the order of the files; a message that stands at two places has one of them."""
    places = {}
    for file in sorted((root / "include").rglob("*.hpp")):
        text = file.read_text(encoding="utf-8")
        for match in MESSAGE.finditer(text):
            parts = [match.group(1)] + LITERAL.findall(match.group(2))
            message = normalise(unescaped("".join(parts)))
            if not message.startswith(ABOUT_COMPILERS):
                places[message] = f"{file.relative_to(root).as_posix()}:{text.count(chr(10), 0, match.start()) + 1}"
    return places


def read_phrases(root):
    phrases = set()
    for file in (root / "tests/compile/reject").glob("*.cpp"):
        phrases.update(normalise(p) for p in EXPECT.findall(file.read_text(encoding="utf-8")))
    return phrases


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    messages, phrases = read_messages(root), read_phrases(root)
    expected = set()
    for phrase in phrases:
        meant = [m for m in messages if m.startswith(phrase)]
        if len(meant) == 1:
            expected.add(meant[0])
    return [f"{place}: no file of tests/compile/reject expects: {m}" for m, place in messages.items() if m not in expected]


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
