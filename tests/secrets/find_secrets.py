# SPDX-License-Identifier: Apache-2.0
"""Looks for secrets in what the tests wrote.

    find_secrets.py begin FOLDER               empties the folder that tests record into
    find_secrets.py look FOLDER [LOG_FOLDER]   looks for secrets in the records, and in the *.log files of CTest

Tests write what their stores logged and said to FOLDER/log-*.txt, and what was really sent as a secret is in
FOLDER/sent-*.txt, one a line. None of the latter, nor an account key, may occur in the former, neither as it is nor
percent-encoded nor in base64.
"""

import base64
import pathlib
import re
import shutil
import sys
import urllib.parse

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
SHORTEST = 16  # of a secret that is looked for: a shorter one would be found in anything
BEGUN = "begun"

# The account key that everybody has of the emulator: tests connect with it.
STATIC = ["Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="]

WORD = re.compile(rf"[A-Za-z0-9+/=%_.\-]{{{SHORTEST},}}")


def forms(secret):
    """The texts that a secret may occur as. Of its base64 what does not depend on its place among other bytes."""
    yield secret
    encoded = urllib.parse.quote(secret, safe="")
    yield encoded
    yield re.sub(r"%..", lambda byte: byte.group().lower(), encoded)
    for lead in range(3):
        text = base64.b64encode(b"\0" * lead + secret.encode()).decode()
        yield text[lead + 1 if lead else 0 : len(text.rstrip("=")) - 3]


class Secrets:
    def __init__(self, secrets):
        self.by_start = {}
        for secret in secrets:
            for form in forms(secret):
                if len(form) >= SHORTEST:
                    self.by_start.setdefault(form[:SHORTEST], []).append(form)

    def found_in(self, line):
        for word in WORD.finditer(line):
            text = word.group()
            for at in range(len(text) - SHORTEST + 1):
                for form in self.by_start.get(text[at : at + SHORTEST], ()):
                    if text.startswith(form, at):
                        return True
        return False


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        yield from enumerate(file, start=1)


def look(folder, logs):
    """What was found, as "file:line", and how many files and secrets were looked at."""
    records = sorted(folder.glob("log-*.txt"))
    sent = {line.strip() for path in folder.glob("sent-*.txt") for _, line in lines_of(path)}
    secrets = Secrets([s for s in sent if len(s) >= SHORTEST] + STATIC)
    found = [f"{path}:{number}" for path in records + logs for number, line in lines_of(path) if secrets.found_in(line)]
    return found, len(records), len(sent)


def main(command, folder, log_folder=None):
    folder = pathlib.Path(folder)
    if command == "begin":
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / BEGUN).touch()
        return 0
    if not (folder / BEGUN).exists():
        print("skipped: no test has recorded anything; this runs after the tests that do, as in a run of all tests")
        return SKIPPED
    # CTest renames its log at the end; this runs before that.
    logs = sorted(pathlib.Path(log_folder).glob("LastTest*.log*")) if log_folder else []
    found, records, sent = look(folder, logs)
    print(f"looked for {sent} secrets that were sent, and the account's key, in {records} records and {len(logs)} logs")
    for place in found:
        print(f"{place}: a secret")
    if records == 0 or sent == 0:
        print("there was nothing to look through: did the tests on the emulator run?")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
