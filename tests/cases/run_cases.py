# SPDX-License-Identifier: Apache-2.0
"""Sends the requests of a folder's *.json to a server of tables, and compares what comes back.

usage: run_cases.py served PROGRAM [NAME...]    a server of the command `tablemap`
       run_cases.py azurite SCRIPT [NAME...]    the emulator, run by node

Names choose cases, by a part of theirs. README.md tells what the files hold. The last line is the number of cases; the
status is 1 if one failed, and 77 if the emulator is not installed.
"""
import base64
import datetime
import hashlib
import hmac
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse

ACCOUNT = "devstoreaccount1"
# The emulator's key, which everybody knows.
KEY = base64.b64decode("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==")
TIME_LIMIT = 60
EXPECTATIONS = {"status", "code", "text", "lacks_text", "has", "lacks", "keys", "names", "headers", "no_headers",
                "parts", "saves"}
STEP = EXPECTATIONS | {"send", "with", "body", "group", "as", "azurite", "served", "why"}
CASE = {"name", "table", "steps"}


class Mismatch(Exception):
    pass


# --- what the files hold ---------------------------------------------------------------------------------------------

def value_of(given):
    """A value of a file, in which {"$repeat": "x", "times": 3} is a text, and so is {"$bytes": 3} in base64. In a list,
    {"$each": v, "times": 3} stands for three values, with 1001 and so on for ${i}."""
    if isinstance(given, list):
        return [v for one in given for v in values_of(one)]
    if not isinstance(given, dict):
        return given
    if "$repeat" in given:
        return given["$repeat"] * given["times"]
    if "$bytes" in given:
        return base64.b64encode(b"\x01" * given["$bytes"]).decode()
    return {name: value_of(v) for name, v in given.items()}


def values_of(one):
    if isinstance(one, dict) and "$each" in one:
        return [filled(value_of(one["$each"]), {"i": str(1001 + i)}) for i in range(one["times"])]
    return [value_of(one)]


def filled(given, variables):
    """The same with the values of variables in place of ${name}, where there is such a variable."""
    if isinstance(given, str):
        return re.sub(r"\$\{(\w+)\}", lambda m: variables.get(m.group(1), m.group()), given)
    if isinstance(given, list):
        return [filled(v, variables) for v in given]
    if isinstance(given, dict):
        return {filled(name, variables): filled(v, variables) for name, v in given.items()}
    return given


def require(condition, message):
    if not condition:
        raise Mismatch(message)


def check_step(step):
    for name in step:
        require(name in STEP, f"a step has no '{name}'")
    for server in ("azurite", "served"):
        if server in step:
            require(step[server].get("why"), f"what {server} does otherwise needs a reason")
            require(set(step[server]) - {"why"} <= EXPECTATIONS, f"what {server} does otherwise has an unknown name")


def read_cases(folder):
    cases = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                cases += [dict(case, name=name[:-5] + ": " + case["name"]) for case in json.load(file)]
    for case in cases:
        require(set(case) <= CASE, f"{case['name']}: unknown names")
        for step in case["steps"]:
            check_step(step)
    return cases


# --- signatures ------------------------------------------------------------------------------------------------------

def sign(text):
    return base64.b64encode(hmac.new(KEY, text.encode(), hashlib.sha256).digest()).decode()


def time_in(minutes):
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def shared_key(method, path, query, headers, form):
    resource = f"/{ACCOUNT}{path}"
    comp = urllib.parse.parse_qs(query).get("comp")
    if comp:
        resource += "?comp=" + comp[0]
    text = headers["x-ms-date"] + "\n" + resource
    if form == "key":
        text = f"{method}\n{headers.get('Content-MD5', '')}\n{headers.get('Content-Type', '')}\n" + text
    return ("SharedKey" if form == "key" else "SharedKeyLite") + f" {ACCOUNT}:{sign(text)}"


def table_signature(t):
    """The parameters of a signature for a table: sp, and what else its terms name; se is an hour ahead, or se_in minutes."""
    terms = {"sv": "2019-02-02", "tn": t["tn"]}
    if "si" not in t or "se_in" in t:
        terms["se"] = time_in(t.get("se_in", 60))
    if "st_in" in t:
        terms["st"] = time_in(t["st_in"])
    terms.update({n: t[n] for n in ("sp", "si", "sip", "spr", "spk", "srk", "epk", "erk") if n in t})
    get = lambda n: terms.get(n, "")
    terms["sig"] = sign("\n".join([get("sp"), get("st"), get("se"), f"/table/{ACCOUNT}/{t['tn'].lower()}", get("si"),
                                   get("sip"), get("spr"), get("sv"), get("spk"), get("srk"), get("epk"), get("erk")]))
    return terms


