#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: browser.py PROGRAM RUN-FOLDER [--pictures FOLDER]

Opens a report of sample tables in headless Chromium, and checks that it shows their facts, that it asks no network for anything,
that the browser reports nothing, and that nothing is cut off on a phone. If the program serves stores, it opens the pages that
it serves as well. With --pictures it also draws the page as light.png,
dark.png, phone.png and print.pdf, for people to look at.
"""
import argparse
import contextlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import sample

SKIPPED = 77
NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")  # the browser has wishes of its own
PHONE = 375

# Puts what is too wide into the document, as the number of elements and the first of them.
MEASURE = """
const wide = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll table')
    && e.getBoundingClientRect().right > innerWidth + 0.5);
parent.document.body.dataset.width = innerWidth;
parent.document.body.dataset.scroll = document.documentElement.scrollWidth;
parent.document.body.dataset.wide = wide.length;
parent.document.body.dataset.first = wide.length ? wide[0].outerHTML.slice(0, 200) : '';
"""


def expect(holds, what, shown=""):
    if not holds:
        sys.exit(f"{what}\n{shown}")


def is_debian():
    """There the package is installed by scripts/setup; other systems have it as something else, or not at all."""
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            return "ID=debian\n" in file.read()
    except FileNotFoundError:
        return False


def find_browser():
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if is_debian():
        sys.exit("Chromium is not installed: run scripts/setup")
    print("Chromium is not installed, so the page is not opened in a browser")
    sys.exit(SKIPPED)


def browse(browser, page, *options):
    """Standard output and standard error of the browser, with an empty profile."""
    with tempfile.TemporaryDirectory() as profile:
        ended = subprocess.run([browser, *QUIET, f"--user-data-dir={profile}", *options, page if "://" in page else f"file://{page}"],
                               text=True, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expect(ended.returncode == 0, f"the browser ends with {ended.returncode}", ended.stderr)
    return ended.stdout, ended.stderr


def run(*command, typed=""):
    ended = subprocess.run(command, text=True, input=typed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(ended.returncode == 0, " ".join(command), ended.stdout)


def schema_file(folder):
    return os.path.join(folder, "schema.json")


def make_report(program, folder):
    store = "embedded:" + os.path.join(folder, "sample.db") + ";synchronous=normal"
    page = os.path.join(folder, "report.html")
    with open(schema_file(folder), "w", encoding="utf-8") as file:
        file.write(sample.SCHEMA)
    for table, rows in sample.TABLES.items():
        run(program, "import", table, "-", "--format", "jsonl", "--create-table", "--store", store, typed=sample.lines(rows()))
    run(program, "report", "--title", "Contoso", "--schema", schema_file(folder), "--output", page, "--store", store)
    return page


@contextlib.contextmanager
def served(program, folder):
    """The URL of the pages of a server of the sample, or nothing if the program has none."""
    if "--page" not in subprocess.run([program, "serve", "--help"], text=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL).stdout:
        yield None
        return
    server = subprocess.Popen([program, "serve", "--page", "--account", "devstoreaccount1", "--port", "0", "--schema",
                               schema_file(folder), "--store", "embedded:" + os.path.join(folder, "sample.db")], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    try:
        yield server.stdout.readline().strip().removesuffix("devstoreaccount1")
    finally:
        server.terminate()
        server.wait(timeout=60)


def visible_text(document):
    body = re.sub(r"<(style|title)\b.*?</\1>", "", document, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", body)))


def check_served(browser, program, folder):
    """Each page shows its facts, and the browser has nothing to report."""
    with served(program, folder) as url:
        for path, *facts in (("", "Engineering 823 ", "Entities of the schema"), ("-/partitions?table=Readings", "device-0024"),
                           ("-/rows?table=Employees&partition=Audit", "email_gone@contoso.com_empid_999999"),
                           ("-/rows?table=Orders", sample.HOSTILE)) if url else ():
            document, said = browse(browser, url + path, "--dump-dom", "--enable-logging=stderr", "--v=0")
            expect(":CONSOLE" not in said, f"the browser reports something at /{path}", said)
            for fact in facts:
                expect(fact in visible_text(document), f"the page /{path} does not show: {fact}", document[-6000:])


def check_facts(browser, page):
    document, said = browse(browser, page, "--dump-dom", "--enable-logging=stderr", "--v=0")
    text = visible_text(document)
    expect(":CONSOLE" not in said, "the browser reports something", said)
    expect("<title>Contoso</title>" in document, "the text of a table is obeyed", document[:2000])
    for fact in ("Tables 3 ", "Engineering 823 ", "Int32 99 %, String 1.1 % 2 types",
                 "1 row of the index of employee at email has no entity", "3 effects are parked", sample.HOSTILE,
                 "Employees: employee.Age: it holds Edm.String where Edm.Int32 is expected, in 12 rows"):
        expect(fact in text, f"the page does not show: {fact}", text[:6000])
    return text


def asked_for(browser, page, folder):
    """The addresses that the page asks for. What the browser itself wants has no origin."""
    log = os.path.join(folder, "net.json")
    browse(browser, page, "--dump-dom", f"--log-net-log={log}")
    with open(log, encoding="utf-8") as file:
        asked = [event.get("params", {}) for event in json.load(file)["events"]]
    return sorted({p["url"] for p in asked if "url" in p and p.get("initiator", "not an origin") != "not an origin"})


def check_network(browser, page, folder):
    curious = os.path.join(folder, "curious.html")
    with open(curious, "w", encoding="utf-8") as file:
        file.write('<!doctype html><img src="http://page.invalid/x.png">')
    expect(asked_for(browser, curious, folder) == ["http://page.invalid/x.png"], "requests of a page are not seen")
    found = asked_for(browser, page, folder)
    expect(not found, "the page asks for something", "\n".join(found))


def on_phone(page, folder, script=""):
    """A page with the report in a frame as wide as a phone. The script is allowed here alone."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read(), count=1)
    text = text.replace("</body>", f"<script>{script}</script></body>")
    frame = os.path.join(folder, "phone.html")
    with open(frame, "w", encoding="utf-8") as file:
        file.write(f'<!doctype html><meta charset="utf-8"><body style="margin:0"><iframe style="border:0;width:{PHONE}px;height:'
                   f'2400px" srcdoc="{html.escape(text)}"></iframe></body>')
    return frame


