#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: extract-example.py [--json] OUTPUT PAGE...

Writes the C++ blocks of Markdown pages, in their order, as one program, so that no page shows what does not compile. A comment
that begins with a line `<!-- cpp` holds C++ that the program needs and the reader does not. A block that follows the line
`<!-- not compiled: reason -->` is left out. With --json the first block of JSON is written instead.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^(?P<skipped><!-- not compiled: \S.* -->\n)?```cpp\n(?P<shown>.*?)^```$|^<!-- cpp\n(?P<hidden>.*?)^-->$",
                   re.MULTILINE | re.DOTALL)


def blocks(text):
    """The C++ of a page that is compiled, each block with the number of its first line."""
    found = []
    for match in BLOCK.finditer(text):
        if match["skipped"]:
            continue
        group = "shown" if match["shown"] is not None else "hidden"
        found.append((text.count("\n", 0, match.start(group)) + 1, match[group]))
    return found


def program(pages):
    """The program that the pages make. Its lines have the numbers of the pages, for the compiler's messages."""
    parts = [f"// {page}\n#line {line}\n{code}" for page in pages for line, code in blocks(page.read_text(encoding="utf-8"))]
    if not any("int main(" in part for part in parts):
        sys.exit(f"{pages[-1]}: there is no main function")
    return "".join(parts)


def json(page):
    found = re.search(r"^```json\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return found[1] if found else sys.exit(f"{page}: there is no block of JSON")


def main(arguments):
    wants_json = arguments[:1] == ["--json"]
    output, *pages = map(pathlib.Path, arguments[wants_json:])
    output.write_text(json(pages[0]) if wants_json else program(pages), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
