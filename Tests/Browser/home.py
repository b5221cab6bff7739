# SPDX-License-Identifier: Apache-2.0
"""A home folder with the calendars of a family, around the current day."""

import datetime
import os
import pathlib
import subprocess

CONFIGURATION = """\
default-calendar = "family"

[calendar.family]
path = "~/calendars/family"

[calendar.school]
path = "~/calendars/school"

[calendar.work]
path = "~/calendars/work"

[calendar.errands]
components = ["VTODO"]
path = "~/calendars/errands"

[calendar.shared]
path = "~/calendars/shared"

[[mirror]]
name = "busy"
from = ["work", "family"]
to = "shared"
show = "busy"

[remote.disk]
kind = "folder"
path = "~/disk"

[[sync]]
name = "disk"
calendar = "school"
remote = "disk"
"""

CALENDARS = {
    "family": ("Family", "#2e7d32"),
    "school": ("School", "#f9a825"),
    "work": ("Work", "#1565c0"),
    "errands": ("Errands", "#6a1b9a"),
    "shared": ("Shared", "#00838f"),
}

# Calendar, title, days from today, start, minutes, further lines.
EVENTS = [
    ("family", "Dinner at Ada's", 0, "19:00", 150, ["LOCATION:Ada's, Lindenstraße 4"]),
    ("family", "Dentist", 1, "10:30", 45, ["LOCATION:Dr. Meier", "STATUS:TENTATIVE"]),
    ("family", "Swimming", 1, "17:00", 60, ["RRULE:FREQ=WEEKLY"]),
    ("family", "نزهة في الحديقة", 2, "16:00", 90, ["LOCATION:الحديقة العامة"]),
    ("family", "Night train to Vienna", 3, "21:40", 620, []),
    ("school", "Parents' evening", 1, "17:30", 90, ["LOCATION:Room 12"]),
    ("school", "Choir", 2, "08:00", 45, ["RRULE:FREQ=WEEKLY;COUNT=12"]),
    ("work", "Standup", -7, "09:00", 15, ["RRULE:FREQ=DAILY"]),
    ("work", "Planning", 0, "09:00", 120, ["LOCATION:Room Ampère"]),
    ("work", "One-to-one with Katharina Wohlgemuth-Schwarzenbergerin", 0, "10:00", 60, []),
    ("work", "Review", 0, "10:30", 90, []),
    ("work", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung", 2, "11:00", 60,
     ["LOCATION:https://video.example.org/j/8842938471238947123984712398471239847123"]),
    ("work", "会議：来期の計画", 4, "14:00", 60, []),
]

# Calendar, title, days from today, number of days.
DAYS = [
    ("family", "Grandma's birthday", 1, 1),
    ("school", "Autumn trip to the mountains with everybody's bicycles", -1, 4),
    ("work", "Trade fair", 2, 6),
]

# Title, days from today at which it is due, or None.
TASKS = [
    ("Pay the rent", -3),
    ("Book the train back from Vienna, with seats and places for three bicycles", 1),
    ("Return the library books", None),
    ("شراء الخبز", 2),
]

# A word in each hostile text that no template contains, and the texts.
MARK = "zqz"
HOSTILE = [
    "<script>document.title='run'</script>", '"><img src=x onerror="document.title=1">',
    "</title><script>alert(1)</script>", "</textarea><b>", "</bdi></a></li>", "<!--",
    "javascript:alert(1)", "{{{content}}}", "\u202egpj.exe\u2066", '"\u0301><i\u0301>',
    "' onfocus='alert(1)", "<svg/onload=alert(1)>`=`", "]]><![CDATA[", "&lt;b&gt;&#60;",
    "a" + "\u0301" * 5000, "x" * 100_000]


