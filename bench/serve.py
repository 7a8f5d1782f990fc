#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the throughput of `tablemap serve` with that of the emulator Azurite.

usage: serve.py COMMAND AZURITE [--seconds N] [--rounds N] [--connections N]

COMMAND is the program tablemap, AZURITE the script that starts the emulator's table service. The servers are Azurite
with its tables in memory, `serve` over a store in memory, and `serve` over a file. Each gets the same 10,000 rows of
1.1 KB in 10 partitions, and the load generator wrk sends each the same signed requests, in turn and in several rounds. Printed are the
medians of requests per second and of the server's CPU time for a request, which hardly depends on what the client
leaves of the machine, and how many times better than Azurite's they are. A response that is no success fails the run.
"""

import argparse
import base64
import contextlib
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import sample

ACCOUNT = "devstoreaccount1"
# The emulator's key, which is public.
KEY = base64.b64decode("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==")
ROWS, PAGE, READS = 10_000, 1_000, 1_000
EMULATOR = "azurite"
CASES = {"read": "point read", "insert": "insert", "page": f"page of {PAGE:,}"}
PATIENCE = 60  # seconds until a server listens or ends, and for one request


class failure(Exception):
    pass


# --- the rows and the requests ---------------------------------------------------------------------------------------


def keys_of(number):
    """The emulator looks through a partition for a row, so that one of all rows would favour the others."""
    return f"Sales_{number // PAGE}", sample.row_key(number)


def employee(number, keys=None):
    partition_key, row_key = keys or keys_of(number)
    return {**sample.employee(number), "PartitionKey": partition_key, "RowKey": row_key}


def signed(date, target):
    """The value of the header Authorization by Shared Key Lite, which signs the date and the path."""
    path = target.split("?")[0]
    digest = hmac.new(KEY, f"{date}\n/{ACCOUNT}{path}".encode(), hashlib.sha256).digest()
    return f"SharedKeyLite {ACCOUNT}:{base64.b64encode(digest).decode()}"


def requests_of(case):
    """Pairs of target and body; there is a body for an insert only."""
    root = f"/{ACCOUNT}"
    if case == "insert":
        return [(f"{root}/Inserted", json.dumps(employee(1, ("@row@", "@row@")), separators=(",", ":")))]
    if case == "page":
        return [(f"{root}/Employees()?$filter=PartitionKey%20eq%20'Sales_0'&$top={PAGE}", "")]
    keys = [keys_of(n) for n in range(0, ROWS, ROWS // READS)]
    return [(f"{root}/Employees(PartitionKey='{partition}',RowKey='{row}')", "") for partition, row in keys]


def lines_of(case, date):
    """The requests of a case as serve.lua reads them."""
    for target, body in requests_of(case):
        yield "\t".join(("POST" if body else "GET", target, signed(date, target), date, body))


# --- servers ---------------------------------------------------------------------------------------------------------


class server:
    def __init__(self, name, command, port, process):
        self.name, self.command, self.port, self.process = name, command, port, process

    def store(self):
        return f"UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://127.0.0.1:{self.port}"

    def cpu_seconds(self):
        """Of all its threads until now."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, method, target, body=None):
        """The body of a response to a request that must succeed."""
        date = email.utils.formatdate(usegmt=True)
        headers = {"Accept": "application/json;odata=minimalmetadata", "x-ms-version": "2019-02-02", "x-ms-date": date}
        headers |= {"Authorization": signed(date, target)} | ({"Content-Type": "application/json"} if body else {})
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            content = response.read()
        if response.status // 100 != 2:
            raise failure(f"{self.name}: {method} {target} was answered with {response.status}: {content.decode()}")
        return content


@contextlib.contextmanager
def running(command, **options):
    with subprocess.Popen(command, text=True, **options) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_until_it_listens(process, port):
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise failure(f"{' '.join(process.args)} does not listen on port {port}: run it by hand to see why")


