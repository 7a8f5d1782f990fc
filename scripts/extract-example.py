#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: extract-example.py PAGE OUTPUT

Writes the first C++ block of a Markdown page that is a whole program, so that the page cannot promise what does not compile.
"""
import pathlib
import re
import sys

page, output = map(pathlib.Path, sys.argv[1:])
blocks = re.findall(r"^```cpp\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
programs = [block for block in blocks if "int main(" in block]
if not programs:
    sys.exit(f"{page}: there is no C++ block with a main function")
output.write_text(programs[0], encoding="utf-8")
