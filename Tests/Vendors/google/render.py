# SPDX-License-Identifier: Apache-2.0
"""Events as they are sent."""

import times
from contract import Resource

DEFAULTS = {
    "transparency": "opaque", "visibility": "default", "guestsCanInviteOthers": True,
    "guestsCanModify": False, "guestsCanSeeOtherGuests": True, "anyoneCanAddSelf": False,
    "endTimeUnspecified": False, "locked": False, "privateCopy": False,
}  # fmt: skip
TOMBSTONE = ("id", "status", "recurringEventId", "originalStartTime")


def render(state, calendar, event, account, zone=None):
    """An event with all its details; `zone` is that of the answer, else the calendar's."""
    zone = zone or calendar.zone
    key = (calendar.id, event.data["id"], event.revision, zone, account.quirk("defaults-shown"))
    found = state.cache.get(key)
    if found is None:
        if len(state.cache) > 50000:
            state.cache.clear()
        found = state.cache[key] = build(state, event, account, zone)
    return found


def build(state, event, account, zone):
    """Makes the resource of an event."""
    resource = Resource(kind="calendar#event", etag=state.etag(event.revision))
    for name, value in event.data.items():
        if name in ("start", "end", "originalStartTime"):
            resource[name] = times.shown(value, zone)
        elif DEFAULTS.get(name) != value:
            resource[name] = value
    if account.quirk("defaults-shown"):
        for name, value in DEFAULTS.items():
            resource.setdefault(name, value)
    return resource


def tombstone(state, calendar, event, account, zone=None):
    """A cancelled event with what it is guaranteed to have only."""
    resource = Resource()
    if not account.quirk("bare-tombstones"):
        resource = Resource(kind="calendar#event", etag=state.etag(event.revision))
    for name in TOMBSTONE:
        if name in event.data:
            resource[name] = event.data[name]
    if "originalStartTime" in resource:
        original = times.shown(resource["originalStartTime"], zone or calendar.zone)
        resource["originalStartTime"] = original
    return resource


def with_few_attendees(resource, most):
    """An event whose attendees are left out, but the user's own, if there are more than `most`."""
    attendees = resource.get("attendees", [])
    if most is None or len(attendees) <= int(most):
        return resource
    own = [attendee for attendee in attendees if attendee.get("self")]
    return Resource({**resource, "attendees": own, "attendeesOmitted": True})