@contextlib.contextmanager
def serving(name, command, store):
    arguments = [command, "serve", "--store", store, "--account", ACCOUNT, "--port", "0"]
    with running(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        url = process.stdout.readline()
        if not url.startswith("http://"):
            raise failure(f"{' '.join(arguments)} does not start: run it by hand to see why")
        yield server(name, command, int(url.split(":")[2].split("/")[0]), process)


@contextlib.contextmanager
def emulating(command, script, folder):
    port = free_port()
    place = ["--tableHost", "127.0.0.1", "--tablePort", str(port)]
    arguments = ["node", script, "--silent", "--disableTelemetry", "--inMemoryPersistence", *place]
    with running(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until_it_listens(process, port)
        yield server(EMULATOR, command, port, process)


def fill(s, rows):
    """Stores the rows, and checks that a page and a row come back as all servers are to send them."""
    arguments = [s.command, "import", "Employees", str(rows), "--create-table", "--store", s.store()]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"{s.name} could not be filled: {done.stderr}")
    s.ask("POST", f"/{ACCOUNT}/Tables", '{"TableName":"Inserted"}')
    page = json.loads(s.ask("GET", requests_of("page")[0][0]))["value"]
    row = json.loads(s.ask("GET", requests_of("read")[0][0]))
    if len(page) != PAGE or any(row[name] != value for name, value in employee(0).items()):
        raise failure(f"{s.name} sends other rows than were stored")


# --- measurements ----------------------------------------------------------------------------------------------------


def figures(output, cpu_seconds):
    """Requests per second and the server's CPU microseconds for each, from what serve.lua writes at the end."""
    said = json.loads(output.strip().splitlines()[-1])
    if said["refused"] or said["lost"] or not said["requests"]:
        counts = f"{said['refused']} requests were refused and {said['lost']} got no response"
        raise failure(f"{counts}, of {said['requests']}")
    return said["requests"] * 1e6 / said["microseconds"], cpu_seconds * 1e6 / said["requests"]


def written_requests(case, folder):
    file = folder / "requests"
    date = email.utils.formatdate(usegmt=True)
    file.write_text("".join(line + "\n" for line in lines_of(case, date)), encoding="utf-8")
    return str(file)


def measured(s, case, turn, options, folder):
    script = str(pathlib.Path(__file__).with_suffix(".lua"))
    load = ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "--timeout", "20s", "-s", script]
    arguments = [f"http://127.0.0.1:{s.port}", "--", written_requests(case, folder), f"run{turn:05}"]
    before = s.cpu_seconds()
    done = subprocess.run([*load, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"wrk failed: {done.stderr}")
    try:
        return figures(done.stdout, s.cpu_seconds() - before)
    except failure as f:
        raise failure(f"{s.name}, {CASES[case]}: {f}") from None


def all_measured(servers, options, folder):
    """Lists of figures, one of each round, by case and server."""
    found = {}
    for turn in range(options.rounds):
        for case in CASES:
            for s in servers:
                found.setdefault((case, s.name), []).append(measured(s, case, turn, options, folder))
    return found


def medians(found):
    return {key: tuple(map(statistics.median, zip(*rounds))) for key, rounds in found.items()}


def cell(value, ratio):
    return f"{value:,.0f}" + (f" ({ratio:.1f} x)" if ratio else "")


def table(found, names):
    """The medians, each with how many times better than the emulator's it is, as lines."""
    middle = medians(found)
    yield "".join(f"{text:>24}" for text in ("", *names))
    for case, title in CASES.items():
        rates = [middle[case, name][0] for name in names]
        costs = [middle[case, name][1] for name in names]
        rate, cost = middle[case, EMULATOR]
        of = [name != EMULATOR for name in names]
        yield "".join(f"{t:>24}" for t in (f"{title}, per s", *(cell(r, m and r / rate) for r, m in zip(rates, of))))
        yield "".join(f"{t:>24}" for t in ("CPU us each", *(cell(c, m and cost / c) for c, m in zip(costs, of))))


def run(options):
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        rows = folder / "rows.jsonl"
        rows.write_text("".join(json.dumps(employee(n)) + "\n" for n in range(ROWS)), encoding="utf-8")
        servers = [
            stack.enter_context(emulating(options.command, options.azurite, folder)),
            stack.enter_context(serving("serve, memory", options.command, "embedded::memory:")),
            stack.enter_context(serving("serve, file", options.command, f"embedded:{folder / 'bench.db'}")),
        ]
        for s in servers:
            fill(s, rows)
        print("\n".join(table(all_measured(servers, options, folder), [s.name for s in servers])))


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=os.path.abspath)
    parser.add_argument("azurite", type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=16)
    try:
        run(parser.parse_args(arguments))
    except failure as f:
        print(f"error: {f}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
