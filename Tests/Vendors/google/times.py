# SPDX-License-Identifier: Apache-2.0
"""Times of events: `{"date"}`, or `{"dateTime", "timeZone"}`, kept in UTC and shown in a zone."""

import datetime
import functools
import re
import zoneinfo

from common.schema import is_date, is_date_time
from errors import invalid

LOCAL = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?")
UTC = datetime.timezone.utc
YEARS = ("0002", "9998")  # beyond, a time may have no year in another zone


@functools.lru_cache(maxsize=1024)
def zone(name):
    """The zone with an IANA name; raises Refusal if there is none."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise invalid("invalid", f"Invalid time zone definition: {name}") from None


def parse_instant(text):
    """The instant of an RFC 3339 time with an offset, to the second."""
    text = text.upper().replace("Z", "+00:00")
    whole = re.sub(r"\.\d+", "", text)
    return datetime.datetime.fromisoformat(whole).astimezone(UTC)


def show_utc(instant):
    """An instant in UTC."""
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


@functools.lru_cache(maxsize=65536)
def show_in(text, zone_name):
    """A time kept in UTC as it is shown in a zone."""
    local = parse_instant(text).astimezone(zone(zone_name))
    shown = local.isoformat(timespec="seconds")
    return shown[:-6] + "Z" if shown.endswith("+00:00") else shown


def normalize(value, field, default_zone, recurring):
    """An EventDateTime of a request as it is kept; raises Refusal if it is none."""
    date, time, name = (value.get(key) for key in ("date", "dateTime", "timeZone"))
    if name is not None:
        zone(name)
    if (date is None) == (time is None):
        raise invalid("invalid", f"{field}: either date or dateTime is required, not both")
    if date is not None:
        if not is_date(date) or not YEARS[0] <= date <= YEARS[1]:
            raise invalid("invalid", f"{field}: invalid date {date}")
        return {"date": date}
    if not YEARS[0] <= time <= YEARS[1]:
        raise invalid("invalid", f"{field}: invalid dateTime {time}")
    if is_date_time(time):
        instant = parse_instant(time)
    elif LOCAL.fullmatch(time) and is_date_time(time + "Z"):
        if name is None:
            raise invalid("required", f"{field}: a time without an offset needs a timeZone")
        instant = from_local(datetime.datetime.fromisoformat(time[:19].upper()), name)
    else:
        raise invalid("invalid", f"{field}: invalid dateTime {time}")
    if recurring and name is None:
        raise invalid("required", f"Missing time zone definition for {field} time.")
    kept = {"dateTime": show_utc(instant)}
    if name or default_zone:
        kept["timeZone"] = name or default_zone
    return kept


def from_local(local, name):
    """The instant of a time on the clocks of a zone."""
    return local.replace(tzinfo=zone(name)).astimezone(UTC)


def to_local(value):
    """A kept EventDateTime as a time on the clocks of its zone, midnight for a date."""
    if "date" in value:
        return datetime.datetime.fromisoformat(value["date"])
    local = parse_instant(value["dateTime"]).astimezone(zone(value.get("timeZone", "UTC")))
    return local.replace(tzinfo=None)


def kept_like(local, model):
    """A time on the clocks as a kept EventDateTime of the kind and the zone of another."""
    if "date" in model:
        return {"date": local.strftime("%Y-%m-%d")}
    name = model.get("timeZone", "UTC")
    return {"dateTime": show_utc(from_local(local, name)), "timeZone": name}


def instant_of(value, calendar_zone):
    """The instant of a kept EventDateTime; a date begins in the calendar's zone."""
    if "date" in value:
        return from_local(datetime.datetime.fromisoformat(value["date"]), calendar_zone)
    return parse_instant(value["dateTime"])


def shown(value, zone_name):
    """A kept EventDateTime as it is sent."""
    if "date" in value:
        return dict(value)
    return {**value, "dateTime": show_in(value["dateTime"], zone_name)}


def check_range(start, end, refuse_empty):
    """Raises Refusal if an event ends before it begins, or lasts no time and that is refused."""
    if ("date" in start) != ("date" in end):
        raise invalid("invalid", "Start and end times must either both be date or both be dateTime.")
    key = "date" if "date" in start else "dateTime"
    if end[key] < start[key] or (end[key] == start[key] and (key == "date" or refuse_empty)):
        raise invalid("timeRangeEmpty", "The specified time range is empty.")


def instance_id(master_id, original):
    """The id of the instance of a series that begins at a kept time."""
    if "date" in original:
        return f"{master_id}_{original['date'].replace('-', '')}"
    return f"{master_id}_{parse_instant(original['dateTime']).strftime('%Y%m%dT%H%M%SZ')}"


INSTANCE = re.compile(r"(.+)_(\d{8})(?:T(\d{6})Z)?")


def split_instance_id(text):
    """The master's id and the kept original start, without its zone; none twice if it is no such id."""
    found = INSTANCE.fullmatch(text)
    if not found:
        return None, None
    form = "%Y%m%d%H%M%S" if found[3] else "%Y%m%d"
    try:
        moment = datetime.datetime.strptime(found[2] + (found[3] or ""), form)
    except ValueError:
        return None, None
    if found[3]:
        return found[1], {"dateTime": show_utc(moment.replace(tzinfo=UTC))}
    return found[1], {"date": moment.strftime("%Y-%m-%d")}