class Home:
    """A home folder that `epact-serve` is started in."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.number = 0
        for name, (title, color) in CALENDARS.items():
            calendar = self.folder / "calendars" / name
            calendar.mkdir(parents=True)
            (calendar / "displayname").write_text(title)
            (calendar / "color").write_text(color)
        (self.folder / "disk").mkdir()
        config = self.folder / ".config" / "epact"
        config.mkdir(parents=True, mode=0o700)
        (config / "config.toml").write_text(CONFIGURATION)
        (config / "config.toml").chmod(0o600)
        self.today = datetime.date.today()
        for event in EVENTS:
            self.add_event(*event)
        for calendar, title, first, days in DAYS:
            start = self.today + datetime.timedelta(first)
            end = start + datetime.timedelta(days)
            self.write(calendar, "VEVENT", title, [
                f"DTSTART;VALUE=DATE:{start:%Y%m%d}", f"DTEND;VALUE=DATE:{end:%Y%m%d}"])
        for title, due in TASKS:
            day = self.today + datetime.timedelta(due or 0)
            self.write("errands", "VTODO", title, [] if due is None else [
                f"DUE;VALUE=DATE:{day:%Y%m%d}"])

    def add_event(self, calendar, title, days, start, minutes, lines=()):
        """Adds an event in the time zone of the browser's user."""
        day = self.today + datetime.timedelta(days)
        self.write(calendar, "VEVENT", title, [
            f"DTSTART;TZID=Europe/Berlin:{day:%Y%m%d}T{start.replace(':', '')}00",
            f"DURATION:PT{minutes}M", *lines])

    def add_conflict(self, epact):
        """Syncs a calendar with a folder after both sides changed the same event."""
        disk = self.folder / "disk"
        local = self.folder / "calendars" / "school"
        uid = self.write("school", "VEVENT", "Sports day", [
            f"DTSTART;TZID=Europe/Berlin:{self.today:%Y%m%d}T140000", "DURATION:PT3H"])
        self.run(epact, 0, "access", "disk", "--grant", "full", "--purpose",
                 "Keeps a copy on the disk, in case the laptop dies.")
        self.run(epact, 0, "sync", "disk")
        for folder, side in [(local, "here"), (disk, "there")]:
            path = next(path for path in folder.glob("*.ics") if uid in path.read_text())
            text = path.read_text().replace(
                "SUMMARY:Sports day", f"SUMMARY:Sports day\\, {side}\nDESCRIPTION:{side}\\n2 lines")
            path.write_text(text)
        self.run(epact, 3, "sync", "disk")

    def run(self, epact, status, *words):
        """Runs a command, which has to end with a status."""
        environment = {
            "HOME": str(self.folder), "PATH": os.environ.get("PATH", ""), "LC_ALL": "C",
            "TZ": "Europe/Berlin"}
        result = subprocess.run(
            [epact, *words], env=environment, cwd=self.folder, text=True, capture_output=True)
        if result.returncode != status:
            raise RuntimeError(f"epact {words[0]} ended with {result.returncode}: {result.stderr}")

    def add_hostile(self):
        """Adds items whose values are written to break pages."""
        for text in HOSTILE:
            value = (MARK + text).replace(";", "\\;").replace(",", "\\,")
            lines = [
                f"LOCATION:{value}", f"DESCRIPTION:{value}", f"CATEGORIES:{value}",
                f"URL:javascript:{MARK}"]
            day = self.today + datetime.timedelta(1)
            self.write("work", "VEVENT", value, [
                f"DTSTART:{day:%Y%m%d}T1{self.number % 10}0000Z", "DURATION:PT1H", *lines])
            self.write("errands", "VTODO", value, [f"DUE;VALUE=DATE:{self.today:%Y%m%d}", *lines])
        folder = self.folder / "calendars" / "work"
        (folder / "displayname").write_text(MARK + HOSTILE[1])

    def write(self, calendar, kind, title, lines):
        """Writes an item as another program would, and returns its UID."""
        self.number += 1
        uid = f"item{self.number}@example.org"
        lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Browser//EN", f"BEGIN:{kind}",
            f"UID:{uid}", "DTSTAMP:20260101T000000Z", f"SUMMARY:{title}", *lines, f"END:{kind}",
            "END:VCALENDAR"]
        path = self.folder / "calendars" / calendar / f"item{self.number}.ics"
        path.write_text("".join(line + "\r\n" for line in lines), newline="")
        return uid