def account_signature(t):
    """The parameters of a signature for the account: sp, ss and srt, and what else its terms name."""
    terms = {"sv": "2019-02-02", "sp": t["sp"], "ss": t["ss"], "srt": t["srt"], "se": time_in(t.get("se_in", 60))}
    terms.update({n: t[n] for n in ("sip", "spr") if n in t})
    get = lambda n: terms.get(n, "")
    terms["sig"] = sign("".join(s + "\n" for s in [ACCOUNT, get("sp"), get("ss"), get("srt"), get("st"), get("se"),
                                                   get("sip"), get("spr"), get("sv")]))
    return terms


def with_signature(target, terms):
    parameters = table_signature(terms) if "tn" in terms else account_signature(terms)
    parameters.update(terms.get("then", {}))  # parameters that are changed once it is signed
    query = urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)
    if terms.get("twice"):
        query += "&sig=" + urllib.parse.quote(parameters["sig"], safe="")
    return target + ("&" if "?" in target else "?") + query


# --- servers ---------------------------------------------------------------------------------------------------------

def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Server:
    """A server in a process of its own, until the end of a with block."""

    def __init__(self, command, listens):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        signal.alarm(TIME_LIMIT)  # an emulator that does not start
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if re.search(listens, line):
                break
        else:
            sys.exit("the server did not start: " + "".join(lines))
        signal.alarm(0)
        self.said = lines[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.stdout.close()
        self.process.wait(TIME_LIMIT)


def start(kind, program):
    if kind == "served":
        server = Server([program, "serve", "--store", "embedded::memory:", "--account", ACCOUNT, "--port", "0"], "^http:")
        return server, int(re.search(r":(\d+)/", server.said).group(1))
    ports = free_ports(3)
    command = ["node", program, "--disableTelemetry", "--inMemoryPersistence", "--silent"]
    for service, port in zip(("table", "queue", "blob"), ports):
        command += [f"--{service}Host", "127.0.0.1", f"--{service}Port", str(port)]
    return Server(command, "Table service is successfully listening"), ports[0]


# --- requests --------------------------------------------------------------------------------------------------------

def body_text(body):
    if body is None or isinstance(body, str):
        return body
    return json.dumps(body, ensure_ascii=False)


def group_text(operations, port):
    """A group transaction: operations of the form [line, body, headers]; a single GET is a query in a batch."""
    url = f"http://127.0.0.1:{port}/{ACCOUNT}"
    reads = operations[0][0].startswith("GET")
    boundary = "batch_1" if reads else "changeset_1"
    text = "" if reads else "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n"
    for operation in operations:
        line, body, headers = operation + [None, {}][len(operation) - 1:]
        method, path = line.split(" ", 1)
        headers = {"Accept": "application/json;odata=minimalmetadata", "Content-Type": "application/json", **headers}
        text += f"--{boundary}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        text += f"{method} {url}{path} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in headers.items())
        text += "\r\n" + (body_text(body) or "") + "\r\n"
    return text + f"--{boundary}--\r\n" + ("" if reads else "--batch_1--\r\n")


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {n.lower(): v for n, v in response.getheaders()}
        self.text = response.read().decode("utf-8", "replace")

    def json(self):
        try:
            return json.loads(self.text)
        except ValueError:
            raise Mismatch(f"the body is no JSON: {self.text[:300]}")

    def code(self):
        if "x-ms-error-code" in self.headers:
            return self.headers["x-ms-error-code"]
        found = re.search(r'"code"\s*:\s*"([^"]*)"|<(?:m:)?[cC]ode>([^<]*)<', self.text)
        return found and (found.group(1) or found.group(2))

    def parts(self):
        """The status and the code of each response in a batch."""
        return [[int(p[0]), (re.search(r'"code"\s*:\s*"(?:\d+:)?([^"]*)"', p[1]) or [None, None])[1]]
                for p in re.findall(r"HTTP/1\.1 (\d+)[^\r\n]*\r?\n(.*?)(?=\r?\n--)", self.text, re.S)]


