# SPDX-License-Identifier: Apache-2.0
"""Writes the answers of bench/nginx.conf.in, for clients in other languages: those of bench/loopback_server.cpp.

usage: canned_answers.py FOLDER
"""

import json
import pathlib
import sys

GROUP = 100
PAGE = 1000
STAMP = "2026-11-20T08:30:00.1234567Z"
ETAG = "W/\"datetime'2026-11-20T08%3A30%3A00.1234567Z'\""


def employee(number):
    """The entity of bench/sample.hpp, without what the service adds."""
    text = str(100_000 + number)
    return {
        "PartitionKey": "Sales", "RowKey": f"empid_{number:06}", "first": "Donald", "last": "Hall" + text,
        "email": f"donh{text}@contoso.com", "phone": "+1 555 " + text, "city": "Seattle, Washington",
        "notes": "Talks to customers in the north and knows every one of them by name. " * 8,
        "age": 20 + number % 50, "level": number, "balance": -7 * number,
        "total@odata.type": "Edm.Int64", "total": str(9_876_543_200_000 + number), "score": 12.5 + number / 8,
        "active": number % 3 != 0, "hired@odata.type": "Edm.DateTime", "hired": "2014-08-22T10:20:40.1234567Z",
    }


def answered(number):
    return {"odata.etag": ETAG, "Timestamp": STAMP, **employee(number)}


def group():
    part = ("--changesetresponse_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
            f"Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\nETag: {ETAG}\r\n\r\n\r\n")
    return ("--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_2\r\n\r\n" + part * GROUP +
            "--changesetresponse_2--\r\n--batchresponse_1--\r\n")


def main(folder):
    compact = {"separators": (",", ":")}
    metadata = "https://account.table.core.windows.net/$metadata#employees"
    answers = {
        "entity.json": json.dumps({"odata.metadata": metadata + "/@Element", **answered(212)}, **compact),
        "page.json": json.dumps({"odata.metadata": metadata, "value": [answered(n) for n in range(PAGE)]}, **compact),
        "group.txt": group(),
    }
    for name, text in answers.items():
        (pathlib.Path(folder) / name).write_bytes(text.encode())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
