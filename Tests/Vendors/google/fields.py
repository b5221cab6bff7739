# SPDX-License-Identifier: Apache-2.0
"""The fields of an event: what a request may set, and how that is kept."""

import re

import rules
import times
from errors import forbidden, invalid

ID = re.compile(r"[0-9a-v]{5,1024}")
MAIL = re.compile(r"[^@\s]+@[^@\s]+")
# Fields that a request cannot set; sent back with a resource they are ignored ("Read-only").
READ_ONLY = {
    "kind", "etag", "htmlLink", "created", "updated", "creator", "hangoutLink", "locked",
    "recurringEventId", "originalStartTime", "id", "iCalUID", "organizer", "privateCopy",
    "attendeesOmitted",
}  # fmt: skip
SCHEDULE = ("start", "end", "recurrence", "status")
STATUS_TYPES = ("focusTime", "outOfOffice", "workingLocation")
SHARED = ("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests")
COLORS = {str(number) for number in range(1, 12)}


def merge(old, change):
    """Patch semantics: objects are merged, null removes, all else replaces."""
    if not isinstance(change, dict) or not isinstance(old, dict):
        return change
    result = dict(old)
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            result[name] = without_null(merge(result.get(name, {}), value))
        else:
            result[name] = value
    return result


def without_null(value):
    """An object without the fields that are null."""
    if not isinstance(value, dict):
        return value
    return {name: without_null(item) for name, item in value.items() if item is not None}


def writable(body, query):
    """The fields of a body that a request may set, by its query."""
    fields = {name: value for name, value in body.items() if name not in READ_ONLY}
    if query.value("conferenceDataVersion", "0") != "1":
        fields.pop("conferenceData", None)
    if query.value("supportsAttachments") != "true":
        fields.pop("attachments", None)
    if query.value("eventLabelVersion", "0") != "1":
        fields.pop("eventLabelId", None)
    else:
        fields.pop("colorId", None)
    return fields


def complete(data, calendar, account, is_instance=False):
    """Checks and normalizes a whole event in place; raises Refusal if it is none."""
    recurrence = data.get("recurrence")
    if recurrence == []:
        recurrence = data.pop("recurrence") or None
    if is_instance and recurrence:
        raise invalid("invalid", "An instance of a recurring event cannot recur.")
    if recurrence:
        rules.check(recurrence)
        _check_size(recurrence, account)
    filled = calendar.zone if account.quirk("zone-filled") else None
    for field in ("start", "end"):
        if field not in data:
            raise invalid("required", f"Missing {field} time.")
        data[field] = times.normalize(data[field], field, filled, bool(recurrence))
    times.check_range(data["start"], data["end"], account.quirk("refuse-zero-length"))
    if recurrence:
        rules.check_set(data)
    data.setdefault("status", "confirmed")
    data.setdefault("eventType", "default")
    data["reminders"] = _reminders(data.get("reminders"))
    _check_texts(data, account)
    _check_attendees(data)
    if data.get("colorId") and data["colorId"] not in COLORS:
        raise invalid("invalid", f"Invalid color id: {data['colorId']}")
    if len(data.get("attachments", [])) > 25:
        raise invalid("invalid", "At most 25 attachments.")
    _check_type(data, calendar)
    for name in [name for name, value in data.items() if value in ("", [], {})]:
        if name != "reminders":
            del data[name]


def _check_size(recurrence, account):
    """A limit that no document names, found by many EXDATE lines; see the quirk."""
    limit = account.quirk("recurrence-limit")
    if limit and sum(map(len, recurrence)) > limit:
        raise invalid("invalid", "A provided value exceeds the allowed size limit.")


def _check_texts(data, account):
    """Raises Refusal if a text is too long or holds what it must not."""
    limit = account.quirk("description-limit") or 8192
    if len(data.get("description", "")) > limit:
        raise invalid("invalid", f"description: longer than {limit} characters")
    url = data.get("source", {}).get("url")
    if url is not None and not re.match(r"https?://", url):
        raise invalid("invalid", "source.url: the scheme must be HTTP or HTTPS")


