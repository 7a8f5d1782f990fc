#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what tablemap costs to compile with the numbers that are checked in.

usage: check_cost.py --compiler PROGRAM --flags FILE BUDGET.json [--write]

FILE holds the compiler's options.

Seconds depend on the machine, so this counts what does not: the lines of a header after preprocessing, the classes that the
compiler makes of its templates, those that the first mapped struct adds, and the functions and tables that each mapped struct
adds to an object file. More than the budget, by over 2 %, fails; less, by over 10 %, fails too,
so that the budget follows. With --write the budget is set to what was counted. Other versions of the compiler and of the
packages count differently: then the check is skipped, which is exit code 77.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HEADERS = ["tablemap/tablemap.hpp", "tablemap/table/table.hpp"]

STRUCT = """
struct row_{n} {{
    std::string group;
    std::int32_t id = 0;
    std::string name, mail, city;
    std::int64_t total = 0;
    double score = 0;
    bool active = false;
    std::optional<std::string> notes;
    tablemap::ticks since;
}};
template <> struct tablemap::mapping<row_{n}> {{
    static constexpr auto partition_key = tablemap::key(tablemap::part<&row_{n}::group>);
    static constexpr auto row_key = tablemap::key("row_{n}_", tablemap::part<&row_{n}::id>.width(6));
}};
bool use_{n}(tablemap::store_ptr const& store, row_{n} const& row) {{
    tablemap::table<row_{n}> rows{{store, "rows"}};
    rows.insert(row);
    return rows.find(row.group, row.id).has_value();
}}
"""


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lines_of(compiler, header, folder):
    source = folder / "header.cpp"
    source.write_text(f"#include <{header}>\n", encoding="utf-8")
    return sum(1 for line in run([*compiler, "-E", "-P", str(source)]).splitlines() if line.strip())


def write_structs(source, structs):
    text = "#include <tablemap/table/table.hpp>\n" + "".join(STRUCT.format(n=n) for n in range(structs))
    source.write_text(text, encoding="utf-8")


def classes_of(compiler, structs, folder):
    source, dump = folder / "structs.cpp", folder / "classes"
    write_structs(source, structs)
    run([*compiler, "-fsyntax-only", f"-fdump-lang-class={dump}", str(source)])
    return sum(1 for line in dump.read_text(encoding="utf-8").splitlines() if line.startswith("Class "))


def definitions_of(compiler, structs, folder):
    source, target = folder / "structs.cpp", folder / "structs.o"
    write_structs(source, structs)
    run([*compiler, "-O0", "-c", str(source), "-o", str(target)])
    return len(run(["nm", "--defined-only", str(target)]).splitlines())


def counted(compiler):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts = {f"lines of {header}": lines_of(compiler, header, folder) for header in HEADERS}
        none, first = (classes_of(compiler, structs, folder) for structs in (0, 1))
        counts["classes of tablemap/table/table.hpp"] = none
        counts["classes of the first struct"] = first - none
        one, three = (definitions_of(compiler, structs, folder) for structs in (1, 3))
        counts["definitions for each struct"] = (three - one) // 2
        return counts


def problems(budget, found):
    for name, count in found.items():
        allowed = budget.get(name, 0)
        if count > allowed * 1.02:
            yield f"{name}: {count}, and the budget is {allowed}"
        elif count < allowed * 0.9:
            yield f"{name}: only {count}; lower the budget from {allowed}"


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", required=True)
    parser.add_argument("budget", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    compiler = [options.compiler, "-std=c++20", f"@{options.flags}"]

    version = run([options.compiler, "-dumpfullversion"]).strip()
    found = counted(compiler)
    if options.write:
        options.budget.write_text(json.dumps({"g++": version, "counts": found}, indent=4) + "\n", encoding="utf-8")
        return 0
    budget = json.loads(options.budget.read_text(encoding="utf-8"))
    if budget["g++"] != version:
        print(f"the budget is that of g++ {budget['g++']}, and this is {version}")
        return 77
    for name, count in found.items():
        print(f"{name}: {count}")
    failed = list(problems(budget["counts"], found))
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