def send(port, step):
    method, target = step["send"].split(" ", 1)
    headers = {"x-ms-date": datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT"),
               "x-ms-version": "2019-02-02", "Accept": "application/json;odata=minimalmetadata"}
    body = body_text(step.get("body"))
    if "group" in step:
        body = group_text(step["group"], port)
        headers["Content-Type"] = "multipart/mixed; boundary=batch_1"
    elif body is not None:
        headers["Content-Type"] = "application/xml" if body.startswith("<") else "application/json"
    for name, value in step.get("with", {}).items():
        headers.pop(name, None)
        if value is not None:
            headers[name] = value
    target = f"/{ACCOUNT}{target}"
    sender = step.get("as", "key")
    if isinstance(sender, dict):
        target = with_signature(target, sender)
    elif sender != "nobody":
        path, _, query = target.partition("?")
        headers["Authorization"] = shared_key(method, path, query, headers, sender)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIME_LIMIT)
    try:
        connection.request(method, target, None if body is None else body.encode(), headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


# --- comparison ------------------------------------------------------------------------------------------------------

def is_within(expected, found):
    """True if the value has what is expected: further members of an object do not matter."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(n in found and is_within(v, found[n]) for n, v in expected.items())
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def compare(expected, answer):
    for what, value in expected.items():
        if what == "status":
            require(answer.status == value, f"status {answer.status}, not {value}: {answer.text[:300]}")
        elif what == "code":
            require(answer.code() == value, f"code {answer.code()}, not {value}: {answer.text[:300]}")
        elif what == "text":
            require(re.search(value, answer.text), f"'{value}' is not in the body: {answer.text[:1000]}")
        elif what == "lacks_text":
            require(not re.search(value, answer.text), f"'{value}' is in the body: {answer.text[:1000]}")
        elif what == "has":
            require(is_within(value, answer.json()), f"not in the body: {value}: {answer.text[:1000]}")
        elif what == "lacks":
            require(not set(value) & set(answer.json()), f"one of {value} is in the body: {answer.text[:1000]}")
        elif what == "keys":
            keys = [row.get("RowKey") for row in answer.json().get("value", [])]
            require(keys == value, f"rows {keys}, not {value}")
        elif what == "names":
            names = [t["TableName"] for t in answer.json().get("value", [])]
            require(names == value, f"tables {names}, not {value}")
        elif what == "headers":
            for name, pattern in value.items():
                found = answer.headers.get(name.lower())
                require(found is not None and re.search(pattern, found), f"{name} is {found}, not {pattern}")
        elif what == "no_headers":
            for name in value:
                require(name.lower() not in answer.headers, f"there is {name}: {answer.headers.get(name.lower())}")
        elif what == "parts":
            found = [p if isinstance(e, list) else p[0] for p, e in zip(answer.parts(), value)]
            require(found == value and len(value) == len(answer.parts()), f"parts {answer.parts()}, not {value}")


def run_step(kind, port, step, variables):
    step = filled(value_of(step), variables)
    answer = send(port, step)
    variables.update({name: answer.headers.get(header.lower(), "") for name, header in step.get("saves", {}).items()})
    own = {n: step[n] for n in EXPECTATIONS if n in step and n != "saves"}
    if kind in step:
        other = {n: v for n, v in step[kind].items() if n != "why"}
        try:
            compare(own, answer)
        except Mismatch:
            own = {**own, **other}
            own = {n: v for n, v in own.items() if v is not None}
        else:
            raise Mismatch(f"does as it should: take what '{kind}' does otherwise out of the step")
    compare(own, answer)


def run_case(kind, port, number, case):
    """What failed. A step that fails does not end its case: the next ones tell more."""
    variables = {"T": f"Table{number}", "N": str(number)}
    steps = case["steps"]
    if case.get("table", True):
        steps = [{"send": "POST /Tables", "body": {"TableName": "${T}"}, "status": 201}] + steps
    failures = []
    for i, step in enumerate(steps):
        try:
            run_step(kind, port, step, variables)
        except Mismatch as e:
            failures.append(f"{case['name']}: {step['send']} (step {i}): {e}")
        except (OSError, http.client.HTTPException) as e:
            failures.append(f"{case['name']}: {step['send']} (step {i}): no response: {e!r}")
    return failures


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("served", "azurite"):
        print(__doc__)
        return 2
    kind, program, wanted = arguments[0], arguments[1], arguments[2:]
    if kind == "azurite" and not os.path.exists(program):
        print("needs the storage emulator: scripts/setup test installs it")
        return 77
    cases = read_cases(os.path.dirname(os.path.abspath(__file__)))
    chosen = [(i, c) for i, c in enumerate(cases) if not wanted or any(w in c["name"] for w in wanted)]
    server, port = start(kind, program)
    with server:
        failures = [f for f in (run_case(kind, port, i, c) for i, c in chosen) if f]
    for failure in sum(failures, []):
        print(failure)
    print(f"{len(chosen)} cases, {len(failures)} failed")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
