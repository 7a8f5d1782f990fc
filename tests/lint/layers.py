#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes whom.

usage: layers.py ROOT

The layers are the folders under include/tablemap, include/tablemap/detail, src and tests/unit. A layer includes layers of
a lower rank only, a header never includes one of src, and each third-party library has one place. Examples, pages and what
the generator writes include the public headers alone. Tests may include every layer; third-party libraries bind them like
the layer they test.
"""

import dataclasses
import pathlib
import re
import sys

import lint

# A folder may include itself and folders of a lower rank.
RANKS = {
    "base": 0,
    "edm": 1,
    "reflect": 1,
    "crypto": 1,
    "wire": 2,
    "filter": 2,
    "keys": 2,
    "store": 3,
    "mapping": 3,
    "query": 4,
    "rest": 4,
    "embedded": 4,
    "queue": 5,
    "serve": 5,
    "write": 5,
    "blob": 5,
    "read": 6,
    "bulk": 7,
    "index_audit": 7,
    "table": 8,
    "patterns": 9,
    "testing": 9,
    "inspect": 10,
    "page": 11,
    "command": 12,
}
# The umbrella header and open() lie beside the folders and above all of them.
TOP = "(top)"
# The command is a program: it opens stores as its users do.
COMMAND = "command"

# What the ranks alone would allow: a store knows no user type, and users' types know no particular store.
TYPED = {"mapping", "reflect", "query", "write", "read", "bulk", "index_audit", "table"}
STORES = {"rest", "embedded"}
FORBIDDEN = {
    "rest": TYPED | {"embedded"},
    "embedded": TYPED | {"rest"},
    "serve": TYPED | {"embedded"},
    **dict.fromkeys(("blob", "write", "read", "bulk", "index_audit", "table", "patterns"), STORES),
    "inspect": STORES,
    "page": {"embedded"},
    "testing": TYPED | STORES,
}


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a third-party library may be included: files that match, and how many of them."""

    library: str
    headers: str
    files: str
    at_most: int | None
    layers: frozenset[str]


def place(library, headers, files, at_most, *layers):
    return Place(library, headers, files, at_most, frozenset(layers))


PLACES = [
    # Its interface, and the file system that it reads through.
    place("SQLite", r"sqlite3(ext)?\.h", r"src/embedded/[^/]+", 2, "embedded"),
    place("simdjson", r"simdjson(\.h|/.*)", r"src/wire/reader\.cpp", 1, "wire"),
    place("tl::expected", r"tl/.*", r"include/tablemap/base/result\.hpp", 1, "base"),
    place("Boost.PFR", r"boost/pfr(\.hpp|/.*)", r"include/tablemap/(detail/)?reflect/.+", None, "reflect"),
    place("Boost.Hana", r"boost/hana(\.hpp|/.*)", r"include/tablemap/(detail/)?reflect/.+", None, "reflect"),
    place("Boost.Intrusive", r"boost/intrusive/.*", r"include/tablemap/detail/store/task_engine\.hpp", 1, "store"),
    # A transport is several sources, and private headers that they share.
    place("Boost.Beast", r"boost/beast(\.hpp|/.*)", r"src/rest/beast_[^/]+\.[ch]pp", None, "rest"),
    place("Boost.Beast", r"boost/beast(\.hpp|/.*)", r"src/serve/beast_[^/]+\.[ch]pp", None, "serve"),
    place("cpprestsdk", r"(cpprest|pplx)/.*", r"src/rest/cpprest_[^/]+\.[ch]pp", None, "rest"),
    place("pugixml", r"pugixml\.hpp", r"src/rest/.+_xml\.cpp", None, "rest"),
    place("OpenSSL", r"openssl/.*", r"src/crypto/.+\.cpp", 1, "crypto"),
    # The certificate that both transports demand, and what each of them needs of TLS.
    place("OpenSSL", r"openssl/.*", r"src/rest/(tls_host|beast_tls|cpprest_tls)\.cpp", 3, "rest"),
    # The asynchronous interface is one header; transports need Asio too.
    place("Boost.Asio", r"boost/asio(\.hpp|/.*)", r"include/tablemap/(detail/)?store/[^/]+\.hpp", 1, "store"),
    place("Boost.Asio", r"boost/(asio|system)(\.hpp|/.*)", r"src/rest/(beast|cpprest)_[^/]+\.[ch]pp", None, "rest"),
    place("Boost.Asio", r"boost/(asio|system)(\.hpp|/.*)", r"src/serve/beast_[^/]+\.[ch]pp", None, "serve"),
    # The command line, and the checks of its options.
    place("CLI11", r"CLI/.*", r"src/command/(arguments\.cpp|option_checks\.[ch]pp)", 3, "command"),
    # The generator's library: the command writes and reads its schemas.
    place(
        "the generator",
        r"codegen/[^/]+\.hpp",
        r"src/(inspect|command)/(infer|member_names|schema_)[^/]*",
        None,
        "inspect",
        "command",
    ),
    # Written by the generator from the schemas in tests/codegen/golden.
    place(
        "tests/codegen/golden",
        r"(claims|devices|employees|everything|long_names|minimal|personnel|telemetry)\.hpp",
        r"tests/unit/inspect/.+",
        None,
    ),
    # Written by codegen/embed.cmake when the project is built.
    place("src/page/page.css", r"page/page_style\.hpp", r"src/page/frame\.cpp", 1, "page"),
    place("GoogleTest", r"(gtest|gmock)/.*", r"(tests|src/testing/contract)/.+", None),
]

