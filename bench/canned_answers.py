# SPDX-License-Identifier: Apache-2.0
"""Writes the answers of bench/nginx.conf.in, for clients in other languages: those of bench/loopback_server.cpp.

usage: canned_answers.py FOLDER
"""

import json
import pathlib
import sys

from sample import employee

GROUP = 100
PAGE = 1000
STAMP = "2026-11-20T08:30:00.1234567Z"
ETAG = "W/\"datetime'2026-11-20T08%3A30%3A00.1234567Z'\""


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
