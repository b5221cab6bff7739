# SPDX-License-Identifier: Apache-2.0
"""Events and calendars as JSON."""

import dataclasses
import urllib.parse

from . import bodies, ids, mailbox, parse, recurrence, zones

COLORS = {
    "auto": "",
    "lightBlue": "#a6d1f5",
    "lightGreen": "#87d28e",
    "lightOrange": "#fcab73",
    "lightGray": "#c0c0c0",
    "lightYellow": "#f5e97c",
    "lightTeal": "#4adacc",
    "lightPink": "#f1a7b5",
    "lightBrown": "#e2c08d",
    "lightRed": "#ff887c",
    "maxColor": "#f88c9b",
}
NOWHERE = {
    "displayName": "",
    "locationType": "default",
    "uniqueIdType": "unknown",
    "address": {},
    "coordinates": {},
}
PLAIN = (
    "subject",
    "categories",
    "importance",
    "sensitivity",
    "showAs",
    "isAllDay",
    "isReminderOn",
    "reminderMinutesBeforeStart",
    "responseRequested",
    "allowNewTimeProposals",
    "hideAttendees",
    "isOnlineMeeting",
    "onlineMeetingProvider",
    "locations",
    "attendees",
)


def owner(account):
    """The address of an account."""
    return {"name": account.name, "address": f"{account.name}@example.com"}


class Renderer:
    """Writes events in the shape that a request asks for."""

    def __init__(self, account, shape):
        """The account and the query's Shape."""
        self.account = account
        self.shape = shape
        self.box = account.state

    def id(self, event, day=None):
        """The identifier in the form that is asked for."""
        if day and day not in event.exceptions and self.account.quirk("exception-ids-change"):
            return self.occurrence_id(event, day)
        return ids.event_id(self.account.name, event.key, day, self.shape.immutable)

    def etag(self, event):
        """The entity tag, the same for a series and its instances (docs api/event-list-instances.md)."""
        return f'W/"{ids.change_key(self.account.name, event.version)}"'

    def event(self, view, select=None):
        """The JSON of a view; `select` instead of the shape's."""
        select = select or self.shape.select
        found = {"@odata.etag": self.etag(view.event), "id": self.id(view.event, view.day)}
        usual = select is None or "*" in select
        for name, write in FIELDS.items():
            if usual or name in select:
                found[name] = write(self, view)
        if usual and view.event.transaction:  # "only returned … if an app has set it"
            found["transactionId"] = view.event.transaction
        for name, write in SELECTED.items():
            if select and name in select or usual and name == "originalStart" and self._start_by_default():
                value = write(self, view)
                if value is not None:
                    found[name] = value
        self._expand(view, found)
        return found

    def _start_by_default(self):
        """Whether originalStart is among the usual properties."""
        return self.account.quirk("original-start-by-default")

    def _expand(self, view, found):
        """Adds what $expand asks for."""
        for name, key in (
            ("singleValueExtendedProperties", "single"),
            ("multiValueExtendedProperties", "multi"),
        ):
            held = self.extended(view, key)
            properties = [{"id": x, "value": held[x]} for x in sorted(getattr(self.shape, key)) if x in held]
            if properties:
                found[name] = properties
        if self.shape.exceptions and view.kind == "seriesMaster":
            bare = Renderer(
                self.account,
                dataclasses.replace(self.shape, exceptions=None, single=frozenset(), multi=frozenset()),
            )
            select = self.shape.exceptions - {"cancelledOccurrences", "exceptionOccurrences"}
            found["exceptionOccurrences"] = [
                bare.event(mailbox.view(view.event, day), select) for day in sorted(view.event.exceptions)
            ]

    def extended(self, view, key):
        """The extended properties of a view by their identifiers."""
        if view.day is None:
            return view.properties[key]
        own = view.event.exceptions.get(view.day, {}).get(key, {})
        if self.account.quirk("inherits-extended-properties"):
            return {**view.event.properties[key], **own}
        return own

    def moment(self, view, local, zone):
        """A dateTimeTimeZone in the preferred zone; all-day events are midnight in each (issue 1802)."""
        shown = self.shape.zone or "UTC"
        if not view.properties["isAllDay"]:
            local = zones.from_utc(zones.to_utc(local, zone), shown)
        return {"dateTime": local.strftime("%Y-%m-%dT%H:%M:%S.0000000"), "timeZone": shown}

    def zone_name(self, name):
        """The Windows name of an original zone."""
        return zones.CUSTOM if self.account.quirk("custom-time-zone") else zones.windows_name(name)

    def location(self, view):
        """The location that stands for all locations."""
        places = view.properties["locations"]
        if not places:
            return NOWHERE
        if len(places) == 1:
            return places[0]
        name = "; ".join(place["displayName"] for place in places)
        return {"displayName": name, "locationType": "default", "uniqueId": name, "uniqueIdType": "private"}

    def occurrence_id(self, event, day):
        """OID.MASTER.DAY (docs beta/api/event-get.md)."""
        return f"OID.{self.id(event)}.{day.isoformat()}"

    def cancelled(self, view):
        """The cancelled occurrences of a master."""
        if view.kind == "seriesMaster":
            return [self.occurrence_id(view.event, day) for day in sorted(view.event.cancelled)]
        return None

    def response(self, view):
        """The owner's answer to the invitation."""
        answer = "organizer" if view.event.organizer is None else "notResponded"
        return {"response": answer, "time": parse.NEVER}

    def recurrence(self, view):
        """The recurrence of a master."""
        series = view.event.recurrence
        if series is None or view.day:
            return None
        return recurrence.written(series, zones.windows_name(view.event.zone()))


