# SPDX-License-Identifier: Apache-2.0
"""Drives the double of Google Calendar with Google's own client library.

usage: client.py

What is expected comes from Google's documents; each check names its source where it is not the
discovery document itself.
"""

import pathlib
import sys
import time

import googleapiclient.errors

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

import checks_calendars
import checks_events
import checks_series
import checks_sync
from harness import Checks, Double


def main():
    """Runs all checks, each with an account of its own."""
    begin = time.monotonic()
    double = Double()
    checks = Checks()
    try:
        for module in (checks_events, checks_series, checks_sync, checks_calendars):
            for name in [name for name in vars(module) if name.startswith("check_")]:
                try:
                    getattr(module, name)(double, checks, name.replace("_", "-"))
                except googleapiclient.errors.HttpError as error:
                    sys.exit(f"error: {name}: {error} {error.content}")
    finally:
        double.close()
    print(f"{checks.count} checks passed in {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
