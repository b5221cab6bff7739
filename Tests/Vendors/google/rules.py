# SPDX-License-Identifier: Apache-2.0
"""Recurrence: the lines of an event and the instances that they give."""

import datetime
import itertools
import re

import dateutil.rrule

import times
from errors import invalid

LINE = re.compile(r"(RRULE|EXRULE|RDATE|EXDATE)((?:;[A-Za-z-]+=[^:;]+)*):(.+)")
PARTS = {
    "FREQ": r"SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY",
    "UNTIL": r"\d{8}(T\d{6}Z?)?",
    "COUNT": r"[1-9]\d*",
    "INTERVAL": r"[1-9]\d*",
    "WKST": r"MO|TU|WE|TH|FR|SA|SU",
    "BYDAY": r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU))*",
}
NUMBERS = r"[+-]?\d{1,3}(,[+-]?\d{1,3})*"
# The least and the greatest number; with a negative least, 0 is none.
BY_NUMBER = {
    "BYSECOND": (0, 59), "BYMINUTE": (0, 59), "BYHOUR": (0, 23), "BYMONTHDAY": (-31, 31),
    "BYYEARDAY": (-366, 366), "BYWEEKNO": (-53, 53), "BYMONTH": (1, 12), "BYSETPOS": (-366, 366),
}  # fmt: skip
STAMP = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
HORIZON = datetime.datetime(2200, 1, 1)
MOST = 20000


def check(lines):
    """Raises Refusal unless all lines are RRULE, EXRULE, RDATE or EXDATE of RFC 5545."""
    for line in lines:
        found = LINE.fullmatch(line)
        if not found:
            raise invalid("invalid", f"Invalid recurrence rule: {line}")
        if found[1] in ("RRULE", "EXRULE"):
            _check_rule(line, found[3])
        else:
            for stamp in found[3].split(","):
                if not STAMP.fullmatch(stamp.split("/")[0]):
                    raise invalid("invalid", f"Invalid recurrence rule: {line}")


def _check_rule(line, text):
    """Raises Refusal unless a rule is one of RFC 5545."""
    parts = dict(part.partition("=")[::2] for part in text.upper().split(";"))
    wrong = "FREQ" not in parts or "COUNT" in parts and "UNTIL" in parts
    for name, value in parts.items():
        pattern = PARTS.get(name, NUMBERS if name in BY_NUMBER else None)
        wrong = wrong or pattern is None or not re.fullmatch(pattern, value)
        if not wrong and name in BY_NUMBER:
            least, most = BY_NUMBER[name]
            numbers = [int(number) for number in value.split(",")]
            wrong = any(not least <= n <= most or least < 0 and n == 0 for n in numbers)
    if wrong:
        raise invalid("invalid", f"Invalid recurrence rule: {line}")


def check_set(event):
    """Raises Refusal unless the instances of a master can be made."""
    try:
        first = next(iter(recurrence_set(event)))
    except (ValueError, TypeError, OverflowError, StopIteration):
        raise invalid("invalid", f"Invalid recurrence: {event['recurrence']}") from None
    if first > HORIZON:
        raise invalid("invalid", f"Invalid recurrence: {event['recurrence']}")


def _moment(stamp, zone_name, own_zone):
    """A DATE or DATE-TIME of RFC 5545 on the clocks of the event's zone."""
    found = STAMP.fullmatch(stamp.split("/")[0])
    moment = datetime.datetime.strptime(found[1] + (found[2] or "000000"), "%Y%m%d%H%M%S")
    if found[3] or (found[2] and own_zone and own_zone != zone_name):
        instant = times.from_local(moment, "UTC" if found[3] else own_zone)
        return instant.astimezone(times.zone(zone_name)).replace(tzinfo=None)
    return moment


def _rule(text, start, zone_name):
    """A rule for dateutil, with UNTIL on the clocks of the event's zone."""
    def until(found):
        """The part UNTIL on the clocks of the zone."""
        moment = _moment(found[1], zone_name, None)
        if "T" not in found[1]:
            moment = moment.replace(hour=23, minute=59, second=59)
        return f"UNTIL={moment:%Y%m%dT%H%M%S}"

    text = re.sub(r"UNTIL=([0-9TZ]+)", until, text.upper())
    if "UNTIL=" not in text and "COUNT=" not in text:
        text += f";UNTIL={HORIZON:%Y%m%dT%H%M%S}"
    return dateutil.rrule.rrulestr(text, dtstart=start)


def recurrence_set(event):
    """The instances of a master, on the clocks of its zone; its start is the first."""
    start = times.to_local(event["start"])
    zone_name = event["start"].get("timeZone", "UTC")
    result = dateutil.rrule.rruleset()
    result.rdate(start)
    for line in event["recurrence"]:
        kind, parameters, text = LINE.fullmatch(line).groups()
        own_zone = re.search(r"TZID=([^;]+)", parameters)
        if kind in ("RRULE", "EXRULE"):
            getattr(result, kind.lower())(_rule(text, start, zone_name))
            continue
        for stamp in text.split(","):
            moment = _moment(stamp, zone_name, own_zone[1] if own_zone else None)
            if "date" not in event["start"] and "T" not in stamp:
                moment = datetime.datetime.combine(moment.date(), start.time())
            getattr(result, kind.lower())(moment)
    return result


def originals(event, until=None):
    """The kept original starts of the instances of a master that begin before an instant."""
    limit = HORIZON
    if until is not None:
        limit = min(limit, until.replace(tzinfo=None) + datetime.timedelta(days=1))
    for moment in itertools.islice(recurrence_set(event), MOST):
        if moment > limit:
            return
        yield times.kept_like(moment, event["start"])


def has_original(event, original):
    """Whether a master has an instance with this kept original start, its zone aside."""
    key = "date" if "date" in original else "dateTime"
    if key not in event["start"]:
        return False
    zone_name = event["start"].get("timeZone", "UTC")
    moment = times.to_local({**original, "timeZone": zone_name} if key == "dateTime" else original)
    for found in itertools.islice(recurrence_set(event), MOST):
        if found >= moment:
            return times.kept_like(found, event["start"])[key] == original[key]
    return False


def instance(event, original):
    """The start and the end of the instance with a kept original start."""
    length = times.to_local(event["end"]) - times.to_local(event["start"])
    if "date" in original:
        return dict(original), times.kept_like(times.to_local(original) + length, original)
    start = {**original, "timeZone": event["start"].get("timeZone", "UTC")}
    length = times.parse_instant(event["end"]["dateTime"]) - times.parse_instant(event["start"]["dateTime"])
    end = times.show_utc(times.parse_instant(original["dateTime"]) + length)
    return start, {"dateTime": end, "timeZone": event["end"].get("timeZone", "UTC")}