def _plain(name):
    """Writes a property as it is kept."""
    return lambda renderer, view: view.properties[name]


FIELDS = {
    **{name: _plain(name) for name in PLAIN},
    "createdDateTime": lambda r, v: v.event.created,
    "lastModifiedDateTime": lambda r, v: v.event.modified,
    "changeKey": lambda r, v: ids.change_key(r.account.name, v.event.version),
    "originalStartTimeZone": lambda r, v: r.zone_name(v.times.start_zone),
    "originalEndTimeZone": lambda r, v: r.zone_name(v.times.end_zone),
    "iCalUId": lambda r, v: ids.ical_uid(r.account.name, v.event.key, v.day),
    "hasAttachments": lambda r, v: False,
    "isCancelled": lambda r, v: False,
    "isDraft": lambda r, v: False,
    "isOrganizer": lambda r, v: v.event.organizer is None,
    "seriesMasterId": lambda r, v: r.id(v.event) if v.day else None,
    "type": lambda r, v: v.kind,
    "webLink": lambda r, v: "https://outlook.office365.com/owa/?itemid="
    + urllib.parse.quote(r.id(v.event, v.day), "")
    + "&exvsurl=1&path=/calendar/item",
    "onlineMeetingUrl": lambda r, v: None,
    "onlineMeeting": lambda r, v: None,
    "recurrence": lambda r, v: r.recurrence(v),
    "responseStatus": lambda r, v: r.response(v),
    "body": lambda r, v: bodies.shown(v.properties["body"], r.shape.body or "html"),
    "bodyPreview": lambda r, v: bodies.preview(v.properties["body"]),
    "start": lambda r, v: r.moment(v, v.times.start, v.times.start_zone),
    "end": lambda r, v: r.moment(v, v.times.end, v.times.end_zone),
    "location": lambda r, v: r.location(v),
    "organizer": lambda r, v: {"emailAddress": v.event.organizer or owner(r.account)},
}
SELECTED = {  # returned only if $select names them
    "originalStart": lambda r, v: v.original_start().strftime("%Y-%m-%dT%H:%M:%SZ") if v.day else None,
    "cancelledOccurrences": lambda r, v: r.cancelled(v),
    "occurrenceId": lambda r, v: r.occurrence_id(v.event, v.day) if v.day else None,
    "uid": lambda r, v: ids.ical_uid(r.account.name, v.event.key),
    "transactionId": lambda r, v: v.event.transaction,
}


def calendar(account, held, select=None):
    """The JSON of a calendar."""
    found = {
        "id": ids.calendar_id(account.name, held.key),
        "name": held.name,
        "color": held.color,
        "hexColor": COLORS[held.color] and (account.quirk("other-colors") or COLORS[held.color]),
        "isDefaultCalendar": held.default,
        "changeKey": ids.change_key(account.name, held.version),
        "canShare": held.writable,
        "canViewPrivateItems": True,
        "canEdit": held.writable,
        "allowedOnlineMeetingProviders": ["teamsForBusiness"],
        "defaultOnlineMeetingProvider": "teamsForBusiness",
        "isTallyingResponses": held.default,
        "isRemovable": held.writable and not held.default,
        "owner": owner(account),
    }
    return {name: value for name, value in found.items() if select is None or name in select or name == "id"}