def _reminders(reminders):
    """Reminders as they are kept: the calendar's, or from none to five of the event's own."""
    if not reminders:
        return {"useDefault": True}
    overrides = reminders.get("overrides") or []
    if reminders.get("useDefault"):
        if overrides:
            message = "Cannot specify both default reminders and overrides at the same time."
            raise invalid("cannotUseDefaultRemindersAndSpecifyOverride", message)
        return {"useDefault": True}
    if len(overrides) > 5:
        raise invalid("invalid", "reminders.overrides: at most 5")
    for reminder in overrides:
        minutes = reminder.get("minutes")
        if reminder.get("method") is None or minutes is None:
            raise invalid("required", "reminders.overrides: method and minutes are required")
        if not 0 <= minutes <= 40320:
            raise invalid("invalid", "reminders.overrides: minutes are between 0 and 40320")
    kept = {"useDefault": False}
    if overrides:
        kept["overrides"] = [dict(reminder) for reminder in overrides]
    return kept


def _check_attendees(data):
    """Raises Refusal unless each attendee has an address of its own."""
    for attendee in data.get("attendees", []):
        if not MAIL.fullmatch(attendee.get("email", "")):
            raise invalid("required", "attendees: a valid email is required")
        attendee.setdefault("responseStatus", "needsAction")


def _check_type(data, calendar):
    """The rules for status events and birthdays.

    Sources: developers.google.com/workspace/calendar/api/guides/calendar-status and
    .../guides/event-types; "must not have private extended properties" is an answer seen in
    github.com/phw198/OutlookGoogleCalendarSync/issues/2103.
    """
    kind = data["eventType"]
    wrong = None
    if kind in STATUS_TYPES and not calendar.primary:
        wrong = "only on primary calendars"
    elif kind in ("focusTime", "outOfOffice"):
        if f"{kind}Properties" not in data or data.get("transparency", "opaque") != "opaque":
            wrong = f"needs {kind}Properties and transparency opaque"
        elif "date" in data["start"]:
            wrong = "must not be an all-day event"
    elif kind == "workingLocation":
        if "workingLocationProperties" not in data or data.get("visibility") != "public":
            wrong = "needs workingLocationProperties and visibility public"
        elif data.get("transparency") != "transparent":
            wrong = "needs transparency transparent"
    elif kind == "birthday":
        if "date" not in data["start"] or not data.get("recurrence") and "recurringEventId" not in data:
            wrong = "must be an all-day event with an annual recurrence"
        elif data.get("extendedProperties", {}).get("private"):
            wrong = "must not have private extended properties"
    if wrong:
        raise invalid("eventTypeRestriction", f"'{kind}' event type {wrong}.")


def limit_properties(data, account, request):
    """Applies the limits of extended properties in place.

    Source: developers.google.com/workspace/calendar/api/guides/extended-properties: longer keys than
    44 characters are silently dropped, longer values than 1024 silently truncated; 300 properties
    and 32 kB in all. What follows when these are passed is not told: here 400.
    """
    count = size = 0
    for kind in ("private", "shared"):
        kept = {}
        for key, value in data.get("extendedProperties", {}).get(kind, {}).items():
            if len(key) > 44:
                account.violate(request, f"extendedProperties: dropped, longer than 44: {key}")
                continue
            if len(value) > 1024:
                account.violate(request, f"extendedProperties: truncated, longer than 1024: {key}")
                value = value[:1024]
            kept[key] = value
            count += 1
            size += len(key.encode()) + len(value.encode())
        if kind in data.get("extendedProperties", {}):
            data["extendedProperties"] = {**data["extendedProperties"], kind: kept}
            if not kept:
                del data["extendedProperties"][kind]
    if count > 300 or size > 32 * 1024:
        raise invalid("invalid", "extendedProperties: more than 300 properties or 32 kB")


def next_sequence(old, new, body, account):
    """The sequence number of a changed event.

    The number a request gives may not be below the present one; whether a request of events.update
    without a number counts as 0 is a quirk.
    """
    present = old.get("sequence", 0)
    given = body.get("sequence")
    if given is None and account.quirk("sequence-required"):
        given = 0
    if given is not None and given < present:
        message = "Invalid sequence value. The specified sequence number is below the current one."
        raise invalid("invalid", message)
    changed = any(old.get(name) != new.get(name) for name in SCHEDULE)
    return min(max(given or 0, present + 1 if changed else present), 2**31 - 1)


def check_organizer(old, new):
    """Raises Refusal with 403 if a guest's copy changes what only the organizer may."""
    if old.get("organizer", {}).get("self"):
        return
    if any(old.get(name) != new.get(name) for name in SHARED):
        message = "Shared properties can only be changed by the organizer of the event."
        raise forbidden("forbiddenForNonOrganizer", message)
