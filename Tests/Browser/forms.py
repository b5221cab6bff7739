# SPDX-License-Identifier: Apache-2.0
"""The forms of other programs: `epact handoff` without a terminal, and the browser that it opens."""

import os
import pathlib
import subprocess
import tempfile
import urllib.parse

from home import HOSTILE, MARK, Home
from page import Browser, Failure, template_names

EVENT = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//Booking//EN
BEGIN:VEVENT
UID:{uid}
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:{day:%Y%m%d}T180000
DTEND;TZID=Europe/Berlin:{day:%Y%m%d}T190000
SUMMARY:{title}
LOCATION:{title}
DESCRIPTION:{title}
URL:https://example.org/yoga
END:VEVENT
END:VCALENDAR
"""


class Form:
    """A running `epact handoff` without a terminal."""

    def __init__(self, programs, home, *options, locale="en_GB.UTF-8"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="form-", dir=home.folder))
        opened, script = self.folder / "opened", self.folder / "browser"
        os.mkfifo(opened)
        script.write_text(f"#!/bin/sh\necho \"$1\" >'{opened}'\n")
        script.chmod(0o700)
        environment = {
            "HOME": str(home.folder), "PATH": os.environ.get("PATH", ""), "LC_ALL": locale,
            "TZ": "Europe/Berlin", "BROWSER": str(script)}
        self.process = subprocess.Popen(
            [str(pathlib.Path(programs, "epact").resolve()), "handoff", *options],
            env=environment, cwd=home.folder, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.address = opened.read_text().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.origin = f"{parts.scheme}://{parts.netloc}"

    def finish(self, status, output=""):
        """Waits for the end, and compares what the other program learns."""
        found, errors = self.process.communicate(timeout=30)
        if (self.process.returncode, found) != (status, output):
            raise Failure(f"a form ended with {self.process.returncode}, {found!r}, {errors!r}")
        if self.address not in errors:
            raise Failure(f"the address was not printed: {errors!r}")


def offer(programs, home, title, javascript=True, uid="yoga@example.org", locale="en_GB.UTF-8"):
    """Offers an event, and opens the form."""
    path = home.folder / "prepared.ics"
    text = EVENT.format(uid=uid, title=title, day=home.today)
    path.write_text(text.replace("\n", "\r\n"), newline="")
    form = Form(programs, home, "--form", str(path), locale=locale)
    return form, Browser(form, javascript)


def look(page, axe):
    """Checks accessibility and widths, light and dark."""
    page.check_log()
    for scheme in ["light", "dark"]:
        page.media(scheme)
        page.check_access(axe, scheme)
    for width in [320, 1280]:
        page.width(width)
        page.check_width(width)


def save(programs, home, axe, javascript):
    """Corrects a form by the keyboard, and saves it."""
    form, page = offer(programs, home, "Yoga", javascript)
    try:
        if javascript:
            look(page, axe)
        page.find("input[name=title]").click()
        reached = []
        for _ in range(11):
            page.key("\ue004")
            reached.append(page.focused("name"))
        if reached[:9] != ["all-day", "start", "end", "zone", "where", "repeat", "alarms", "note",
                           "calendar"]:
            raise Failure(f"the tabulator goes to {reached}")
        page.write("input[name=title]", "Yoga with Ana")
        page.write("input[name=repeat]", "every full moon")
        page.write("input[name=end]", "17:00")
        page.leave(lambda: page.key("\ue007"))
        page.expect("expected an end after the start", "#error-end")
        page.expect("full moon", "#error-repeat")
        if page.find("input[name=title]").get_attribute("value") != "Yoga with Ana":
            raise Failure("what was typed is gone")
        # The status of a page with errors is in the log.
        page.driver.get_log("browser")
        if javascript:
            look(page, axe)
        page.write("input[name=repeat]", "weekly")
        page.write("input[name=end]", "19:30")
        page.choose_text("select[name=calendar]", "Work")
        page.press("Save")
        page.expect("Saved.")
        page.expect("You can close this window.")
    finally:
        page.quit()
    form.finish(0)
    texts = [path.read_text() for path in (home.folder / "calendars" / "work").glob("*.ics")]
    saved = [text for text in texts if "SUMMARY:Yoga with Ana" in text]
    if len(saved) != 1 or "FREQ=WEEKLY" not in saved[0] or "T193000" not in saved[0]:
        raise Failure(f"the saved event is {saved}")


def cancel(programs, home, javascript):
    form, page = offer(programs, home, "Pilates", javascript)
    try:
        page.press("Cancel")
        page.expect("Cancelled.")
    finally:
        page.quit()
    form.finish(2)


def choose(programs, home, axe, javascript):
    """Chooses one calendar, and several."""
    form = Form(programs, home, "--choose", "events")
    page = Browser(form, javascript)
    try:
        if javascript:
            look(page, axe)
        page.press("Choose")
        page.expect("Choose a calendar.", ".note")
        identifier = page.find("input[type=radio]").get_attribute("value")
        page.find("input[type=radio]").click()
        page.press("Choose")
        page.expect("Chosen.")
    finally:
        page.quit()
    form.finish(0, identifier + "\n")


def show(programs, home, axe, javascript):
    """Shows an event, changes it, and deletes it."""
    uid = home.write("family", "VEVENT", "Chess", [
        f"DTSTART;TZID=Europe/Berlin:{home.today:%Y%m%d}T200000", "DURATION:PT1H"])
    options = ["--show", uid, "--calendar", "family"]
    for action, words, output in [("Save", "Saved.", ""), ("Delete", "Deleted.", "deleted\n")]:
        form = Form(programs, home, *options, "--editable")
        page = Browser(form, javascript)
        try:
            page.expect("Chess")
            if javascript:
                look(page, axe)
            page.follow("Change")
            if javascript:
                look(page, axe)
            page.write("input[name=where]", "Club")
            page.press(action if action == "Save" else "Delete the event")
            page.expect(words)
        finally:
            page.quit()
        form.finish(0, output)
    form = Form(programs, home, "--choose", "events")
    page = Browser(form, javascript)
    page.quit()
    form.process.terminate()
    form.finish(2)


def hostile(programs, home):
    """Offers events that are written to break the form."""
    names, attributes = template_names("Sources/EpactServe/Templates")
    for number, text in enumerate(HOSTILE):
        value = (MARK + text).replace(";", "\\;").replace(",", "\\,")
        form, page = offer(programs, home, value, uid=f"hostile{number}")
        try:
            page.check_log()
            page.check_isolation(MARK, names, attributes)
            page.width(320)
            page.check_width(320)
            page.press("Save")
            page.expect("Saved.")
        finally:
            page.quit()
        form.finish(0)


def check_forms(programs, axe):
    """Uses the forms with JavaScript and without."""
    for javascript in [True, False]:
        with tempfile.TemporaryDirectory(prefix="epact-browser-") as folder:
            home = Home(folder)
            save(programs, home, axe, javascript)
            cancel(programs, home, javascript)
            choose(programs, home, axe, javascript)
            show(programs, home, axe, javascript)
            if javascript:
                hostile(programs, home)
    with tempfile.TemporaryDirectory(prefix="epact-browser-") as folder:
        form, page = offer(programs, Home(folder), "يوغا", locale="ar_EG.UTF-8")
        try:
            look(page, axe)
            page.press("Cancel")
        finally:
            page.quit()
        form.finish(2)