def check_phone(browser, page, folder):
    document, _ = browse(browser, on_phone(page, folder, MEASURE), "--dump-dom", "--virtual-time-budget=5000")
    found = dict(re.findall(r'data-(\w+)="([^"]*)"', document[:document.find("<iframe")]))
    expect(found.get("width") == str(PHONE), "the page was not measured", str(found))
    expect(found["scroll"] == str(PHONE) and found["wide"] == "0", "something is cut off on a phone", str(found))


def draw(browser, page, folder, pictures):
    os.makedirs(pictures, exist_ok=True)
    for name, scheme in (("light", 1), ("dark", 0)):
        browse(browser, page, f"--screenshot={os.path.abspath(pictures)}/{name}.png", "--window-size=1120,1560",
               f"--blink-settings=preferredColorScheme={scheme}")
    browse(browser, on_phone(page, folder), f"--screenshot={os.path.abspath(pictures)}/phone.png", f"--window-size={PHONE + 125},2400")
    browse(browser, page, f"--print-to-pdf={os.path.abspath(pictures)}/print.pdf", "--no-pdf-header-footer")


def main():
    reader = argparse.ArgumentParser(usage=__doc__)
    reader.add_argument("program", type=os.path.abspath)
    reader.add_argument("folder", type=os.path.abspath)
    reader.add_argument("--pictures")
    given = reader.parse_args()
    browser = find_browser()
    shutil.rmtree(given.folder, ignore_errors=True)
    os.makedirs(given.folder)
    page = make_report(given.program, given.folder)
    check_facts(browser, page)
    check_network(browser, page, given.folder)
    check_phone(browser, page, given.folder)
    check_served(browser, given.program, given.folder)
    if given.pictures:
        draw(browser, page, given.folder, given.pictures)


if __name__ == "__main__":
    main()
