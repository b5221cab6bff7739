# SPDX-License-Identifier: Apache-2.0
"""A folder of generated items, of which the answers of queries are known."""

import datetime
import pathlib
import random

WORDS = ("review lunch dentist train invoice project garden school piano flight concert birthday meeting "
         "standup retro plan budget doctor yoga ana").split()
DAY = datetime.date(2026, 6, 15)
ZONE = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19810329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZNAME:CET
END:STANDARD
END:VTIMEZONE
"""


class Calendar:
    """A folder of items over nine years: a twentieth are reminders, a fiftieth are series of 40 weeks."""

    def __init__(self, folder, count):
        self.folder = pathlib.Path(folder)
        self.on_day, self.due_on_day, self.open_reminders, self.with_ana = 0, 0, 0, 0
        generator = random.Random(1)
        (self.folder / "home").mkdir()
        for number in range(count):
            self.write(number, generator)

    def write(self, number, generator):
        start = datetime.datetime(2022, 1, 1) + datetime.timedelta(minutes=30 * generator.randrange(48 * 365 * 9))
        title = " ".join(generator.sample(WORDS, 2)).capitalize() + f" {number}"
        lines = [f"UID:item-{number:06d}@example.org", "DTSTAMP:20220101T000000Z", f"SUMMARY:{title}"]
        if number % 20 == 0:
            lines.append(f"DUE;TZID=Europe/Berlin:{start:%Y%m%dT%H%M%S}")
            self.due_on_day += start.date() == DAY
            if number % 200:
                lines += ["STATUS:COMPLETED", "COMPLETED:20220202T000000Z"]
            else:
                self.open_reminders += 1
        else:
            lines += [f"DTSTART;TZID=Europe/Berlin:{start:%Y%m%dT%H%M%S}", "DURATION:PT15M"]
            days = [start.date() + datetime.timedelta(weeks=week) for week in range(40 if number % 50 == 1 else 1)]
            if len(days) > 1:
                lines.append("RRULE:FREQ=WEEKLY;COUNT=40")
            self.on_day += days.count(DAY)
        has_ana = "ana" in title.lower().split()
        if number % 3 == 0:
            lines.append(f"LOCATION:Room {number % 50}")
        if number % 5 == 0:
            word = generator.choice(WORDS)
            has_ana = has_ana or word == "ana"
            lines.append(f"DESCRIPTION:Notes about {word}\\, with a long text that people write when they pre\n"
                         " pare something and do not stop before the line is full.")
        self.with_ana += has_ana
        kind = "VTODO" if number % 20 == 0 else "VEVENT"
        text = (f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\n{ZONE}BEGIN:{kind}\n" + "\n".join(lines)
                + f"\nEND:{kind}\nEND:VCALENDAR\n")
        path = self.folder / "home" / f"{number:06d}.ics"
        path.write_bytes(text.replace("\n", "\r\n").encode())
