# SPDX-License-Identifier: Apache-2.0
"""The entity of bench/sample.hpp as the service takes it: 13 properties beside its keys, about 1.1 KB."""


def row_key(number):
    return f"empid_{number:06}"


def employee(number):
    text = str(100_000 + number % 100_000)
    return {
        "PartitionKey": "Sales",
        "RowKey": row_key(number),
        "first": "Donald",
        "last": "Hall" + text,
        "email": f"donh{text}@contoso.com",
        "phone": "+1 555 " + text,
        "city": "Seattle, Washington",
        "notes": "Talks to customers in the north and knows every one of them by name. " * 8,
        "age": 20 + number % 50,
        "level": number,
        "balance": -7 * number,
        "total@odata.type": "Edm.Int64",
        "total": str(9_876_543_200_000 + number),
        "score": 12.5 + number / 8,
        "active": number % 3 != 0,
        "hired@odata.type": "Edm.DateTime",
        "hired": "2014-08-22T10:20:40.1234567Z",
    }
