#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks schema.json with a validator that knows nothing of tablemap.

usage: json_schema_test.py CASES SCHEMA

It is a JSON Schema, every golden case keeps it, and bad cases whose fault is one of structure break it.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not here")
    sys.exit(77)

STRUCTURAL = [
    "bad_table", "hash_alone", "no_entities", "no_key", "no_object", "no_parts", "part_of_no_kind", "series", "unknown_keys",
    "wrong_kinds",
]


def main(cases, schema_file):
    schema = json.loads(pathlib.Path(schema_file).read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    problems = []
    for case in sorted(pathlib.Path(cases, "golden").glob("*.json")):
        for error in validator.iter_errors(json.loads(case.read_text(encoding="utf-8"))):
            problems.append(f"{case.name}: {list(error.path)}: {error.message}")
    for stem in STRUCTURAL:
        case = pathlib.Path(cases, "bad", f"{stem}.json")
        if validator.is_valid(json.loads(case.read_text(encoding="utf-8"))):
            problems.append(f"{case.name} is valid")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
