# SPDX-License-Identifier: Apache-2.0
"""usage: tables.py, by the Python that has the packages of scripts/setup test

The service's client for Python calls every operation of tables, and checks what comes back. The connection string comes
in TABLEMAP_STORE, the folder of the client in TABLEMAP_PYTHON_CLIENT. Prints a line for each step; the last line is
"done".
"""
import datetime
import logging
import os
import sys
import traceback

sys.path.insert(0, os.environ["TABLEMAP_PYTHON_CLIENT"])
from azure.common import AzureHttpError  # noqa: E402
from azure.cosmosdb.table import (  # noqa: E402
    AzureBatchOperationError, EdmType, EntityProperty, TableBatch, TablePermissions, TableService)
from azure.cosmosdb.table.common.models import AccessPolicy, CorsRule, Metrics, RetentionPolicy  # noqa: E402
from azure.cosmosdb.table.common.retry import no_retry  # noqa: E402

connection = os.environ["TABLEMAP_STORE"]
parts = dict(part.split("=", 1) for part in connection.split(";") if part)
hour = datetime.timedelta(hours=1)


def client(credential="AccountKey=" + parts["AccountKey"]):
    made = TableService(connection_string=f"AccountName={parts['AccountName']};{credential};"
                                          f"TableEndpoint={parts['TableEndpoint']}")
    made.retry = no_retry
    return made


def client_by(signature):
    return client("SharedAccessSignature=" + signature)


service = client()


