#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: extract-example.py [--all | --json] PAGE OUTPUT

Writes the first C++ block of a Markdown page that is a whole program, so that the page cannot promise what does not compile.
With --all it writes all of the page's C++ blocks, one after the other: together they are the program. With --json it writes
the first block of JSON.
"""
import pathlib
import re
import sys

arguments = sys.argv[1:]
whole_page = arguments[:1] == ["--all"]
json = arguments[:1] == ["--json"]
page, output = map(pathlib.Path, arguments[whole_page or json :])
language = "json" if json else "cpp"
blocks = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
if json:
    if not blocks:
        sys.exit(f"{page}: there is no block of JSON")
    output.write_text(blocks[0], encoding="utf-8")
    sys.exit()
programs = [block for block in blocks if "int main(" in block]
if not programs:
    sys.exit(f"{page}: there is no C++ block with a main function")
output.write_text("\n".join(blocks) if whole_page else programs[0], encoding="utf-8")
