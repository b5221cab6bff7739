# SPDX-License-Identifier: Apache-2.0
"""The events that calendars are filled with, and the names of their files."""

import re


def event(number, revision=0):
    """One event, of a size that is usual; its text depends on nothing but the numbers."""
    day, hour = 1 + number % 28, 8 + number % 10
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Seed//EN", "BEGIN:VEVENT",
        f"UID:event-{number:05d}@seed.example", "DTSTAMP:20260101T000000Z",
        f"LAST-MODIFIED:20260101T0000{revision:02d}Z", f"SEQUENCE:{revision}",
        f"DTSTART:2026{1 + number % 12:02d}{day:02d}T{hour:02d}0000Z",
        f"DTEND:2026{1 + number % 12:02d}{day:02d}T{hour:02d}4500Z",
        f"SUMMARY:Meeting {number}" + (f" moved {revision}" if revision else ""),
        f"LOCATION:Room {number % 40}", "DESCRIPTION:What was decided last time\\, and what was not",
        "END:VEVENT", "END:VCALENDAR", ""]
    return "\r\n".join(lines).encode()


def revised(text, revision):
    """A later version of an event, whatever UID and further properties a server has given it."""
    for name, value in [
        (rb"SUMMARY:Meeting \d+", b" moved %d" % revision), (rb"SEQUENCE:", b"%d" % revision),
        (rb"LAST-MODIFIED:", b"20260101T0000%02dZ" % revision)
    ]:
        text = re.sub(rb"(?m)^(%s)[^\r]*" % name, rb"\g<1>" + value, text)
    return text


def name_of(number):
    return f"event-{number:05d}_40seed.example.ics"
