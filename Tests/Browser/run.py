# SPDX-License-Identifier: Apache-2.0
"""Uses the pages in a real browser, with JavaScript and without, and checks their accessibility.

usage: run.py [--programs FOLDER] [--pictures FOLDER]
"""

import argparse
import pathlib
import sys
import tempfile
import time
import urllib.error
import urllib.request

from forms import check_forms
from home import HOSTILE, MARK, Home
from page import Browser, Failure, Server, find_axe, template_names

LOCALES = {"en": "en_GB.UTF-8", "de": "de_DE.UTF-8", "ar": "ar_EG.UTF-8"}


def status(address):
    """The status of an address for a reader that is not signed in."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def use_events(page):
    """Makes, moves and deletes an event, and takes that back."""
    page.go("/")
    page.write("form.quick input", "\"Lunch with Ana\" tomorrow 12:30 for 1h")
    page.press("Read", "form.quick")
    page.expect("would be added: Lunch with Ana", ".reading")
    page.choose("select[name=calendar]", "work")
    page.press("Read", "form.quick")
    page.press("Add it")
    page.expect("added: Lunch with Ana", ".note")
    page.expect("12:30")
    page.follow("Lunch with Ana")
    page.choose("select[name=target]", "family")
    page.press("Move")
    page.expect("moved: Lunch with Ana", ".note")
    page.follow("Lunch with Ana")
    page.write("input[name='field-where']", "Café")
    page.press("Save")
    page.expect("changed: Lunch with Ana", ".note")
    page.expect("Café")
    page.follow("Lunch with Ana")
    page.press("Delete")
    page.expect("deleted: Lunch with Ana", ".note")
    page.press("Undo", ".note")
    page.expect("is taken back.", ".note")
    page.follow("Lunch with Ana")
    page.press("Delete")
    page.go("/")
    page.expect_not("Lunch with Ana")


def use_series(page):
    """Changes one occurrence of a series, and takes that back."""
    page.go("/agenda")
    page.follow("Swimming")
    page.press("Choose")
    page.write("input[name='field-title']", "Swimming in the lake")
    page.press("Save")
    page.expect("changed: Swimming in the lake", ".note")
    page.go("/agenda")
    titles = page.text().splitlines()
    if sum("Swimming" in title and "lake" not in title for title in titles) < 3:
        raise Failure("the other occurrences changed as well")
    page.follow("Swimming in the lake")
    page.find("input[value=this]").click()
    page.press("Choose")
    page.write("input[name='field-title']", "Swimming")
    page.press("Save")
    page.press("Undo", ".note")
    page.expect("is taken back.", ".note")


def use_tasks(page):
    """Adds and completes a task, and takes that back."""
    page.go("/tasks")
    page.write("form.quick input[name=text]", "Buy milk by friday")
    page.press("Add", "form.quick")
    page.expect("added: Buy milk", ".note")
    page.leave(page.find("button[aria-label='Done: Buy milk']").click)
    page.expect("completed: Buy milk", ".note")
    page.press("Undo", ".note")
    page.go("/tasks")
    page.leave(page.find("button[aria-label='Done: Buy milk']").click)
    page.expect("completed: Buy milk", ".note")


def use_feeds(page):
    """Makes a feed, reads it as another program, and revokes it."""
    page.go("/feeds")
    page.choose("select[name=calendar]", "family")
    page.choose("select[name=show]", "titles")
    page.write("input[name=comment]", "for Grandma")
    page.press("Make it")
    page.expect("Made the feed for-grandma", ".note")
    address = next(
        line for line in page.text(".note").splitlines() if line.startswith("http://"))
    code, text = status(address)
    if code != 200 or "SUMMARY:Dentist" not in text or "Dr. Meier" in text:
        raise Failure(f"the feed has the status {code} and {text[:200]!r}")
    page.press("Revoke")
    page.expect("Revoked the feed for-grandma", ".note")
    if status(address)[0] != 404:
        raise Failure("the revoked feed is still there")


def use_search(page):
    """Searches from the bar, and goes to a match."""
    page.go("/week")
    page.write("header input[name=q]", "dentist")
    page.leave(page.find("header form").submit)
    page.expect("Dentist")
    page.follow("Dentist")
    page.expect("Dr. Meier")


def use_conflicts(page):
    """Settles a conflict with other values than those of both sides."""
    page.go("/sync")
    page.expect("1 in conflict")
    page.go("/conflicts")
    page.expect("Sports day\\, there")
    page.find("details.edit summary").click()
    page.write("textarea[name='value/VEVENT/SUMMARY']", "Sports day, for all")
    page.press("Take these values")
    page.expect("The conflict is settled.", ".note")
    page.expect("No conflicts wait.")
    page.go("/search?q=sports")
    page.expect("Sports day, for all")


USES = [use_events, use_series, use_tasks, use_feeds, use_search, use_conflicts]


def paths(page):
    """All pages: those of the bar, and those that others lead to."""
    result = page.places()
    result += ["/new?text=Lunch+tomorrow+12%3A30", "/new?text=Lunch", "/search?q=dinner"]
    page.go("/agenda")
    links = [
        link.get_attribute("href").removeprefix(page.server.origin)
        for link in page.driver.find_elements("css selector", ".ev .what a")]
    single = next(link for link in links if "date=" not in link)
    series = next(link for link in links if "date=" in link)
    return result + [single, series, series + "&span=this", "/nothing"]


def check(page, axe):
    """Checks accessibility, widths and the console log of all pages, light and dark."""
    for path in paths(page):
        page.go(path)
        if path != "/nothing":
            page.check_log()
        else:
            # Its status is in the log.
            page.driver.get_log("browser")
        for scheme in ["light", "dark"]:
            page.media(scheme)
            page.check_access(axe, scheme)
        for width in [320, 1280]:
            page.width(width)
            page.check_width(width)
        page.driver.get_log("browser")


def take_pictures(server, language, folder):
    """Takes pictures of all pages, small and large, light and dark."""
    page = Browser(server)
    try:
        for path in paths(page):
            page.go(path)
            name = path.split("?")[0].strip("/").split("/")[0] or "today"
            if "?" in path:
                name += "-" + "".join(c for c in path.split("?")[1][:20] if c.isalnum())
            for scheme in ["light", "dark"]:
                page.media(scheme)
                for width in [320, 1280, 2560]:
                    page.picture(folder / f"{name}-{language}-{scheme}-{width}.png", width)
    finally:
        page.quit()


def timed(words, body):
    start = time.monotonic()
    body()
    print(f"browser: {words}: {time.monotonic() - start:.1f} s", flush=True)


def use_keys(page):
    """Reaches places, items and fields by keys, except while somebody writes."""
    page.go("/agenda")
    page.key("j")
    first = page.focused("href")
    if "/item/" not in first:
        raise Failure(f"j goes to {first}")
    page.key("j")
    if page.focused("href") == first:
        raise Failure("a second j stays")
    page.key("k")
    if page.focused("href") != first:
        raise Failure("k does not go back")
    page.key("/")
    if page.focused("name") != "q":
        raise Failure("/ does not reach the search")
    page.key("t")
    if page.focused("value") != "t" or page.path != "/agenda":
        raise Failure("a key that is written is a command")
    page.key("\ue00c")
    page.leave(lambda: page.key("t"))
    page.key("n")
    if page.focused("name") != "text":
        raise Failure("n does not reach the line of new items")


def use(program, javascript):
    """Uses the pages of a home of its own."""
    with tempfile.TemporaryDirectory(prefix="epact-browser-") as folder:
        home = Home(folder)
        home.add_conflict(str(pathlib.Path(program).with_name("epact")))
        server = Server(program, home.folder)
        page = Browser(server, javascript)
        try:
            for part in USES + ([use_keys] if javascript else []):
                part(page)
                page.check_log()
        finally:
            page.quit()
            server.stop()


def check_hostile(program):
    """Opens all pages of items that are written to break them."""
    names, attributes = template_names("Sources/EpactServe/Templates")
    with tempfile.TemporaryDirectory(prefix="epact-browser-") as folder:
        home = Home(folder)
        home.add_hostile()
        server = Server(program, home.folder)
        page = Browser(server)
        try:
            page.go("/tasks")
            links = [
                link.get_attribute("href").removeprefix(server.origin)
                for link in page.driver.find_elements("css selector", ".task .what a")]
            for path in page.places() + [f"/search?q={MARK}"] + links:
                page.go(path)
                page.check_log()
                page.check_isolation(MARK, names, attributes)
                page.width(320)
                page.check_width(320)
            if len(links) < len(HOSTILE):
                raise Failure(f"/tasks has {len(links)} links")
        finally:
            page.quit()
            server.stop()


def check_language(server, axe):
    page = Browser(server)
    try:
        check(page, axe)
    finally:
        page.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", default=".build/debug")
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.programs, "epact-serve").resolve())
    axe = find_axe([".build/browser"])
    with tempfile.TemporaryDirectory(prefix="epact-browser-") as folder:
        home = Home(folder)
        home.add_conflict(str(pathlib.Path(program).with_name("epact")))
        servers = {}
        try:
            for language, locale in LOCALES.items():
                servers[language] = Server(program, home.folder, locale)
            if arguments.pictures:
                arguments.pictures.mkdir(parents=True, exist_ok=True)
                for language, server in servers.items():
                    timed(language, lambda: take_pictures(server, language, arguments.pictures))
                return
            timed("use with JavaScript", lambda: use(program, True))
            timed("use without JavaScript", lambda: use(program, False))
            timed("hostile items", lambda: check_hostile(program))
            timed("forms of other programs", lambda: check_forms(arguments.programs, axe))
            timed("pages from left to right", lambda: check_language(servers["en"], axe))
            timed("pages from right to left", lambda: check_language(servers["ar"], axe))
        finally:
            for server in servers.values():
                server.stop()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"browser: {failure}")
