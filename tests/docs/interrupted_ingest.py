#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: interrupted_ingest.py TELEMETRY RUN-FOLDER

Interrupts the ingest of the telemetry example as soon as its progress bar is drawn, and lets it go on.
"""
import os
import pty
import re
import shutil
import signal
import subprocess
import sys

ROWS = 100000


def expect(holds, what, shown):
    if not holds:
        sys.exit(f"{what}:\n{shown}")


def run(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run_in_terminal(command, when_drawn):
    """What it writes to a terminal, and how it ends; `when_drawn` is called as soon as the progress bar is seen."""
    terminal, side = pty.openpty()
    program = subprocess.Popen(command, stdout=side, stderr=side)
    os.close(side)
    shown, drawn = "", False
    try:
        while text := os.read(terminal, 4096).decode():
            shown += text
            if not drawn and " % " in shown:
                drawn = True
                when_drawn(program)
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    return shown, program.wait()


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    run(program, "generate", "day.csv", "--rows", str(ROWS))

    shown, status = run_in_terminal([program, "ingest", "day.csv"], lambda p: p.send_signal(signal.SIGINT))
    print(shown)
    expect(re.search(r"ingesting \[[#.]+\] \d+ %", shown), "no progress bar was drawn", shown)
    expect(status == 1 and "telemetry: interrupted" in shown, "it did not say that it was interrupted", shown)
    stored = int(re.search(r"stored (\d+) of", shown).group(1))
    expect(0 < stored < ROWS, "nothing or all was stored", shown)

    other = run(program, "ingest", "day.csv", "--store", "embedded:other.db").stdout
    expect("telemetry: day.csv.ledger is of another store" in other, "it took the ledger of another store", other)

    os.rename("telemetry.db", "kept.db")
    new = run(program, "ingest", "day.csv").stdout
    expect("telemetry: day.csv.ledger is of another store" in new, "it took the ledger for a new table", new)
    os.replace("kept.db", "telemetry.db")

    again = run(program, "ingest", "day.csv")
    print(again.stdout)
    expect(f"stored {ROWS} of {ROWS} readings, {stored} of them before" in again.stdout, "it did not go on", again.stdout)
    expect(again.returncode == 0 and not os.path.exists("day.csv.ledger"), "it left its ledger", again.stdout)
    stats = run(program, "stats").stdout
    expect(f"readings: {ROWS}," in stats, "not all is there", stats)


main()
