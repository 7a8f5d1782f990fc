#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: console.py PAGE PROGRAM RUN-FOLDER [--store CONNECTION-STRING]

Runs what a page shows as typed into a shell: the lines after "$ " in its blocks marked `console`, one after the other in a folder
that is emptied first and given the data beside the page, *.csv. What they print must be what stands below them, where "…" is any
text within a line. A command fails exactly if its last line of output begins with the program's name and a colon. With --store the
program gets this option each time, and the blocks marked `console embedded`, which are too much for a store that is far away, are
left out.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys


def commands(page, embedded=True):
    """What is typed, and what is to be printed."""
    found = []
    marks = "console(?: embedded)?" if embedded else "console"
    for block in re.findall(rf"^```{marks}\n(.*?)^```$", page, re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return found


def matches(printed, expected):
    """True if each line is what it should be."""
    pattern = [".*".join(re.escape(part) for part in line.split("…")) for line in expected]
    return len(printed) == len(expected) and all(re.fullmatch(p, text) for p, text in zip(pattern, printed))


def prepare(folder, page):
    """Empties the folder, and puts the data into it that stand beside the page."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for data in glob.glob(os.path.join(os.path.dirname(page), "*.csv")):
        shutil.copy(data, folder)


def is_to_fail(expected, program):
    return bool(expected) and expected[-1].startswith(program + ": ")


def run(command, folder, program, store):
    # A function, so that loops, pipes and jobs in the background call the program as well.
    function = f'{os.path.basename(program)}() {{ "$PROGRAM" "$@" ${{STORE:+--store "$STORE"}}; }}'
    environment = dict(os.environ, PROGRAM=program, STORE=store or "")
    return subprocess.run(["bash", "-c", f"{function}\n{command}"], cwd=folder, env=environment, text=True, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def check(page, program, folder, store):
    """What differs, as text; empty if nothing does."""
    for command, expected in commands(page, embedded=not store):
        done = run(command, folder, program, store)
        print(f"$ {command}\n{done.stdout}", end="", flush=True)
        if not matches(done.stdout.splitlines(), expected):
            return "the page shows this instead:\n" + "\n".join(expected)
        if (done.returncode != 0) != is_to_fail(expected, os.path.basename(program)):
            return f"it ended with {done.returncode}"
    return ""


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    for name in ("page", "program", "folder"):
        options.add_argument(name)
    options.add_argument("--store")
    args = options.parse_args()
    prepare(args.folder, args.page)
    with open(args.page, encoding="utf-8") as f:
        page = f.read()
    if not commands(page):
        return f"{args.page} shows no command"
    return check(page, os.path.abspath(args.program), args.folder, args.store)


if __name__ == "__main__":
    sys.exit(main() or 0)