def refused_with(status, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except (AzureHttpError, AzureBatchOperationError) as e:
        assert e.status_code == status, f"{status} expected: {e}"
        return e
    raise AssertionError(f"refused with {status} expected")


def tables():
    assert service.create_table("People")
    assert not service.create_table("people")
    service.create_table("Other1")
    assert [t.name for t in service.list_tables()] == ["Other1", "People"]
    assert service.exists("People") and not service.exists("Absent")
    assert service.delete_table("Other1") and not service.delete_table("Other1")
    refused_with(404, service.get_entity, "Other1", "a", "b")


def entities():
    when = datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    row = {"PartitionKey": "O'Brien", "RowKey": "100% é日本😀+&=", "Name": 'x\n"y"', "On": True, "Age": 5, "Ratio": 2.5,
           "Whole": 3.0, "Big": EntityProperty(EdmType.INT64, 9007199254740993), "When": when,
           "Id": EntityProperty(EdmType.GUID, "c9da6455-213d-42c9-9a79-3e9149a57833"),
           "Raw": EntityProperty(EdmType.BINARY, b"\x01\x02\xff")}
    etag = service.insert_entity("People", row)
    found = service.get_entity("People", row["PartitionKey"], row["RowKey"])
    assert found.etag == etag
    for name in ("Name", "On", "Age", "Ratio", "Whole"):
        assert found[name] == row[name] and type(found[name]) is type(row[name]), name
    assert found["When"] == when
    # The client takes every integer of Python for an Int64.
    assert found["Big"] == 9007199254740993
    assert found["Id"].value == row["Id"].value and found["Raw"].value == row["Raw"].value
    assert isinstance(found["Timestamp"], datetime.datetime)
    refused_with(409, service.insert_entity, "People", row)
    refused_with(404, service.get_entity, "People", "a", "missing")


def writes():
    key = {"PartitionKey": "w", "RowKey": "1"}
    service.insert_or_replace_entity("People", {**key, "A": 1, "B": 2})
    service.insert_or_merge_entity("People", {**key, "B": 3})
    merged = service.get_entity("People", "w", "1")
    assert (merged["A"], merged["B"]) == (1, 3)
    service.update_entity("People", {**key, "C": 4}, if_match=merged.etag)
    refused_with(412, service.merge_entity, "People", {**key, "C": 5}, if_match=merged.etag)
    replaced = service.get_entity("People", "w", "1")
    assert "A" not in replaced and replaced["C"] == 4
    refused_with(404, service.merge_entity, "People", {"PartitionKey": "w", "RowKey": "none", "A": 1})
    refused_with(412, service.delete_entity, "People", "w", "1", if_match=merged.etag)
    service.delete_entity("People", "w", "1")
    refused_with(404, service.delete_entity, "People", "w", "1")


def groups():
    group = TableBatch()
    for i in range(100):
        group.insert_entity({"PartitionKey": "g", "RowKey": str(1000 + i), "I": i})
    assert len(service.commit_batch("People", group)) == 100
    failing = TableBatch()
    failing.insert_or_replace_entity({"PartitionKey": "g", "RowKey": "new"})
    failing.insert_entity({"PartitionKey": "g", "RowKey": "1000"})
    e = refused_with(409, service.commit_batch, "People", failing)
    assert e.code == "EntityAlreadyExists", e.code
    refused_with(404, service.get_entity, "People", "g", "new")
    mixed = TableBatch()
    mixed.merge_entity({"PartitionKey": "g", "RowKey": "1000", "J": 1})
    mixed.update_entity({"PartitionKey": "g", "RowKey": "1001", "J": 1})
    mixed.insert_or_merge_entity({"PartitionKey": "g", "RowKey": "2000", "J": 1})
    mixed.delete_entity("g", "1099")
    service.commit_batch("People", mixed)
    assert service.get_entity("People", "g", "1000")["I"] == 0


def queries():
    found = list(service.query_entities("People", filter="PartitionKey eq 'g' and I ge 10L and I lt 20L", select="I"))
    assert [e["I"] for e in found] == list(range(10, 20)), found
    sizes, marker = [], None
    while True:
        page = service.query_entities("People", filter="PartitionKey eq 'g'", num_results=30, marker=marker)
        sizes.append(len(page.items))
        marker = page.next_marker
        if not marker:
            break
    assert sizes == [30, 30, 30, 10], sizes
    refused_with(400, service.query_entities, "People", filter="a b c")


def settings():
    service.set_table_service_properties(
        hour_metrics=Metrics(enabled=True, include_apis=True, retention_policy=RetentionPolicy(enabled=True, days=3)),
        cors=[CorsRule(["https://contoso.com"], ["GET"], 60, ["x-ms-*"], ["x-ms-*"])])
    found = service.get_table_service_properties()
    assert found.hour_metrics.retention_policy.days == 3
    assert found.cors[0].allowed_origins == ["https://contoso.com"]
    now = datetime.datetime.utcnow()
    service.set_table_acl("People", {"reading": AccessPolicy(TablePermissions.QUERY, now + hour, now - hour)})
    assert service.get_table_acl("People")["reading"].permission == "r"


def signatures():
    end = datetime.datetime.utcnow() + hour
    table = service.generate_table_shared_access_signature
    reader = client_by(table("People", TablePermissions.QUERY, end))
    assert reader.get_entity("People", "g", "1005")["I"] == 5
    refused_with(403, reader.delete_entity, "People", "g", "1005")
    limited = client_by(table("People", TablePermissions.QUERY, end, start_pk="g", start_rk="1010", end_pk="g",
                                     end_rk="1012"))
    assert [e["RowKey"] for e in limited.query_entities("People")] == ["1010", "1011", "1012"]
    named = client_by(table("People", id="reading"))
    assert named.get_entity("People", "g", "1005")["I"] == 5
    account = client_by(service.generate_account_shared_access_signature("sco", "rl", end))
    assert [t.name for t in account.list_tables()] == ["People"]
    refused_with(403, account.create_table, "Denied", fail_on_exist=True)


def strangers():
    stranger = client("AccountKey=YW5vdGhlcg==")
    refused_with(403, stranger.get_entity, "People", "g", "1005")


def main():
    logging.disable(logging.CRITICAL)
    for step in (tables, entities, writes, groups, queries, settings, signatures, strangers):
        step()
        print(step.__name__, flush=True)
    print("done", flush=True)


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        print("failed: " + traceback.format_exc(), flush=True)
        sys.exit(1)
