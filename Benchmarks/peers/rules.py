# SPDX-License-Identifier: Apache-2.0
"""The rules of the benchmarks, expanded by python-dateutil; called and answering as Runner/Worker.swift says.

    rules.py expand|expand-zoned "RULE START ZONE COUNT TARGET" samples|passes NUMBER
"""

import datetime
import itertools
import resource
import sys
import zoneinfo

from dateutil.rrule import rrulestr

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# Seconds are what a pass takes, so one sample is long enough; it is called several times.
MOST_SAMPLES = 1


class Rule:
    def __init__(self, text):
        rule, start, zone, count, _ = text.split()
        self.rule, self.count = rule, int(count)
        self.zone = None if zone == "-" else zoneinfo.ZoneInfo(zone)
        self.start = datetime.datetime.strptime(start, "%Y%m%dT%H%M%S").replace(tzinfo=self.zone)

    def instances(self):
        return itertools.islice(rrulestr(self.rule, dtstart=self.start), self.count)

    def expand(self):
        count = fields = 0
        for t in self.instances():
            count += 1
            fields += ((t.year * 12 + t.month) * 31 + t.day) * 86400 + t.hour * 3600 + t.minute * 60 + t.second
        self.answers = {"instances": count, "instanceFields": fields}

    def expand_zoned(self):
        count = seconds = 0
        for t in self.instances():
            count += 1
            seconds += int((t - EPOCH).total_seconds())
        self.answers = {"instances": count, "instanceSeconds": seconds}


def main(name, text, mode, number):
    rule = Rule(text)
    run = {"expand": rule.expand, "expand-zoned": rule.expand_zoned}[name]
    if mode == "passes":
        for _ in range(int(number)):
            run()
    else:
        for _ in range(min(int(number), MOST_SAMPLES)):
            before = resource.getrusage(resource.RUSAGE_SELF)
            run()
            after = resource.getrusage(resource.RUSAGE_SELF)
            print("sample 1", after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime)
    for answer, value in rule.answers.items():
        print("answer", answer, value)
    with open("/proc/self/status") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM:"))
    print("peak", int(peak) * 1024)


main(*sys.argv[1:])
