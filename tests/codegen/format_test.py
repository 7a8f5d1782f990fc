#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that generated headers are laid out as the project lays out its own.

usage: format_test.py CLANG_FORMAT STYLE FOLDER
"""

import difflib
import pathlib
import subprocess
import sys


def main(program, style, folder):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if "version 14." not in version:
        print(f"the layout is that of clang-format 14, and this is {version}")
        return 77
    problems = 0
    for file in sorted(pathlib.Path(folder).glob("*.expected")):
        text = file.read_text(encoding="utf-8")
        command = [program, f"--style=file:{style}", "--assume-filename=x.hpp"]
        laid_out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        if laid_out != text:
            problems += 1
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), laid_out.splitlines(True), file.name, "formatted"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
