# SPDX-License-Identifier: Apache-2.0
"""Derives zones.json, Windows names of time zones and IANA names, from CLDR's windowsZones.

usage: make_zones.py > zones.json  (needs tzlocal, whose table is made from windowsZones.xml)

`iana` has the main IANA zone of each Windows name (territory 001), `windows` the Windows name of
each IANA zone.
"""

import json
import sys

from tzlocal import windows_tz


def main():
    """Writes the table."""
    table = {"iana": windows_tz.win_tz, "windows": {k: v for k, v in windows_tz.tz_win.items() if k}}
    json.dump(table, sys.stdout, indent=0, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
