#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks one file of tests/compile with one compiler.

accept: the file must compile.

reject: with the macro TABLEMAP_REJECT the compiler must refuse the file and say every expected phrase. Without it the file must
compile, which `accept` checks. Phrases are comment lines of the file:

    // expect: <phrase>            both compilers
    // expect-gcc: <phrase>        g++ only
    // expect-clang: <phrase>      clang++ only

White space and the kind of quotes do not matter in the comparison.

precompile: compiles the header that the other modes take with --prefix, which spares them most of their time.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

# No carets: the compiler would quote the source, and a phrase could match the line that is refused.
FLAGS = ["-std=c++20", "-fmessage-length=0", "-fdiagnostics-color=never"]
FAMILY_FLAGS = {
    "gcc": ["-fmax-errors=0", "-fno-diagnostics-show-caret"],
    "clang": ["-ferror-limit=0", "-fno-caret-diagnostics"],
}
EXPECT = re.compile(r"^\s*//\s*expect(?:-(gcc|clang))?:\s*(.*?)\s*$", re.MULTILINE)


def normalise(text):
    """One space for any white space, one kind of quotes."""
    return re.sub(r"\s+", " ", re.sub(r"[‘’`´“”\"]", "'", text)).strip()


def expected_phrases(source, family):
    return [phrase for only, phrase in EXPECT.findall(source) if only in ("", family)]


def compiled_prefix(options, header):
    return header.with_name(f"{header.name}.{'gch' if options.family == 'gcc' else 'pch'}")


def prefix_arguments(options):
    if not options.prefix:
        return []
    # g++ finds what it has compiled beside the header, and must not go on with the header itself in silence.
    if options.family == "gcc":
        return ["-Winvalid-pch", "-Werror=invalid-pch", "-include", str(options.prefix)]
    return ["-include-pch", str(compiled_prefix(options, options.prefix))]


def run_compiler(options, *arguments):
    command = [options.compiler, *FLAGS, *FAMILY_FLAGS[options.family]]
    if options.flags:
        command.append(f"@{options.flags}")
    run = subprocess.run(
        [*command, *arguments],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    return run.returncode == 0, run.stdout + run.stderr


def compile_file(options, path, *extra):
    return run_compiler(options, "-fsyntax-only", *prefix_arguments(options), *extra, str(path))


def precompile(options, header):
    # Else clang++ would instantiate in each file again what the header uses.
    once = ["-fpch-instantiate-templates"] if options.family == "clang" else []
    target = str(compiled_prefix(options, header))
    compiled, output = run_compiler(options, *once, "-x", "c++-header", str(header), "-o", target)
    return [] if compiled else [f"does not compile:\n{output}"]


def check_accept(options, path):
    compiled, output = compile_file(options, path)
    return [] if compiled else [f"does not compile but should:\n{output}"]


def problems_of(output, phrases):
    said = normalise(output)
    problems = [f"the compiler does not say: {phrase}" for phrase in phrases if normalise(phrase) not in said]
    if "internal compiler error" in said or "PLEASE submit a bug report" in said:
        problems.append("the compiler crashed instead of refusing the file")
    return problems


def check_reject(options, path):
    source = path.read_text(encoding="utf-8")
    phrases = expected_phrases(source, options.family)
    if "TABLEMAP_REJECT" not in source:
        return ["holds no bad line under '#ifdef TABLEMAP_REJECT'"]
    if not phrases or not all(phrases):
        return [f"names no phrase for {options.family}; add a line '// expect: <phrase>'"]

    # The first error holds the phrases of most files, and a compiler that goes on behind it takes twice as long.
    compiled, output = compile_file(options, path, "-DTABLEMAP_REJECT", "-Wfatal-errors")
    if not compiled and problems_of(output, phrases):
        compiled, output = compile_file(options, path, "-DTABLEMAP_REJECT")
    if compiled:
        return ["compiles with the bad line but should not"]
    problems = problems_of(output, phrases)
    return [*problems, f"it says:\n{output}"] if problems else []


MODES = {"accept": check_accept, "reject": check_reject, "precompile": precompile}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--family", required=True, choices=sorted(FAMILY_FLAGS))
    parser.add_argument("--flags", help="response file with the include folders")
    parser.add_argument("--prefix", type=pathlib.Path, help="header that was precompiled for this compiler")
    parser.add_argument("mode", choices=sorted(MODES))
    parser.add_argument("file", type=pathlib.Path)
    options = parser.parse_args(arguments)

    problems = MODES[options.mode](options, options.file)
    for problem in problems:
        print(f"{options.file}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
