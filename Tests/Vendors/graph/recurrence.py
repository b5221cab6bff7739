# SPDX-License-Identifier: Apache-2.0
"""The six recurrence patterns and three ranges: which are valid, and the days that they give.

Sources: microsoft-graph-docs, api-reference/v1.0/resources/recurrencepattern.md and
recurrencerange.md. A day of the month that a month lacks is its last day: this is documented for
the same server at learn.microsoft.com/exchange/client-developer/web-service-reference/dayofmonth;
Graph's own pages are silent.
"""

import calendar
import datetime

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
INDEXES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
REQUIRED = {  # "Required properties" of recurrencepattern.md
    "daily": {"type", "interval"},
    "weekly": {"type", "interval", "daysOfWeek", "firstDayOfWeek"},
    "absoluteMonthly": {"type", "interval", "dayOfMonth"},
    "relativeMonthly": {"type", "interval", "daysOfWeek"},
    "absoluteYearly": {"type", "interval", "dayOfMonth", "month"},
    "relativeYearly": {"type", "interval", "daysOfWeek", "month"},
}
OPTIONAL = {"relativeMonthly": {"index"}, "relativeYearly": {"index"}}
RANGE_REQUIRED = {"noEnd": set(), "endDate": {"endDate"}, "numbered": {"numberOfOccurrences"}}
LIMIT = 20000  # days looked at for an endless range
LIMITS = {"daily": 999, "weekly": 99, "absoluteMonthly": 99, "relativeMonthly": 99}


def pattern_faults(pattern):
    """The reasons why a pattern is invalid.

    A property that the type does not need is one: "Include only the properties that you need".
    """
    kind = pattern.get("type")
    if kind not in REQUIRED:
        return ["recurrence.pattern.type is required"]
    given = {name for name in pattern if not name.startswith("@")}
    faults = [f"recurrence.pattern.{name} is required for {kind}" for name in sorted(REQUIRED[kind] - given)]
    extra = given - REQUIRED[kind] - OPTIONAL.get(kind, set())
    faults += [f"recurrence.pattern.{name} is not used by {kind}" for name in sorted(extra)]
    if faults:
        return faults
    for name, low, high in (("interval", 1, 2**31), ("dayOfMonth", 1, 31), ("month", 1, 12)):
        if name in given and not low <= pattern[name] <= high:
            faults.append(f"recurrence.pattern.{name} is out of range")
    days = pattern.get("daysOfWeek")
    if days is not None and (not days or len(set(days)) != len(days)):
        faults.append("recurrence.pattern.daysOfWeek is empty or has a day twice")
    return faults


def range_faults(limits):
    """The reasons why a range is invalid."""
    kind = limits.get("type")
    if kind not in RANGE_REQUIRED:
        return ["recurrence.range.type is required"]
    needed = RANGE_REQUIRED[kind] | {"startDate"}
    faults = [
        f"recurrence.range.{name} is required for {kind}"
        for name in sorted(needed)
        if limits.get(name) is None
    ]
    extra = set(limits) & {"endDate", "numberOfOccurrences"} - needed
    faults += [f"recurrence.range.{name} is not used by {kind}" for name in sorted(extra)]
    if faults:
        return faults
    if kind == "numbered" and limits["numberOfOccurrences"] < 1:
        faults.append("recurrence.range.numberOfOccurrences must be positive")
    if kind == "endDate" and limits["endDate"] < limits["startDate"]:
        faults.append("recurrence.range.endDate is before startDate")
    return faults


def beyond_limits(recurrence):
    """Whether Outlook's limits of intervals and numbers are exceeded (quirk `outlook-limits`)."""
    pattern, limits = recurrence["pattern"], recurrence["range"]
    if pattern["interval"] > LIMITS.get(pattern["type"], 99):
        return True
    return limits["type"] == "numbered" and limits["numberOfOccurrences"] > 999


def days(recurrence):
    """The days of a valid recurrence, in order."""
    limits = recurrence["range"]
    start = datetime.date.fromisoformat(limits["startDate"])
    end = datetime.date.fromisoformat(limits["endDate"]) if limits["type"] == "endDate" else datetime.date.max
    left = limits["numberOfOccurrences"] if limits["type"] == "numbered" else LIMIT
    for day in _candidates(recurrence["pattern"], start):
        if day < start:
            continue
        if day > end or left <= 0:
            return
        left -= 1
        yield day


def _candidates(pattern, start):
    """Days that fit a pattern, from some day not after `start`."""
    kind, interval = pattern["type"], pattern["interval"]
    try:
        if kind == "daily":
            yield from _every(start, interval)
        elif kind == "weekly":
            yield from _weeks(pattern, start)
        else:
            step = interval * (12 if kind.endswith("Yearly") else 1)
            month = pattern["month"] if kind.endswith("Yearly") else start.month
            number = start.year * 12 + month - 1
            while number // 12 <= datetime.MAXYEAR:
                yield _day_of_month(pattern, number // 12, number % 12 + 1)
                number += step
    except OverflowError:
        return


def _every(day, interval):
    """A day and every so many days after it."""
    while True:
        yield day
        day += datetime.timedelta(days=interval)


def _weeks(pattern, start):
    """The days of every so many weeks, which begin on the pattern's first day."""
    first = DAYS.index(pattern["firstDayOfWeek"])
    offsets = sorted((DAYS.index(day) - first) % 7 for day in pattern["daysOfWeek"])
    week = start - datetime.timedelta(days=(start.weekday() - first) % 7)
    while True:
        for offset in offsets:
            yield week + datetime.timedelta(days=offset)
        week += datetime.timedelta(days=7 * pattern["interval"])


def _day_of_month(pattern, year, month):
    """The one day of a month that fits an absolute or relative pattern."""
    length = calendar.monthrange(year, month)[1]
    if "dayOfMonth" in pattern:
        return datetime.date(year, month, min(pattern["dayOfMonth"], length))
    wanted = {DAYS.index(day) for day in pattern["daysOfWeek"]}
    fitting = [
        day
        for day in (datetime.date(year, month, number) for number in range(1, length + 1))
        if day.weekday() in wanted
    ]
    return fitting[INDEXES[pattern.get("index", "first")]]


def written(recurrence, zone_name):
    """A recurrence as Graph returns it: each property is there, with a zero where it has no use."""
    pattern, limits = recurrence["pattern"], recurrence["range"]
    return {
        "pattern": {
            "type": pattern["type"],
            "interval": pattern["interval"],
            "month": pattern.get("month", 0),
            "dayOfMonth": pattern.get("dayOfMonth", 0),
            "daysOfWeek": pattern.get("daysOfWeek", []),
            "firstDayOfWeek": pattern.get("firstDayOfWeek", "sunday"),
            "index": pattern.get("index", "first"),
        },
        "range": {
            "type": limits["type"],
            "startDate": limits["startDate"],
            "endDate": limits.get("endDate", "0001-01-01"),
            "recurrenceTimeZone": zone_name,
            "numberOfOccurrences": limits.get("numberOfOccurrences", 0),
        },
    }
