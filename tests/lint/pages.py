#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the C++ on every page is compiled by the examples, or that the page says why it is not, and that links between pages
lead somewhere.

usage: pages.py ROOT
"""

import importlib.util
import pathlib
import re
import sys

import lint

EXTRACT = pathlib.Path(__file__).parents[2] / "scripts" / "extract-example.py"
CPP = {"c", "c++", "cc", "cpp", "cxx", "h", "hpp"}
REASON = re.compile(r"<!-- not compiled: \S.* -->")


def load_extract():
    spec = importlib.util.spec_from_file_location("extract_example", EXTRACT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


extract = load_extract()


def fences(lines):
    """The fenced blocks: number of the first line in the fence, language, text, and the line before the fence."""
    found, mark = [], None
    for number, line in enumerate(lines, start=1):
        match = re.match(r"[ \t>]*(```+|~~~+)[ \t]*(\S*)", line)
        if mark is None and match:
            mark, first, language = match[1], number + 1, match[2].lower()
        elif mark is not None and match and match[1].startswith(mark) and not match[2]:
            found.append((first, language, "\n".join(lines[first - 1 : number - 1]), lines[first - 3] if first > 2 else ""))
            mark = None
    return found


def is_cpp(language, text):
    """Marked as C++, or C++ under no mark or another one."""
    return language in CPP or (language in {"", "text"} and re.search(r"#include|\btmap::|\btablemap::", text) is not None)


def compiled_pages(root):
    """The pages that the examples compile."""
    lists = root / "examples" / "CMakeLists.txt"
    text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8")) if lists.is_file() else ""
    return {page for call in re.findall(r"\btablemap_add_page_example\(\s*\w+\s+([^()]*)\)", text) for page in call.split()}


def uncompiled(text, is_compiled):
    """The lines where C++ begins that nothing compiles."""
    extracted = {line for line, _ in extract.blocks(text)} if is_compiled else set()
    return [first for first, language, code, before in fences(text.splitlines())
            if is_cpp(language, code) and first not in extracted and not REASON.fullmatch(before)]


def prose(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """The anchors of the headings, as GitHub makes them."""
    titles = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def broken_links(file, text):
    """The links to files that do not exist, or to headings that pages do not have."""
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        name, _, anchor = link.partition("#")
        target = file.parent / name if name else file
        if "://" not in link and (not target.exists() or anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            yield link


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root)
    compiled = compiled_pages(root)
    problems = []
    for file in sorted(root.rglob("*.md")):
        page = file.relative_to(root).as_posix()
        if page.startswith(("build/", ".")):
            continue
        text = file.read_text(encoding="utf-8")
        problems += [f"{page}:{line}: nothing compiles this C++: name the page in examples/CMakeLists.txt and begin the block with "
                     "```cpp, or put a line before it: <!-- not compiled: reason -->" for line in uncompiled(text, page in compiled)]
        problems += [f"{page}: the link {link} leads nowhere" for link in broken_links(file, text)]
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
