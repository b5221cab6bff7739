# SPDX-License-Identifier: Apache-2.0
"""Methods of calendars, of the user's list of calendars, and of colors."""

import re

import fields
import times
from common.messages import Answer
from errors import forbidden, invalid, usual

ROLES = ("freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner")
METADATA = ("summary", "description", "location", "timeZone")
ENTRY = (
    "colorId", "backgroundColor", "foregroundColor", "hidden", "selected", "defaultReminders",
    "summaryOverride", "notificationSettings",
)  # fmt: skip
CALENDAR_COLORS = [
    "#ac725e", "#d06b64", "#f83a22", "#fa573c", "#ff7537", "#ffad46", "#42d692", "#16a765",
    "#7bd148", "#b3dc6c", "#fbe983", "#fad165", "#92e1c0", "#9fe1e7", "#9fc6e7", "#4986e7",
    "#9a9cff", "#b99aff", "#c2c2c2", "#cabdbf", "#cca6ac", "#f691b2", "#cd74e6", "#a47ae2",
]  # fmt: skip
EVENT_COLORS = [
    "#a4bdfc", "#7ae7bf", "#dbadff", "#ff887c", "#fbd75b", "#ffb878", "#46d6db", "#e1e1e1",
    "#5484ed", "#51b749", "#dc2127",
]  # fmt: skip


def metadata(call, calendar):
    """A calendar as it is sent."""
    body = {"kind": "calendar#calendar", "etag": call.state.etag(calendar.revision), "id": calendar.id}
    body.update({name: calendar.data[name] for name in METADATA if name in calendar.data})
    if not calendar.primary:
        body["dataOwner"] = call.state.email
    body["conferenceProperties"] = {"allowedConferenceSolutionTypes": ["hangoutsMeet"]}
    return body


def entry(call, calendar):
    """The entry of a calendar on the user's list as it is sent."""
    body = {"kind": "calendar#calendarListEntry", "etag": call.state.etag(calendar.revision)}
    body["id"] = calendar.id
    if calendar.deleted or not calendar.listed:
        return {**body, "deleted": True, "summary": calendar.data["summary"]}
    body.update({name: calendar.data[name] for name in METADATA if name in calendar.data})
    body["accessRole"] = calendar.role
    body.update({name: calendar.entry[name] for name in ENTRY if name in calendar.entry})
    background = CALENDAR_COLORS[int(calendar.entry["colorId"]) - 1]
    body.setdefault("backgroundColor", background)
    body.setdefault("foregroundColor", "#000000")
    if calendar.primary:
        body["primary"] = True
    else:
        body["dataOwner"] = call.state.email
    body["conferenceProperties"] = {"allowedConferenceSolutionTypes": ["hangoutsMeet"]}
    return body


def check_metadata(data):
    """Raises Refusal unless the metadata are a calendar's."""
    if not data.get("summary"):
        raise invalid("required", "Missing summary.")
    times.zone(data["timeZone"])


def get(call):
    """calendars.get."""
    calendar = call.calendar()
    if call.is_known(call.state.etag(calendar.revision)):
        return Answer(304)
    return Answer(200, metadata(call, calendar))


def insert(call):
    """calendars.insert: the calendar is the user's own and on the list."""
    data = {k: v for k, v in call.body.items() if k in METADATA}
    check_metadata({"timeZone": "UTC", **data})
    letters = "".join(call.state.random.choices("0123456789abcdef", k=32))
    calendar = call.state.add_calendar(f"c_{letters}@group.calendar.google.com", data)
    return Answer(200, metadata(call, calendar))


def change(call):
    """calendars.patch and calendars.update."""
    calendar = call.calendar(write=True)
    call.check_match(call.state.etag(calendar.revision))
    given = {k: v for k, v in call.body.items() if k in METADATA}
    old = calendar.data if call.request.method == "PATCH" else {"timeZone": calendar.zone}
    data = fields.without_null(fields.merge(old, given))
    check_metadata(data)
    calendar.data = data
    calendar.revision = call.state.tick()
    return Answer(200, metadata(call, calendar))


def delete(call):
    """calendars.delete: secondary calendars only."""
    calendar = call.calendar(write=True)
    if calendar.primary:
        raise invalid("cannotDeletePrimaryCalendar", "Cannot delete the primary calendar.")
    if calendar.role != "owner":
        raise forbidden("requiredAccessLevel", "You need to have owner access to this calendar.")
    call.check_match(call.state.etag(calendar.revision))
    calendar.deleted = True
    calendar.revision = call.state.tick()
    return Answer(204)


def clear(call):
    """calendars.clear: the primary calendar only."""
    calendar = call.calendar(write=True)
    if not calendar.primary:
        raise invalid("invalid", "Only the primary calendar can be cleared.")
    for event in calendar.events.values():
        if not event.cancelled:
            event.data = {**event.data, "status": "cancelled", "updated": call.state.now()}
            event.revision = event.listed = call.state.tick()
    return Answer(204)


def entry_of_path(call):
    """The calendar on the list that the path names."""
    calendar = call.calendar()
    if not calendar.listed:
        raise usual(404)
    return calendar


