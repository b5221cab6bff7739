#!/usr/bin/env python3
"""Checks the links between the pages of a website that DocC built.

usage: .ci/docs-links.py FOLDER

Each page is a JSON file below FOLDER/data, whose references contain the URLs of its links. Every URL on the
site must be a page, and every anchor a heading of that page.
"""
import json
import pathlib
import re
import sys

site = pathlib.Path(sys.argv[1])
pages = {}
for path in site.glob("data/documentation/**/*.json"):
    pages["/" + str(path.relative_to(site / "data").with_suffix("")).lower()] = json.loads(path.read_text())


def anchors(value):
    """The anchors of all headings in a page."""
    if isinstance(value, dict):
        if "anchor" in value:
            yield value["anchor"]
        for member in value.values():
            yield from anchors(member)
    elif isinstance(value, list):
        for element in value:
            yield from anchors(element)


failures = []
links = 0
for name, page in sorted(pages.items()):
    for reference in page.get("references", {}).values():
        url = reference.get("url", "")
        if not url.startswith("/documentation/"):
            continue
        links += 1
        target, _, anchor = url.partition("#")
        if target.lower() not in pages:
            failures.append(f"{name}: there is no page {url}")
        elif anchor and anchor not in set(anchors(pages[target.lower()])):
            failures.append(f"{name}: there is no heading {url}")
    # Links that DocC does not know stay texts such as <doc:Gone> or doc:Gone.
    for text in re.findall(r"<?doc:[A-Za-z/][^\s\"<>\\]*", json.dumps(page.get("primaryContentSections", []))):
        if "://" not in text:
            failures.append(f"{name}: cannot resolve {text}")

print(f"{len(pages)} pages, {links} links, {len(failures)} broken")
for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures or not pages else 0)
