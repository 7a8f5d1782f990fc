# SPDX-License-Identifier: Apache-2.0
"""The tables of the test of the page, always the same."""

import json
import random

DEPARTMENTS = {"Accounting": 31, "Audit": 9, "Design": 38, "Engineering": 412, "Facilities": 52, "Legal": 24,
               "Marketing": 61, "Research": 118, "Sales": 257, "Support": 83}
FIRST = ["Ana", "Don", "Eva", "Jun", "Ken", "Lena", "Omar", "Ravi", "Sofia", "Tom"]
LAST = ["Aziz", "Berg", "Cao", "Hall", "Kwok", "Lind", "Novak", "Price", "Rao", "Silva"]
HOSTILE = "<script>document.title='broken'</script>\"'&"


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def employee(department, number, chance):
    row = {"PartitionKey": department, "RowKey": f"empid_{number:06}", "EntityType": "employee",
           "Name": f"{chance.choice(FIRST)} {chance.choice(LAST)}", "Email": f"e{number}@contoso.com",
           "Age": chance.randint(20, 64), "Salary": chance.randint(30, 120) * 1000.5}
    if number % 90 == 0:  # another program writes it as text
        row["Age"] = str(row["Age"])
    if number % 5 == 0:
        row["Phone"] = f"555-{number:04}"
    return row


def index_row(row, number):
    """The row of an index, which is out of step for one number in 150, and missing for one in 200."""
    email = "old@contoso.com" if number % 150 == 0 else row["Email"]
    return {"PartitionKey": row["PartitionKey"], "RowKey": f"email_{email}_{row['RowKey']}", "EntityType": "employee_index",
            "Email": email, "Number": number}


def employees():
    chance, number = random.Random(7), 0
    for department, count in DEPARTMENTS.items():
        yield {"PartitionKey": department, "RowKey": "department", "EntityType": "department", "Name": department}
        for _ in range(count):
            number += 1
            row = employee(department, number, chance)
            yield row
            if number % 200 != 0:
                yield index_row(row, number)
    gone = {"PartitionKey": "Audit", "RowKey": "empid_999999", "Email": "gone@contoso.com"}
    yield index_row(gone, 999999)


def readings():
    chance = random.Random(11)
    for device in range(240):
        for k in range(int(chance.paretovariate(1.1) * 6) % 400 + 1):
            yield {"PartitionKey": f"device-{device:04}", "RowKey": f"{9999999 - k}", "Value": chance.random() * 40, "Unit": "C"}


def orders():
    for k in range(60):
        yield {"PartitionKey": f"2014-{k % 12 + 1:02}", "RowKey": f"order-{k:05}", "Amount": k * 1.25, "Note": HOSTILE}
    yield {"PartitionKey": "2014-03", "RowKey": "~outbox_head", "Next@odata.type": "Edm.Int64", "Next": "8",
           "Pending@odata.type": "Edm.Int64", "Pending": "0", "Parked@odata.type": "Edm.Int64", "Parked": "3"}
    yield {"PartitionKey": HOSTILE.replace("/", ""), "RowKey": "order", "EntityType": HOSTILE}


SCHEMA = json.dumps({"entities": {
    "employee": {
        "table": "Employees", "discriminator": {"property": "EntityType", "value": "employee"},
        "properties": {"department": "string", "number": "int32", "Name": "string", "Email": "string", "Age": "int32",
                       "Salary": "double", "Phone": {"type": "string", "nullable": True}},
        "partition_key": [{"member": "department"}], "row_key": ["empid_", {"member": "number", "width": 6}],
        "indexes": {"by_email": {"key": ["email_", {"member": "Email", "escaped": True}]}}},
    "department": {
        "table": "Employees", "discriminator": {"property": "EntityType", "value": "department"},
        "properties": {"code": "string", "Name": "string"},
        "partition_key": [{"member": "code"}], "row_key": ["department"]}}})

TABLES = {"Employees": employees, "Orders": orders, "Readings": readings}
