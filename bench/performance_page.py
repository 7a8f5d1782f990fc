# SPDX-License-Identifier: Apache-2.0
"""Writes the measured tables into docs/performance.md, between the comments <!-- measured: NAME --> and <!-- end -->.

usage: performance_page.py PAGE BENCH_JSON PEERS_TSV INSTRUCTIONS_JSON
"""

import json
import pathlib
import re
import statistics
import sys

import bench_table

PLACE = re.compile(r"(<!-- measured: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

HTTP = {
    "insert of an entity": ("insert", "whole"),
    "point read": ("find", "bytes"),
    "page of 1,000, decoded": ("page", "whole"),
    "transaction of 100 inserts": ("group", "whole"),
}
PEER_OPERATIONS = dict(zip(HTTP, ("insert", "point read", "page of 1,000", "group of 100")))

EMBEDDED = {
    "insert, `synchronous=full`": "embedded_insert_full",
    "insert, `normal`": "embedded_insert_normal",
    "transaction of 100 inserts, `full`": "embedded_group_full",
    "transaction of 100 inserts, `normal`": "embedded_group_normal",
    "point read": "embedded_find",
    "page of 1,000": "embedded_page",
}

ASYNCHRONOUS = {
    "one at a time, on an `io_context`": "callback_io_context",
    "eight under way, on an `io_context`": "callback_io_context_8_outstanding",
    "one at a time, a future": "future",
    "eight under way, handlers without an executor": "callback_8_outstanding",
    "eight blocking reads under way in a thread pool, by hand": "baseline_thread_pool_8_outstanding",
}

# The cases of tablemap and by hand.
UNDER_WAY = {
    "on Asio's threads": ("tablemap", "whole"),
    "on an `io_context`": ("tablemap_io_context", "whole_io_context"),
    "where the response comes": ("", "whole_inline"),
}

CODEC = {
    "encode an entity": ("encode", "entity", "baseline_by_hand"),
    "decode an entity": ("decode_entity", "entity", "baseline_inline"),
    "decode a page of 1,000": ("decode_page", "entities", "baseline_table"),
    "encode five encrypted members": ("crypto_encode", "five_encrypted_members", "baseline_five_values_alone"),
    "decode five encrypted members": ("crypto_decode", "five_encrypted_members", "baseline_five_values_alone"),
}

OPERATIONS = {
    "encode an entity": ("encode_employee", "encode_contact"),
    "decode 100 entities": ("decode_100_employees", "decode_100_contacts"),
    "insert": ("insert_employee", "insert_contact"),
    "point read": ("find_employee", "find_contact"),
    "`modify`": ("modify_employee", "modify_contact"),
    "query of 100 entities": ("query_100_employees", "query_100_contacts"),
    "transaction of 100 inserts": ("commit_100_employees", "commit_100_contacts"),
    "insert over HTTP, without the transport": ("remote_insert_employee", "remote_insert_contact"),
    "transaction of 100 inserts over HTTP, without the transport": (
        "remote_commit_100_employees",
        "remote_commit_100_contacts",
    ),
}

# What tablemap wants to take at most of the time of the code by hand.
GOALS = {
    "decode an entity": ("decode_entity", "entity", "baseline_inline", 1.2),
    "decode a page of 1,000": ("decode_page", "entities", "baseline_table", 1.1),
    "embedded insert, `normal`": ("embedded_insert_normal", "table", "baseline_sqlite", 1.2),
    "embedded transaction of 100 inserts, `full`": ("embedded_group_full", "table", "baseline_sqlite", 1.3),
    "the same, `normal`": ("embedded_group_normal", "table", "baseline_sqlite", 1.3),
    "bulk write into a durable file": ("bulk_full", "writer", "baseline_sqlite", 1.3),
    "embedded point read": ("embedded_find", "table", "baseline_sqlite", 1.25),
    "embedded page of 1,000": ("embedded_page", "table", "baseline_sqlite", 1.15),
    "eight reads under way, in memory": ("async_embedded", "callback_io_context_8_outstanding", "baseline_blocking", 2),
    "eight reads under way, in a file": ("async_file", "callback_io_context_8_outstanding", "baseline_blocking", 2),
    "page of 1,000 over Boost.Beast": ("rest_beast_page_blocking", "table", "baseline_beast_whole", 0.6),
    "page of 1,000 over cpprestsdk": ("rest_cpprest_page_blocking", "table", "baseline_cpprest_whole", 1),
    **{f"{count} inserts under way over Boost.Beast, {place}": (f"rest_beast_insert_c{count}", case,
                                                                f"baseline_beast_{baseline}", 1.15)
       for count in (8, 64) for place, (case, baseline) in UNDER_WAY.items() if case},
}

# And in µs.
TIME_GOALS = {
    "transaction of 100 inserts over Boost.Beast, µs": ("rest_beast_group_blocking", "table", 250),
    "encode five encrypted members, µs": ("crypto_encode", "five_encrypted_members", 10),
}


def microseconds(nanoseconds):
    value = nanoseconds / 1000
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def lines(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def time_of(times, group, case, chosen=statistics.median):
    key = (group, case, "")
    return microseconds(chosen(times[key].values())) if key in times else "–"


def ratio_of(times, group, case, baseline, compare=bench_table.ratio):
    keys = [(group, name, "") for name in (case, baseline)]
    value = compare(times[keys[0]], times[keys[1]]) if all(key in times for key in keys) else None
    return f"{value:.2f}" if value is not None else "–"


RATIOS = ["ratio", "of the shortest"]


def ratios_of(times, group, case, baseline):
    """The cells of RATIOS."""
    return [ratio_of(times, group, case, baseline, compare)
            for compare in (bench_table.ratio, bench_table.ratio_of_shortest)]


def peers_of(text):
    """Microseconds by client and operation."""
    found = {}
    for line in text.splitlines():
        client, operation, time = line.split("\t")
        found.setdefault(client, {})[operation] = float(time)
    return found


def http_table(times, peers):
    head = ["operation", "Boost.Beast", "by hand", "cpprestsdk", "by hand", *peers]
    rows = []
    for name, (group, baseline) in HTTP.items():
        row = [name]
        for library in ("beast", "cpprest"):
            full = f"rest_{library}_{group}_blocking"
            row += [time_of(times, full, "table"), time_of(times, full, f"baseline_{library}_{baseline}")]
        rows.append(row + [microseconds(1000 * known[PEER_OPERATIONS[name]]) for known in peers.values()])
    return lines(head, rows)


def embedded_table(times):
    rows = ([name, time_of(times, group, "table"), time_of(times, group, "baseline_sqlite"),
             *ratios_of(times, group, "table", "baseline_sqlite")] for name, group in EMBEDDED.items())
    return lines(["operation", "tablemap", "SQLite by hand", *RATIOS], rows)


def asynchronous_table(times):
    rows = ([name] + [cell for group in ("async_embedded", "async_file")
                      for cell in (time_of(times, group, case), ratio_of(times, group, case, "baseline_blocking"))]
            for name, case in ASYNCHRONOUS.items())
    return lines(["point reads", "in memory", "ratio", "in a file", "ratio"], rows)


def under_way_table(times):
    rows = []
    for count in (8, 64):
        for place, (case, baseline) in UNDER_WAY.items():
            row = [str(count), place]
            for library in ("beast", "cpprest"):
                group, by_hand = f"rest_{library}_insert_c{count}", f"baseline_{library}_{baseline}"
                row += [time_of(times, group, case), time_of(times, group, by_hand),
                        *ratios_of(times, group, case, by_hand)]
            rows.append(row)
    return lines(["inserts under way", "handlers run", "Boost.Beast", "by hand", *RATIOS, "cpprestsdk", "by hand", *RATIOS],
                 rows)


def codec_table(times):
    rows = ([name, time_of(times, group, case), time_of(times, group, baseline), *ratios_of(times, group, case, baseline)]
            for name, (group, case, baseline) in CODEC.items())
    return lines(["operation", "tablemap", "by hand", *RATIOS], rows)


def marked(cell, goal):
    """In bold what misses its goal."""
    return f"**{cell}**" if cell != "–" and float(cell.replace(",", "")) > goal else cell


def goals_table(times):
    rows = []
    for name, (group, case, baseline, goal) in GOALS.items():
        rows.append([name, f"{goal:.2f}", *(marked(cell, goal) for cell in ratios_of(times, group, case, baseline))])
    for name, (group, case, goal) in TIME_GOALS.items():
        cells = [time_of(times, group, case, value) for value in (statistics.median, min)]
        rows.append([name, str(goal), *(marked(cell, goal) for cell in cells)])
    return lines(["operation", "at most", "median", "shortest"], rows)


def instructions_table(operations):
    """Beside those of the code by hand, where there is such code."""
    def cells(name):
        count, by_hand = operations[name]["instructions"], operations.get(name + "_by_hand")
        compared = [f"{by_hand['instructions']:,}", f"{count / by_hand['instructions']:.2f}"] if by_hand else ["–", "–"]
        return [f"{count:,}", *compared, f"{operations[name]['allocations']:,.0f}"]

    rows = ([name, *cells(employee), *cells(contact)] for name, (employee, contact) in OPERATIONS.items())
    head = ["by hand", "ratio", "allocations"]
    return lines(["operation", "employee", *head, "contact", *head], rows)


def written(page, tables):
    """The page with its tables. A place that names no table is an error."""
    return PLACE.sub(lambda place: place[1] + "\n".join(tables[place[2]]) + "\n" + place[3], page)


def main(page, results, peers, instructions):
    times = bench_table.times_of(json.loads(pathlib.Path(results).read_text(encoding="utf-8"))["benchmarks"])
    tables = {
        "http": http_table(times, peers_of(pathlib.Path(peers).read_text(encoding="utf-8"))),
        "under_way": under_way_table(times),
        "embedded": embedded_table(times),
        "asynchronous": asynchronous_table(times),
        "codec": codec_table(times),
        "goals": goals_table(times),
        "instructions": instructions_table(json.loads(pathlib.Path(instructions).read_text(encoding="utf-8"))["operations"]),
    }
    page = pathlib.Path(page)
    page.write_text(written(page.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
