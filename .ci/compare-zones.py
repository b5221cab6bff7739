# Prints the differences between Python's zoneinfo and epact in clock changes from 1900 to 2100.
#
#   compare-zones.py PROGRAM

import json
import multiprocessing
import subprocess
import sys
import zoneinfo
from datetime import datetime, timezone

START = int(datetime(1900, 1, 1, tzinfo=timezone.utc).timestamp())
END = int(datetime(2100, 1, 1, tzinfo=timezone.utc).timestamp())
# No zone has ever changed its clocks and changed them back within this time, in seconds.
STEP = 20 * 3600


def seconds(offset):
    """The seconds of an offset as RFC 5545 writes it, such as -001640."""
    digits = offset[1:].ljust(6, "0")
    value = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])
    return -value if offset[0] == "-" else value


def instant(text):
    """The seconds since the epoch of a time such as 20261025T010000Z."""
    return int(datetime.strptime(text, "%Y%m%dT%H%M%S%z").timestamp())


def pythons(name):
    """The changes that zoneinfo knows: walked through in steps, and found to the second by halving."""
    zone = zoneinfo.ZoneInfo(name)

    def clock(second):
        time = datetime.fromtimestamp(second, zone)
        return int(time.utcoffset().total_seconds()), time.tzname()

    changes = []
    second, before = START, clock(START)
    while second < END:
        following = min(second + STEP, END)
        after = clock(following)
        if after != before:
            low, high = second, following
            while high - low > 1:
                middle = (low + high) // 2
                if clock(middle) == before:
                    low = middle
                else:
                    high = middle
            changes.append((high, *clock(high)))
            following, after = high, clock(high)
        second, before = following, after
    return name, changes


def ours(zone):
    """The changes that epact prints, without those of only the daylight flag."""
    changes, before = [], None
    for change in zone["changes"]:
        second = instant(change["instant"])
        after = (seconds(change["after"]), change["abbreviation"])
        if second < END and (before is None or after != before):
            changes.append((second, *after))
        before = after
    return changes


def main():
    program = sys.argv[1]

    def zones(*arguments):
        output = subprocess.run(
            [program, "zones", "--json", "--at", "18991231T235959Z", *arguments],
            check=True, capture_output=True, text=True).stdout
        return json.loads(output)

    everything = zones()
    source = everything["source"]
    zoneinfo.reset_tzpath(to=[source])
    names = sorted(name for name in zoneinfo.available_timezones()
                   if name not in ("localtime", "posixrules", "Factory"))
    known = {}
    for zone in zones("--next", "1000", "--", *names)["zones"]:
        known[zone["tzid"]] = ours(zone)
    with multiprocessing.Pool() as pool:
        theirs = dict(pool.imap_unordered(pythons, names, chunksize=8))
    total = differences = 0
    for name in names:
        total += len(theirs[name])
        for change in sorted(set(known[name]) ^ set(theirs[name])):
            side = "epact" if change in set(known[name]) else "Python"
            print(f"{name}: only {side}: {datetime.fromtimestamp(change[0], timezone.utc)} {change[1:]}")
            differences += 1
    print(f"{len(names)} zones of {everything['version']} in {source}, {total} changes of the clocks "
          f"from 1900 to 2100, {differences} differences.")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
