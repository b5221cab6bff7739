# SPDX-License-Identifier: Apache-2.0
"""Calendars of one item with many parts of one kind, and edited copies of them.

Each kind is a row of KINDS: how a calendar with the parts of a version is written, and what to look for to
count the parts in a calendar that the program wrote.
"""

import datetime
import re

START = datetime.datetime(2026, 1, 1, 9, 0, 0)


def fold(line):
    """A content line in physical lines of at most 75 octets."""
    pieces = [line[:75]]
    pieces += [" " + line[start:start + 74] for start in range(75, len(line), 74)]
    return "\r\n".join(pieces)


def text(time):
    return time.strftime("%Y%m%dT%H%M%S")


class Version:
    """The parts of one version of a calendar, and where its series starts."""

    def __init__(self, name, count):
        self.parts = list(range(count))
        self.changed = set()
        self.is_edit = name != "base"
        self.shift = datetime.timedelta()
        if name == "local":
            self.changed = {count // 3}
            self.parts.remove(count // 4)
        elif name == "remote":
            self.changed = {2 * count // 3}
            self.parts.append(count)
        elif name == "edited":
            self.changed = set(self.parts)
        elif name == "moved":
            self.shift = datetime.timedelta(hours=1)

    def word(self, part):
        return f"part-{part}" + ("-edited" if part in self.changed else "")

    def day(self, part):
        return START + self.shift + datetime.timedelta(days=part)

    def time(self, part):
        """A time that an edit moves by a minute."""
        return text(self.day(part) + datetime.timedelta(minutes=part in self.changed))


def calendar(*lines):
    return "\r\n".join(
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Epact//Growth//EN", *lines, "END:VCALENDAR", ""])


def component(name, *lines):
    return "\r\n".join([f"BEGIN:{name}", *lines, f"END:{name}"])


def event(version, *lines, uid="series@example.org", start=None, title="A series", zone=""):
    stamp = "20260102T000000Z" if version.is_edit else "20260101T000000Z"
    start = text(start or START + version.shift)
    return component(
        "VEVENT", f"UID:{uid}", f"DTSTAMP:{stamp}", f"DTSTART{zone}:{start}", "DURATION:PT30M",
        f"SUMMARY:{title}", *lines)


def override(version, part, late=0, name=None, zone=""):
    """An override of one occurrence, `late` minutes after it, and of the one that is named."""
    day = version.day(part)
    named = text(day if name is None else version.day(name))
    return event(
        version, f"RECURRENCE-ID{zone}:{named}", start=day + datetime.timedelta(minutes=late),
        title=version.word(part), zone=zone)


def series(version, *lines, zone=""):
    return event(version, "RRULE:FREQ=DAILY", *lines, zone=zone)


def overrides(**options):
    return lambda version: calendar(
        series(version), *(override(version, part, **options) for part in version.parts))


def orphans(version):
    return calendar(*(override(version, part) for part in version.parts))


def mixed(version):
    dates = ",".join(text(version.day(part) + datetime.timedelta(hours=2)) for part in version.parts)
    gone = ",".join(text(version.day(part + len(version.parts) + 9)) for part in version.parts)
    return calendar(
        series(version, fold("RDATE:" + dates), fold("EXDATE:" + gone)),
        *(override(version, part) for part in version.parts))


def lines(form, inside=series):
    """A calendar with a content line for each part."""
    return lambda version: calendar(
        inside(version, *(fold(form(version, part)) for part in version.parts)))


def values(start, form, inside=series, separator=",", end=""):
    """A calendar with one content line whose list has a value for each part."""
    return lambda version: calendar(inside(version, fold(
        start + separator.join(form(version, part) for part in version.parts) + end)))


def alarm(version, part, uid, trigger):
    return component(
        "VALARM", f"UID:{uid}", "ACTION:DISPLAY", f"TRIGGER:-PT{trigger}M",
        f"DESCRIPTION:{version.word(part)}")


def zone(part):
    return component(
        "VTIMEZONE", f"TZID:Zone-{part}", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0100", f"TZOFFSETTO:+01{part % 60:02}", "END:STANDARD")


def zones(version):
    return calendar(
        *(zone(part) for part in version.parts), series(version),
        *(override(version, part, zone=f";TZID=Zone-{part}") for part in version.parts))


def observances(version):
    parts = [
        component(
            "STANDARD", f"DTSTART:{text(datetime.datetime(1970, 1, 1) + datetime.timedelta(part))}",
            f"TZOFFSETFROM:+0{1 + part % 2}00", f"TZOFFSETTO:+0{2 - part % 2}00",
            f"COMMENT:{version.word(part)}")
        for part in version.parts
    ]
    return calendar(
        component("VTIMEZONE", "TZID:Zone", *parts), series(version, zone=";TZID=Zone"))


def items(version):
    return calendar(*(
        event(version, uid=f"{part}@example.org", start=version.day(part), title=version.word(part))
        for part in version.parts))


def calendars(version):
    return calendar(series(version)) + "".join(
        calendar(override(version, part)) for part in version.parts)


def availability(version):
    return calendar(component(
        "VAVAILABILITY", "UID:hours@example.org", "DTSTAMP:20260101T000000Z", *(
            component(
                "AVAILABLE", f"UID:{part}@example.org", "DTSTAMP:20260101T000000Z",
                f"DTSTART:{version.time(part)}", "DURATION:PT1H")
            for part in version.parts)), event(version))


class Kind:
    """Parts of one kind.

    `merged` is how many parts more than the base a merge leaves where each side edits one part, one side
    removes one and the other adds one; `synced` is the same of both sides of a sync. Where edits do not go
    together, each side keeps its own. `is_object` tells whether a server takes the calendar as one object,
    and `is_kept` whether items hold the parts.
    """

    def __init__(self, name, write, marker, merged=0, synced=(0, 0), is_object=True, is_kept=True):
        self.name = name
        self.write = write
        self.marker = re.compile(marker)
        self.merged = merged
        self.synced = synced
        self.is_object = is_object
        self.is_kept = is_kept

    def bytes(self, version, count):
        return self.write(Version(version, count)).encode()

    def count(self, data):
        """How many parts a calendar has."""
        unfolded = data.replace(b"\r\n ", b"").decode()
        return len(self.marker.findall(unfolded))


TIME = r"(?<!DTSTART:)(?<=[:,])2\d{7}T\d{6}(?!Z)"

KINDS = [
    Kind("overrides", overrides(), r"\nRECURRENCE-ID"),
    Kind("overrides alone", orphans, r"\nRECURRENCE-ID"),
    Kind("overrides elsewhere", overrides(late=90), r"\nRECURRENCE-ID"),
    Kind("overrides and dates", mixed, r"\nRECURRENCE-ID"),
    Kind("VALARM", lambda version: calendar(series(
        version, *(alarm(version, part, part, part + 1) for part in version.parts))), "BEGIN:VALARM"),
    Kind("VALARM, one UID", lambda version: calendar(series(
        version, *(alarm(version, part, "one", 5) for part in version.parts))), "BEGIN:VALARM",
        synced=(0, 0)),
    Kind("ATTENDEE", lines(
        lambda version, part: f"ATTENDEE;CN={version.word(part)}:mailto:{part}@example.org"),
        r"\nATTENDEE"),
    Kind("ATTENDEE, one address", lines(
        lambda version, part: f"ATTENDEE;CN={version.word(part)}:mailto:one@example.org"),
        r"\nATTENDEE", merged=-1, synced=(-1, 1)),
    Kind("EXDATE lines", lines(lambda version, part: f"EXDATE:{version.time(part)}"), r"\nEXDATE"),
    Kind("EXDATE values", values("EXDATE:", Version.time), TIME),
    Kind("RDATE lines", lines(lambda version, part: f"RDATE:{version.time(part)}"), r"\nRDATE"),
    Kind("RDATE values", values("RDATE:", Version.time), TIME),
    Kind("RDATE periods", values(
        "RDATE;VALUE=PERIOD:", lambda version, part: version.time(part) + "/PT2H"), r"/PT2H"),
    Kind("RRULE lines", lines(
        lambda version, part: f"RRULE:FREQ=DAILY;INTERVAL={part + 1};COUNT={3 + (part in version.changed)}",
        inside=event), r"\nRRULE", merged=-1, synced=(-1, 1)),
    Kind("CATEGORIES values", values("CATEGORIES:", Version.word), r"part-\d+"),
    Kind("COMMENT", lines(lambda version, part: f"COMMENT:{version.word(part)}"), r"\nCOMMENT"),
    Kind("RELATED-TO", lines(lambda version, part: f"RELATED-TO:{version.word(part)}"), r"\nRELATED"),
    Kind("X- of one name", lines(lambda version, part: f"X-NOTE:{version.word(part)}"), r"\nX-NOTE"),
    Kind("X- of many names", lines(
        lambda version, part: f"X-NOTE-{part}:{version.word(part)}"), r"\nX-NOTE"),
    Kind("parameters", values(
        "ATTENDEE;", lambda version, part: f"X-NOTE-{part}={version.word(part)}", separator=";",
        end=":mailto:one@example.org"), r"X-NOTE-\d+="),
    Kind("values of a parameter", values(
        "X-NOTE;X-LIST=", Version.word, end=":x"), r"part-\d+", merged=-1, synced=(-1, 1)),
    Kind("VTIMEZONE", zones, "BEGIN:VTIMEZONE"),
    Kind("observances", observances, "BEGIN:STANDARD", merged=1, synced=(1, 1)),
    Kind("VLOCATION", lambda version: calendar(series(version, *(
        component("VLOCATION", f"UID:{part}", f"NAME:{version.word(part)}")
        for part in version.parts))), "BEGIN:VLOCATION"),
    Kind("X- components", lambda version: calendar(series(version, *(
        component("X-THING", f"X-NOTE:{version.word(part)}") for part in version.parts))),
        "BEGIN:X-THING", synced=(1, 1)),
    Kind("a long text", values("DESCRIPTION:", Version.word, separator=" and "), r"part-\d+", merged=-1, synced=(-1, 1)),
    Kind("items", items, "BEGIN:VEVENT", is_object=False),
    Kind("calendars of one UID", calendars, r"\nRECURRENCE-ID", is_object=False),
    Kind("AVAILABLE", availability, "BEGIN:AVAILABLE", is_kept=False),
    Kind("lines that are none", lines(lambda version, part: f"no content line {part}"), "no content", synced=(-1, -1)),
]
