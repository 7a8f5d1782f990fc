# SPDX-License-Identifier: Apache-2.0
"""Writes the measured tables into docs/performance.md, between the comments <!-- measured: NAME --> and <!-- end -->.

usage: performance_page.py PAGE BENCH_JSON PEERS_TSV INSTRUCTIONS_JSON [BENCH_CLANG_JSON]

BENCH_CLANG_JSON, of scripts/bench --clang, adds columns to the goals. A case that a file lacks is an error.
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

# Those whose instructions are counted by hand as well.
BY_HAND = {"decode 100 entities", "insert", "point read", "query of 100 entities", "transaction of 100 inserts"}

# What tablemap wants to take at most of the time of the code by hand.
GOALS = {
    "decode an entity": ("decode_entity", "entity", "baseline_inline", 1.2),
    "decode a page of 1,000": ("decode_page", "entities", "baseline_table", 1.1),
    "embedded insert, `normal`": ("embedded_insert_normal", "table", "baseline_sqlite", 1.2),
    "embedded transaction of 100 inserts, `full`": ("embedded_group_full", "table", "baseline_sqlite", 1.3),
    "embedded transaction of 100 inserts, `normal`": ("embedded_group_normal", "table", "baseline_sqlite", 1.3),
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


# The groups that are measured with a second struct, too, which has the same goals.
WITH_CONTACT = {
    *("decode_entity", "decode_page"),
    *("embedded_insert_normal", "embedded_group_full", "embedded_group_normal", "embedded_find", "embedded_page"),
    *("rest_beast_page_blocking", "rest_cpprest_page_blocking", "rest_beast_group_blocking"),
}


class Measured(dict):
    """What a file has by name, or by parts of names. To ask for anything else ends the program."""

    def __init__(self, content, file, command):
        super().__init__(content)
        self.file, self.command = file, command

    def __missing__(self, key):
        name = key if isinstance(key, str) else "/".join(filter(None, key))
        sys.exit(f"error: {self.file} has no {name}: run {self.command}")


def microseconds(nanoseconds):
    value = nanoseconds / 1000
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def lines(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def time_of(times, group, case, chosen=statistics.median):
    """Nothing where there is no such case."""
    return microseconds(chosen(times[group, case, ""].values())) if case else "–"


def ratio_of(times, group, case, baseline, compare=bench_table.ratio):
    return f"{compare(times[group, case, ''], times[group, baseline, '']):.2f}" if case else "–"


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
    return f"**{cell}**" if float(cell.replace(",", "")) > goal else cell


def with_contact(goals):
    """The rows of goals, each followed by that of the second struct if it was measured."""
    for name, (group, *goal) in goals.items():
        yield name, group, *goal
        if group in WITH_CONTACT:
            yield name + ", `contact`", group + "_contact", *goal


def goals_table(*compilers):
    """The times of one compiler, or of g++ and clang."""
    def row(name, goal, cells):
        return [name, goal, *(marked(cell, float(goal)) for cell in cells)]

    rows = [row(name, f"{goal:.2f}", [cell for times in compilers for cell in ratios_of(times, group, case, baseline)])
            for name, group, case, baseline, goal in with_contact(GOALS)]
    rows += [row(name, str(goal), [time_of(times, group, case, value) for times in compilers for value in (statistics.median, min)])
             for name, group, case, goal in with_contact(TIME_GOALS)]
    head = ["median", "shortest"] if len(compilers) == 1 else ["g++, median", "shortest", "clang, median", "shortest"]
    return lines(["operation", "at most", *head], rows)


def instructions_table(operations):
    rows = []
    for name, pair in OPERATIONS.items():
        row = [name]
        for operation in pair:
            count, compared = operations[operation]["instructions"], ["–", "–"]
            if name in BY_HAND:
                by_hand = operations[operation + "_by_hand"]["instructions"]
                compared = [f"{by_hand:,}", f"{count / by_hand:.2f}"]
            row += [f"{count:,}", *compared, f"{operations[operation]['allocations']:,.0f}"]
        rows.append(row)
    head = ["by hand", "ratio", "allocations"]
    return lines(["operation", "employee", *head, "contact", *head], rows)


def written(page, tables):
    """The page with its tables. A place that names no table is an error."""
    return PLACE.sub(lambda place: place[1] + "\n".join(tables[place[2]]) + "\n" + place[3], page)


def text_of(file):
    try:
        return pathlib.Path(file).read_text(encoding="utf-8")
    except OSError as e:
        sys.exit(f"error: {e}")


def times_in(file, command):
    return Measured(bench_table.times_of(json.loads(text_of(file))["benchmarks"]), file, command)


def main(page, results, peers, instructions, clang=None):
    times = times_in(results, "scripts/bench")
    compilers = [times] + ([times_in(clang, "scripts/bench --clang")] if clang else [])
    operations = json.loads(text_of(instructions))["operations"]
    tables = {
        "http": http_table(times, peers_of(text_of(peers))),
        "under_way": under_way_table(times),
        "embedded": embedded_table(times),
        "asynchronous": asynchronous_table(times),
        "codec": codec_table(times),
        "goals": goals_table(*compilers),
        "instructions": instructions_table(Measured(operations, instructions, "scripts/bench-instructions --write")),
    }
    page = pathlib.Path(page)
    page.write_text(written(text_of(page), tables), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