def get_entry(call):
    """calendarList.get."""
    calendar = entry_of_path(call)
    if call.is_known(call.state.etag(calendar.revision)):
        return Answer(304)
    return Answer(200, entry(call, calendar))


def change_entry(call):
    """calendarList.patch and calendarList.update."""
    calendar = entry_of_path(call)
    call.check_match(call.state.etag(calendar.revision))
    if call.request.method != "PATCH":
        calendar.entry = {"colorId": "5", "selected": False, "defaultReminders": []}
    set_entry(call, calendar)
    return Answer(200, entry(call, calendar))


def set_entry(call, calendar):
    """Gives an entry the fields of the body."""
    given = {k: v for k, v in call.body.items() if k in ENTRY}
    rgb = call.flag("colorRgbFormat")
    for name in ("backgroundColor", "foregroundColor"):
        color = given.get(name)
        if not rgb:
            given.pop(name, None)
        elif color is not None and not re.fullmatch("#[0-9a-fA-F]{6}", color):
            raise invalid("invalid", f"{name}: {color} is no color")
    number = given.get("colorId")
    if number is not None:
        if number not in {str(n + 1) for n in range(len(CALENDAR_COLORS))}:
            raise invalid("invalid", f"Invalid color id: {number}")
        if not rgb:
            calendar.entry = {k: v for k, v in calendar.entry.items() if not k.endswith("Color")}
    if rgb and given.get("backgroundColor"):
        given["colorId"] = closest(given["backgroundColor"])
    new = fields.without_null(fields.merge(calendar.entry, given))
    calendar.entry = {"colorId": "5", "defaultReminders": [], **new}
    calendar.revision = call.state.tick()


def closest(color):
    """The id of the calendar color that is closest to another."""
    def parts(text):
        """Red, green and blue."""
        return [int(text[place : place + 2], 16) for place in (1, 3, 5)]

    def distance(other):
        """How far a color is from the given one."""
        return sum((a - b) ** 2 for a, b in zip(parts(color), parts(other)))

    return str(CALENDAR_COLORS.index(min(CALENDAR_COLORS, key=distance)) + 1)


def insert_entry(call):
    """calendarList.insert: puts a calendar that exists on the list."""
    calendar = call.state.calendar(call.body["id"])
    calendar.listed = True
    set_entry(call, calendar)
    return Answer(200, entry(call, calendar))


def delete_entry(call):
    """calendarList.delete: the calendar stays."""
    calendar = entry_of_path(call)
    if calendar.primary:
        raise invalid("cannotDeletePrimaryCalendar", "Cannot remove the primary calendar.")
    calendar.listed = False
    calendar.revision = call.state.tick()
    return Answer(204)


def list_entries(call):
    """calendarList.list."""
    query = call.request
    since, place, base = None, 0, call.state.revision
    if query.value("syncToken"):
        for name in ("minAccessRole", "showOwnOrganizationOnly"):
            if query.value(name):
                raise invalid("invalidParameter", f"Sync token cannot be used with {name}.")
        if "false" in (query.value("showDeleted"), query.value("showHidden")):
            raise invalid("invalidParameter", "Sync token needs showDeleted and showHidden.")
        since = call.state.read_token(query.value("syncToken"), "s", call.expired)
        if since.get("c") != "list":
            raise invalid("invalid", "Invalid sync token value.", ("parameter", "syncToken"))
        since = since["r"]
    if query.value("pageToken"):
        token = call.state.read_token(query.value("pageToken"), "p", call.expired)
        place, base = token["o"], token["b"]
    size = call.size(100, 250)
    found = [c for c in call.state.calendars.values() if is_shown(call, c, since)]
    body = {"kind": "calendar#calendarList", "etag": call.state.etag(base)}
    body["items"] = [entry(call, calendar) for calendar in found[place : place + size]]
    if len(found) > place + size:
        values = {"o": place + size, "b": base, "c": "list"}
        body["nextPageToken"] = call.state.new_token("p", values)
    else:
        body["nextSyncToken"] = call.state.new_token("s", {"r": base, "c": "list"})
    return Answer(200, body)


def is_shown(call, calendar, since):
    """Whether a calendar is in the list."""
    if since is not None:
        return calendar.revision > since
    if calendar.deleted or not calendar.listed:
        return call.flag("showDeleted")
    if calendar.entry.get("hidden") and not call.flag("showHidden"):
        return False
    least = call.request.value("minAccessRole", ROLES[0])
    return ROLES.index(calendar.role) >= ROLES.index(least)


def colors(call):
    """colors.get."""
    def palette(backgrounds):
        """Colors by their ids."""
        return {
            str(number + 1): {"background": background, "foreground": "#1d1d1d"}
            for number, background in enumerate(backgrounds)
        }

    body = {"kind": "calendar#colors", "updated": "2012-02-14T00:00:00.000Z"}
    return Answer(200, {**body, "calendar": palette(CALENDAR_COLORS), "event": palette(EVENT_COLORS)})