C_HEADERS = re.compile(r"(sys/\w+|linux/\w+|netinet/\w+|arpa/\w+|[a-z0-9_]+)\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".h", ".ipp"}


@dataclasses.dataclass(frozen=True)
class Source:
    path: str
    layer: str
    is_test: bool
    includes: tuple[tuple[int, str], ...]


def layer_of(path):
    """The layer of a path relative to the root, or None when the path belongs to no layer."""
    parts = pathlib.PurePosixPath(path).parts
    for head in (("include", "tablemap", "detail"), ("include", "tablemap"), ("src",), ("tests", "unit")):
        if parts[: len(head)] == head and len(parts) > len(head):
            return parts[len(head)] if len(parts) > len(head) + 1 else TOP
    return None


def without_comments(text):
    """Blanks comments but keeps the line breaks. Strings are not understood: they come after the includes."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.DOTALL)


def read_sources(root):
    sources = []
    for top in ("include/tablemap", "src", "tests/unit"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            path = file.relative_to(root).as_posix()
            text = without_comments(file.read_text(encoding="utf-8"))
            includes = tuple(
                (text.count("\n", 0, match.start(1 if match.group(1) else 2)) + 1, match.group(1) or match.group(2))
                for match in INCLUDE.finditer(text)
            )
            sources.append(Source(path, layer_of(path), top == "tests/unit", includes))
    return sources


def resolve(root, source, header):
    """The path of an included file of this project relative to the root, or None for anybody else's."""
    if header.startswith("tablemap/"):
        return f"include/{header}"
    tops = ["tests", "src"] if source.is_test else ["src"]
    folders = [pathlib.PurePosixPath(source.path).parent, *map(pathlib.PurePosixPath, tops)]
    for base in folders:
        file = (root / base / header).resolve()
        if file.is_file() and file.is_relative_to(root):
            return file.relative_to(root).as_posix()
    return None


def own_problem(source, target):
    """Why `source` may not include the project's file `target`, or None."""
    to = layer_of(target)
    if to is None or source.is_test:
        return None
    if target.startswith("src/") and source.path.startswith("include/"):
        return f"{target} is not installed"
    if to == source.layer:
        return None
    if source.layer == TOP:
        return None
    if to == TOP:
        return None if source.layer == COMMAND else f"{target} lies above all layers"
    if to not in RANKS:
        return None  # reported once, for the folder
    if to in FORBIDDEN.get(source.layer, ()):
        return f"{source.layer} must not know {to}"
    if RANKS[to] >= RANKS[source.layer]:
        return f"{source.layer} (rank {RANKS[source.layer]}) must not include {to} (rank {RANKS[to]})"
    return None


def is_standard(header):
    return re.fullmatch(r"[a-z_0-9]+", header) is not None


def third_party_problem(source, header, users):
    """Why `source` may not include the foreign `header`, or None. Counts the users of each place in `users`."""
    if is_standard(header):
        return None
    places = [p for p in PLACES if re.fullmatch(p.headers, header)]
    if not places:
        return None if C_HEADERS.fullmatch(header) else f"<{header}> is in no row of the table of third-party libraries"
    for p in places:
        if source.is_test and source.layer in p.layers:
            return None
        if re.fullmatch(p.files, source.path):
            users.setdefault(p, set()).add(source.path)
            return None
    allowed = " or ".join(dict.fromkeys(p.files.replace("\\", "") for p in places))
    return f"<{header}> of {places[0].library} belongs to {allowed}"


def asio_in_umbrella(root, sources):
    """The umbrella header must not cost its users Asio, not even through another header."""
    by_path = {source.path: source for source in sources}
    seen, queue = set(), ["include/tablemap/tablemap.hpp"]
    while queue:
        source = by_path.get(queue.pop())
        if source is None or source.path in seen:
            continue
        seen.add(source.path)
        for line, header in source.includes:
            if re.fullmatch(r"boost/asio(\.hpp|/.*)", header):
                yield f"{source.path}:{line}: <tablemap/tablemap.hpp> must not pull in <{header}>"
            queue.append(resolve(root, source, header))


def details_shown(root):
    """Users name public headers only, so nothing that they read names another one."""
    for top in ("README.md", "docs", "examples"):
        place = root / top
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix not in SUFFIXES | {".md"} or not file.is_file():
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if re.search(r'#\s*include\s*[<"]tablemap/detail/', line):
                    yield f"{file.relative_to(root).as_posix()}:{number}: users include public headers only"


def check(root):
    """The problems of the tree at `root`, one line each."""
    root = pathlib.Path(root).resolve()
    sources = read_sources(root)
    problems = []
    users = {}

    for layer in sorted({source.layer for source in sources} - RANKS.keys() - {TOP}):
        problems.append(f"{layer}: a folder without a rank")

    for source in sources:
        if source.layer != TOP and source.layer not in RANKS:
            continue
        for line, header in source.includes:
            target = resolve(root, source, header)
            problem = own_problem(source, target) if target else third_party_problem(source, header, users)
            if problem:
                problems.append(f"{source.path}:{line}: {problem}")

    for p, files in users.items():
        if p.at_most is not None and len(files) > p.at_most:
            problems.append(f"{p.library} is included by {len(files)} files, may be by {p.at_most}: {', '.join(sorted(files))}")
    problems += asio_in_umbrella(root, sources)
    problems += details_shown(root)
    return problems


if __name__ == "__main__":
    sys.exit(lint.run(check, __doc__))
