# SPDX-License-Identifier: Apache-2.0
"""Reads bodies of requests into properties of events, and refuses what the documents forbid."""

import datetime
import re

from . import bodies, contract, recurrence, zones
from .errors import fail, violation
from .mailbox import Times

LOCAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,7})?)?")
# Id formats of docs resources/extended-properties-overview.md; the types are those of MAPI.
GUID = r"\{?[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?"
KINDS = r"(Boolean|Binary|ApplicationTime|CLSID|Currency|Double|Float|Integer|Long|Short|String|SystemTime)"
SINGLE = re.compile(rf"{KINDS} {GUID} (Name \S.*|Id 0x[0-9A-Fa-f]+)|{KINDS} 0x[0-9A-Fa-f]{{5,8}}")
MULTI = re.compile(rf"{KINDS}Array {GUID} (Name \S.*|Id 0x[0-9A-Fa-f]+)|{KINDS}Array 0x[0-9A-Fa-f]{{5,8}}")
PLAIN = {
    "subject": "",
    "categories": [],
    "importance": "normal",
    "sensitivity": "normal",
    "showAs": "busy",
    "isAllDay": False,
    "isReminderOn": True,
    "reminderMinutesBeforeStart": 15,
    "responseRequested": True,
    "allowNewTimeProposals": True,
    "hideAttendees": False,
    "isOnlineMeeting": False,
    "onlineMeetingProvider": "unknown",
}
NEVER = "0001-01-01T00:00:00Z"


def check_body(kind, body, use):
    """Raises a violation if a body does not fit the contract."""
    faults = contract.request_faults(kind, body, use)
    if faults:
        raise violation("; ".join(faults), "RequestBodyRead")


def new_properties():
    """The properties of an event about which nothing is said."""
    return {
        **{name: list(value) if isinstance(value, list) else value for name, value in PLAIN.items()},
        "body": {"contentType": "html", "content": ""},
        "locations": [],
        "attendees": [],
        "single": {},
        "multi": {},
    }


def changes(account, body, old):
    """The properties that a body sets; `old` are those before."""
    found = {name: body[name] for name in PLAIN if name in body}
    if found.get("reminderMinutesBeforeStart", 0) < 0:
        raise violation("reminderMinutesBeforeStart is negative")
    if "body" in body:
        found["body"] = bodies.stored(body["body"], account.quirk("stores-html"))
    if "locations" in body:
        found["locations"] = [_location(place) for place in body["locations"] if place.get("displayName")]
    elif "location" in body:
        found["locations"] = [_location(body["location"])] if body["location"].get("displayName") else []
    if "attendees" in body:
        found["attendees"] = _attendees(body["attendees"], old["attendees"])
    for name, key, form in (
        ("singleValueExtendedProperties", "single", SINGLE),
        ("multiValueExtendedProperties", "multi", MULTI),
    ):
        if name in body:
            found[key] = {**old[key], **_extended(name, body[name], form)}
    limit = account.quirk("extended-limit")
    if limit and any(len(value) > limit for value in found.get("single", {}).values()):
        raise fail(400, "ErrorItemSavePropertyError", "Item save operation did not succeed.")
    return found


def _location(place):
    """A location with the properties that the server adds (docs api/calendar-post-events.md)."""
    name = place["displayName"]
    return {"locationType": "default", "uniqueId": name, "uniqueIdType": "private", **place}


def _attendees(attendees, old):
    """Attendees with their types and answers; the answers of those who were there are kept."""
    known = {attendee["emailAddress"]["address"].lower(): attendee for attendee in old}
    found = []
    for attendee in attendees:
        address = (attendee.get("emailAddress") or {}).get("address")
        if not address:
            raise violation("attendees: emailAddress.address is missing")
        status = known.get(address.lower(), {}).get("status", {"response": "none", "time": NEVER})
        found.append(
            {
                "type": attendee.get("type", "required"),
                "status": status,
                "emailAddress": {"name": attendee["emailAddress"].get("name", address), "address": address},
            }
        )
    return found


