# SPDX-License-Identifier: Apache-2.0
"""What the service's client for Python pays for an operation: lines CLIENT, TAB, OPERATION, TAB, microseconds of CPU time of
this process, medians of seven rounds. scripts/bench-peers starts the server with canned answers.

usage: peers.py FOLDER_OF_THE_CLIENT TABLE_ENDPOINT
"""

import base64
import datetime
import platform
import statistics
import sys
import time

from sample import employee

folder, endpoint = sys.argv[1:]
sys.path.insert(0, folder)
from azure.cosmosdb.table import EdmType, EntityProperty, TableBatch, TableService  # noqa: E402
from azure.cosmosdb.table._constants import __version__ as version  # noqa: E402
from azure.cosmosdb.table.common.retry import no_retry  # noqa: E402

key = base64.b64encode(bytes([7]) * 64).decode()
service = TableService(connection_string=f"AccountName=account;AccountKey={key};TableEndpoint={endpoint}")
service.retry = no_retry


def entity(number):
    """The sample in the client's types."""
    row = {name: value for name, value in employee(number).items() if "@" not in name}
    for name in ("age", "level", "balance"):
        row[name] = EntityProperty(EdmType.INT32, row[name])
    hired = datetime.datetime(2014, 8, 22, 10, 20, 40, tzinfo=datetime.timezone.utc)
    return {**row, "total": int(row["total"]), "hired": hired}


def read_page():
    rows = sum(1 for _ in service.query_entities("pages"))
    assert rows == 1000, f"a page of {rows} rows"


def commit_group():
    batch = TableBatch()
    for number in range(100):
        batch.insert_entity(entity(number))
    service.commit_batch("employees", batch)


OPERATIONS = {
    "insert": (200, lambda: service.insert_entity("employees", entity(212))),
    "point read": (200, lambda: service.get_entity("employees", "Sales", "empid_000212")),
    "page of 1,000": (5, read_page),
    "group of 100": (5, commit_group),
}


def cpu_of(calls, operation):
    begin = time.process_time()
    for _ in range(calls):
        operation()
    return (time.process_time() - begin) * 1e6 / calls


rounds = {name: [] for name in OPERATIONS}
for _ in range(7):
    for name, (calls, operation) in OPERATIONS.items():
        rounds[name].append(cpu_of(calls, operation))
for name, times in rounds.items():
    print(f"azure-cosmosdb-table {version}, Python {platform.python_version()}\t{name}\t{statistics.median(times):.1f}")
