# SPDX-License-Identifier: Apache-2.0
"""The work of the benchmarks, done by Python's icalendar; called and answering as Runner/Worker.swift says.

    icalendar.py typed|canonical INPUT samples|passes NUMBER
"""

import datetime
import resource
import sys

# This file has the name of the library, so its own folder must not be searched.
del sys.path[0]
from icalendar import Calendar  # noqa: E402

# A pass over 10 MB takes seconds, so one sample is long enough; it is called several times.
MOST_SAMPLES = 1


class Typed:
    """Parses, and reads what libical's part reads."""

    def __init__(self, data):
        self.data = data

    def run(self):
        self.calendar = Calendar.from_ical(self.data)

    def answers(self):
        components = list(self.calendar.walk())
        if any(component.errors for component in components):
            sys.exit("icalendar: something could not be parsed")
        events = [component for component in components if component.name == "VEVENT"]
        days = [datetime.date(*event["DTSTART"].dt.timetuple()[:3]) for event in events]
        return {
            "components": len(components),
            "events": len(events),
            "summaryBytes": sum(len(c.get("SUMMARY", "").encode()) for c in components),
            "eventStartDays": sum((day - datetime.date(1970, 1, 1)).days for day in days),
        }


class Canonical:
    """Writes the calendar again; it sorts and folds its own way, so only the components are counted."""

    def __init__(self, data):
        self.calendar = Calendar.from_ical(data)

    def run(self):
        self.written = self.calendar.to_ical()

    def answers(self):
        return {"components": sum(line.startswith(b"BEGIN:") for line in self.written.split(b"\r\n"))}


def main(name, path, mode, number):
    with open(path, "rb") as file:
        work = {"typed": Typed, "canonical": Canonical}[name](file.read())
    if mode == "passes":
        for _ in range(int(number)):
            work.run()
    else:
        work.run()
        for _ in range(min(int(number), MOST_SAMPLES)):
            before = resource.getrusage(resource.RUSAGE_SELF)
            work.run()
            after = resource.getrusage(resource.RUSAGE_SELF)
            print("sample 1", after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime)
    for answer, value in work.answers().items():
        print("answer", answer, value)
    with open("/proc/self/status") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    print("peak", int(peak) * 1024)


main(*sys.argv[1:])