def _extended(name, properties, form):
    """Extended properties by their identifiers."""
    found = {}
    for extended in properties:
        if not form.fullmatch(extended.get("id", "")):
            raise violation(
                f"{name}: id {extended.get('id')!r} has no documented format", "ErrorInvalidExtendedProperty"
            )
        if "value" not in extended:
            raise violation(f"{name}: no value")
        found[extended["id"]] = extended["value"]
    return found


def moment(value, name):
    """A local time and its zone, of a dateTimeTimeZone."""
    text, zone = value.get("dateTime", ""), value.get("timeZone")
    if not zone:
        raise violation(f"{name}.timeZone is missing")
    if not LOCAL.fullmatch(text):
        raise violation(f"{name}.dateTime: {text!r} is no local time")
    try:
        zones.zone(zone)
    except KeyError:
        raise violation(
            f"A valid TimeZone value must be specified. The following TimeZone value is not"
            f" supported: '{zone}'.",
            "TimeZoneNotSupportedException",
        ) from None
    try:
        return datetime.datetime.fromisoformat(text[:19]), zone
    except ValueError:
        raise violation(f"{name}.dateTime: {text!r} is no time") from None


def times(body, old, all_day):
    """The times after a change, checked; `old` are those before or none."""
    if old is None and not ("start" in body and "end" in body):
        raise violation("start and end are required", "ErrorPropertyValidationFailure")
    start, start_zone = moment(body["start"], "start") if "start" in body else (old.start, old.start_zone)
    end, end_zone = moment(body["end"], "end") if "end" in body else (old.end, old.end_zone)
    found = Times(start, start_zone, end, end_zone)
    if all_day:
        if start.time() != datetime.time() or end.time() != datetime.time():
            raise violation("The Event.Start property for an all-day event needs to be set to midnight.")
        if start_zone != end_zone:
            raise violation("start and end of an all-day event must be in the same time zone")
        if end <= start:
            raise violation(
                "an all-day event must last a day at least", "ErrorCalendarEndDateIsEarlierThanStartDate"
            )
    elif found.end_utc() < found.start_utc():
        raise violation("end is before start", "ErrorCalendarEndDateIsEarlierThanStartDate")
    return found


def series(value, found, all_day, outlook_limits):
    """The recurrence of an event with the times `found`, checked."""
    faults = [f"recurrence.{name} is required" for name in ("pattern", "range") if not value.get(name)]
    faults = faults or recurrence.pattern_faults(value["pattern"]) + recurrence.range_faults(value["range"])
    if faults:
        raise violation("; ".join(faults), "ErrorInvalidRecurrence")
    limits = {name: item for name, item in value["range"].items() if not name.startswith("@")}
    zone = limits.get("recurrenceTimeZone") or found.start_zone
    first, zone = moment({"dateTime": found.start.isoformat(), "timeZone": zone}, "recurrence.range")
    if not all_day:
        first = zones.from_utc(found.start_utc(), zone)
    if limits["startDate"] != first.date().isoformat():
        raise violation("recurrence.range.startDate must be the day of start", "ErrorInvalidRecurrence")
    limits["recurrenceTimeZone"] = zone
    pattern = {name: item for name, item in value["pattern"].items() if not name.startswith("@")}
    result = {"pattern": pattern, "range": limits}
    check_series(result, found, outlook_limits)
    return result


def check_series(result, found, outlook_limits):
    """Refuses a series without occurrences, and by quirk what Outlook does not hold."""
    days = recurrence.days(result)
    first, second = next(days, None), next(days, None)
    if first is None:
        raise violation("the recurrence has no occurrence", "ErrorRecurrenceHasNoOccurrence")
    if outlook_limits:
        if recurrence.beyond_limits(result):
            raise violation("the recurrence is beyond Outlook's limits", "ErrorInvalidRecurrence")
        if second and found.end_utc() - found.start_utc() > second - first:
            raise violation(
                "an occurrence is longer than the time to the next", "ErrorOccurrenceTimeSpanTooBig"
            )
