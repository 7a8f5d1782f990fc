#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that coroutines have no form that g++ 12 compiles wrongly, and none whose captures are gone when it goes on.

g++ 12 destroys aggregate temporaries in a statement with co_await twice. So each co_await is the whole of an expression
statement, of an initialiser, of the right side of an assignment or of a condition, or is what is returned; and what it
awaits is a call whose arguments are names. A coroutine is no lambda that captures: the captures belong to the lambda,
which may be gone.

usage: coroutines.py ROOT
"""

import pathlib
import re
import sys

import lint

# The same number of lines, so that places stay right.
BLANKED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
CAPTURING = re.compile(r"\[[^\]\[]+\]\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*(?:mutable\s*)?->\s*(?:\w+::)*task\b")
HEAD = re.compile(r"\s*(?:else\b|(?:if|while|for|switch)\s*(?:constexpr\s*)?(?=\())")

FAULTS = {
    "a conditional operator": re.compile(r"\?"),
    "braces": re.compile(r"[{}]"),
    "a lambda": re.compile(r"\[[^\]]*\]\s*\("),
    "&& or || beside it": re.compile(r"&&|\|\|"),
    "a second co_await": re.compile(r"co_await.*co_await", re.DOTALL),
    "co_await in the arguments of a call": re.compile(r"[\w>]\s*\([^()]*co_await"),
}


def end_of_parentheses(code, at):
    """The place after the parenthesis that closes the one at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place + 1
    return len(code)


def statement_around(code, at):
    """The statement, or the condition, that the word at `at` is in."""
    begin = max(code.rfind(c, 0, at) for c in ";{}") + 1
    depth = 0
    for end in range(at, len(code)):
        depth += (code[end] in "([{") - (code[end] in ")]}")
        if depth < 0 or (code[end] == ";" and depth == 0):
            break
    while head := HEAD.match(code, begin, at):
        begin = head.end()
        if code[begin] != "(":
            continue
        after = end_of_parentheses(code, begin)
        if after > at:
            return code[begin + 1 : end]
        begin = after
    return code[begin:end]


def faults_in(text):
    """Lines and descriptions of what is wrong in a source."""
    code = BLANKED.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    for found in re.finditer(r"\bco_await\b", code):
        line = code.count("\n", 0, found.start()) + 1
        statement = statement_around(code, found.start())
        for name, pattern in FAULTS.items():
            if pattern.search(statement):
                yield line, f"co_await in a statement with {name}: name that before"
    for found in CAPTURING.finditer(code):
        yield code.count("\n", 0, found.start()) + 1, "a coroutine is a lambda that captures: make it a function"


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    return [
        f"{file.relative_to(root)}:{line}: {what}"
        for folder in ("include", "src")
        for file in sorted(f for f in (root / folder).rglob("*") if f.suffix in (".hpp", ".cpp"))
        for line, what in faults_in(file.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
