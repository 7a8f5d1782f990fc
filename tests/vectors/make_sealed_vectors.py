#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The format of encrypted values a second time, from docs/encryption.md and in another language.

usage: make_sealed_vectors.py            writes sealed_v1.txt, which the C++ tests open
       make_sealed_vectors.py --check    tells whether sealed_v1.txt is what this script writes
       make_sealed_vectors.py --open PROGRAM
                                         opens what a program sealed: tests/vectors/seal_again.cpp, for the places, keys and
                                         plain texts of sealed_v1.txt

A record is lines of a name and a value in hexadecimal, and an empty line. Ends with 77 if Python's `cryptography` is missing.
"""

import hashlib
import hmac
import pathlib
import struct
import subprocess
import sys

try:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
except ImportError:
    print("Python's module cryptography is missing (Debian: python3-cryptography)")
    sys.exit(77)

FILE = pathlib.Path(__file__).with_name("sealed_v1.txt")
FIELDS = ("id", "key", "table", "partition_key", "row_key", "property", "type", "plain", "sealed", "hash")

MAGIC = b"tmenc\x01"
NONCE, CHECK, TAG = 12, 16, 16


# --- the format -------------------------------------------------------------------------------------------------------


def field(text):
    return struct.pack(">I", len(text)) + text


def pseudorandom_key(record):
    return hmac.new(b"tablemap property encryption v1", record["key"], hashlib.sha256).digest()


def expand(record, info, size):
    return HKDFExpand(algorithm=SHA256(), length=size, info=info).derive(pseudorandom_key(record))


def place(record):
    names = (b"value", record["table"].lower(), record["partition_key"], record["row_key"], record["property"])
    return b"".join(map(field, names)) + record["type"]


def keys(record):
    material = expand(record, place(record), 32 + CHECK)
    return material[:32], material[32:]


def seal(record, nonce):
    key, check = keys(record)
    front = MAGIC + bytes([len(record["id"])]) + record["id"] + record["type"] + nonce + check
    return front + AESGCM(key).encrypt(nonce, record["plain"], front + place(record))


def unseal(record):
    """The plain bytes of a record's sealed ones; raises what is wrong with them."""
    sealed, n = record["sealed"], len(record["id"])
    assert sealed[:6] == MAGIC and sealed[6] == n and sealed[7 : 7 + n] == record["id"], "not of this format or key"
    assert sealed[7 + n : 8 + n] == record["type"], "another type"
    front = 8 + n + NONCE + CHECK
    nonce, check = sealed[8 + n : 8 + n + NONCE], sealed[front - CHECK : front]
    key, expected = keys(record)
    assert check == expected, "another place or key"
    return AESGCM(key).decrypt(nonce, sealed[front:], sealed[:front] + place(record))


def blind_hash(record):
    text = field(record["table"].lower()) + field(record["property"]) + record["type"] + record["plain"]
    return hmac.new(expand(record, field(b"blind index"), 32), text, hashlib.sha256).digest()[:16]


# --- the vectors ------------------------------------------------------------------------------------------------------


def key(name):
    return hashlib.sha256(b"a key of the test vectors: " + name).digest()


def vector(plain, kind=1, **other):
    record = {
        "id": b"2026-01",
        "table": b"Employees",
        "partition_key": b"Sales",
        "row_key": b"empid_000017",
        "property": b"salary",
        "type": bytes([kind]),
        "plain": plain,
    }
    record.update({name: text.encode() for name, text in other.items()})
    record["key"] = key(record["id"])
    return record


def vectors():
    yield vector("Łódź, 東京, 🔒".encode())  # String
    yield vector(b"\x01", 2)  # Boolean
    yield vector(struct.pack(">i", -75_000), 3)  # Int32
    yield vector(struct.pack(">q", 2**53 + 1), 4)  # Int64
    yield vector(struct.pack(">d", -0.1), 5)  # Double
    yield vector(struct.pack(">q", 638_000_000_000_000_001), 6)  # DateTime
    yield vector(bytes(range(16)), 7)  # Guid
    yield vector(bytes(range(256)), 8)  # Binary
    yield vector(b"")
    yield vector(b"", 8)
    yield vector(b"x" * 15)
    yield vector(b"x" * 16)
    yield vector(b"x" * 17)
    yield vector(b"0123456789" * 300)
    yield vector(b"one", id="!")
    yield vector(b"sixty-four", id="https://hr.vault.example/keys/salaries/" + "0123456789abcdef~~~~~~~~~")
    yield vector(b"no keys", partition_key="", row_key="")
    yield vector(b"keys in each other's place", partition_key="empid_000017", row_key="Sales")
    yield vector(b"a table in capitals", table="EMPLOYEES")
    yield vector(b"letters beyond ASCII", partition_key="Ünïcode ÄÖÜ", row_key="日本 🔒", property="größe_名")
    yield vector(b"long keys", partition_key="p" * 512, row_key="ж" * 512, property="m" * 255, table="T" * 63)
    yield vector(b"odd keys", partition_key="a\x00b", row_key=" '%&=\"|;")
    yield vector(b"types beyond those of today", 0)
    yield vector(b"types beyond those of today", 255)


def text_of(records):
    return "".join("".join(f"{f} {r[f].hex()}\n" for f in FIELDS if f in r) + "\n" for r in records)


def made():
    for number, record in enumerate(vectors()):
        nonce = hashlib.sha256(b"a nonce of the test vectors: %d" % number).digest()[:NONCE]
        yield {**record, "sealed": seal(record, nonce), "hash": blind_hash(record)}


def read(text):
    for block in filter(None, text.split("\n\n")):
        pairs = (line.partition(" ") for line in block.strip().split("\n"))
        yield {name: bytes.fromhex(value) for name, _, value in pairs}


def open_all(text):
    """How many records of a text were opened; raises what is wrong with one."""
    count = 0
    for count, record in enumerate(read(text), 1):
        assert unseal(record) == record["plain"], f"record {count}: other plain bytes"
        assert blind_hash(record) == record["hash"], f"record {count}: another blind hash"
    return count


def main(arguments):
    if not arguments:
        FILE.write_text(text_of(made()))
        return 0
    if arguments == ["--check"]:
        kept = FILE.read_text()
        if kept != text_of(made()) or open_all(kept) != len(list(vectors())):
            print(f"{FILE.name} is not what this script writes")
            return 1
        return 0
    if len(arguments) == 2 and arguments[0] == "--open":
        sealed = subprocess.run([arguments[1], FILE], check=True, stdout=subprocess.PIPE, text=True).stdout
        if open_all(sealed) != len(list(vectors())):
            print("some records are missing")
            return 1
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
