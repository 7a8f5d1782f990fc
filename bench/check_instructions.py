#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the instructions and allocations of operations with the numbers that are checked in.

usage: check_instructions.py PROGRAM NUMBERS.json [--write] [--compiler COMPILER]

PROGRAM is bench/instructions.cpp. Seconds depend on the machine; the instructions that callgrind counts hardly do. More than the
checked-in number by over 3 % fails, and the functions that grew are named; fewer by over 10 % fails too, so that the numbers
follow. One allocation more fails. Of code by hand, whose cost is nobody's fault, over 10 % more or fewer fail, so that the ratios
to it hold. With --write the numbers are set to what was counted. Other versions of the compiler and of the libraries count
differently: then the check is skipped, which is exit code 77.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FUNCTIONS = 15
BY_HAND = "_by_hand"
# Which code these choose depends on the processor, not on this project. For simdjson, the parser of the code by hand, it is the
# fastest that valgrind knows.
ENVIRONMENT = {"SIMDJSON_FORCE_IMPLEMENTATION": "haswell", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2_Usable,-AVX2"}
FUNCTION = re.compile(r"^\s*([\d,]+)\s+\([^)]*\)\s+(\S.*)$")


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def versions(compiler):
    def package(name):
        return run(["dpkg-query", "-W", "-f=${Version}", name]).split("-")[0]

    return {
        compiler: run([compiler, "-dumpfullversion", "-dumpversion"]).strip(),
        "libc": package("libc6"),
        "sqlite": package("libsqlite3-0"),
    }


def name_of(place):
    """What callgrind says of a function, without its file, its object and its arguments."""
    name = re.sub(r" \[[^\]]*\]$", "", place)
    name = name.split(":", 1)[1] if ":" in name else name
    return name.replace("(anonymous namespace)::", "").replace("v0_1::", "").split("(")[0].strip()[:100]


def repetitions_of(operation):
    """More for an operation on one row: a few inserts split a page, and where they begin must not matter."""
    return 20 if "_100_" in operation else 100


def functions_of(output, repetitions):
    found = {}
    for line in run(["callgrind_annotate", "--threshold=100", str(output)]).splitlines():
        if (match := FUNCTION.match(line)) and "PROGRAM TOTALS" not in line:
            name = name_of(match[2])
            found[name] = found.get(name, 0) + int(match[1].replace(",", "")) // repetitions
    return dict(sorted(found.items(), key=lambda item: -item[1])[:FUNCTIONS])


def counted(program, operation, folder):
    output = pathlib.Path(folder) / "callgrind.out"
    repetitions = repetitions_of(operation)
    allocations = run(
        [
            "valgrind",
            "--quiet",
            "--tool=callgrind",
            "--collect-atstart=no",
            "--toggle-collect=measured",
            f"--callgrind-out-file={output}",
            program,
            operation,
            str(repetitions),
        ],
        env=ENVIRONMENT | {"PATH": "/usr/bin:/bin"},
    )
    total = int(re.search(r"^(?:totals|summary): (\d+)", output.read_text(encoding="utf-8"), re.M)[1])
    return {
        "instructions": total // repetitions,
        "allocations": round(int(allocations) / repetitions, 1),
        "functions": functions_of(output, repetitions),
    }


def growth(before, now):
    """The functions that account for most of a growth."""
    grown = {name: count - before.get(name, 0) for name, count in now.items()}
    most = sorted(grown.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{name} +{count}" for name, count in most if count > 0)


def problems(name, budget, found):
    allowed, count = budget["instructions"], found["instructions"]
    if name.endswith(BY_HAND):
        if abs(count - allowed) > allowed * 0.1:
            yield f"{name}: {count} instructions, {allowed} before; take the number over"
        return
    if count > allowed * 1.03:
        yield f"{name}: {count} instructions, {allowed} before; {growth(budget['functions'], found['functions'])}"
    elif count < allowed * 0.9:
        yield f"{name}: only {count} instructions; lower the number from {allowed}"
    if found["allocations"] > budget["allocations"] + 0.5:
        yield f"{name}: {found['allocations']} allocations, {budget['allocations']} before"


def described(name, found):
    counts, by_hand = found[name], found.get(name + BY_HAND)
    compared = f", {counts['instructions'] / by_hand['instructions']:.2f} times those by hand" if by_hand else ""
    return f"{name}: {counts['instructions']} instructions{compared}, {counts['allocations']} allocations"


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("numbers", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--compiler", default="g++", help="that of the program")
    options = parser.parse_args(arguments)

    here = versions(options.compiler)
    if not options.write:
        checked_in = json.loads(options.numbers.read_text(encoding="utf-8"))
        if checked_in["versions"] != here:
            print(f"the numbers are those of {checked_in['versions']}, and this is {here}")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        found = {name: counted(options.program, name, folder) for name in run([options.program, "--list"]).split()}
    print("\n".join(described(name, found) for name in found))
    if options.write:
        text = json.dumps({"versions": here, "operations": found}, indent=4, ensure_ascii=False)
        options.numbers.write_text(text + "\n", encoding="utf-8")
        return 0
    failed = []
    for name, counts in found.items():
        failed += problems(name, checked_in["operations"][name], counts)
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
