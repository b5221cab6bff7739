# SPDX-License-Identifier: Apache-2.0
"""events.list and events.instances: filters, pages and sync tokens.

Sources: the discovery document, and developers.google.com/workspace/calendar/api/guides/sync.
A page token names the place in the order of creation, so that pages hold together while events are
changed; the sync token of the last page names the revision at the first page, so that what was
changed meanwhile is listed by the next synchronization.
"""

import render
import series
import times
from common.messages import Answer, Refusal
from errors import error_answer, invalid

# "There are several query parameters that cannot be specified together with nextSyncToken".
FORBIDDEN = (
    "iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin",
    "timeMax", "updatedMin",
)  # fmt: skip
# With these a listing gets no sync token; timeMin and timeMax are not among them: the example of the
# sync guide uses timeMin, and the token then keeps it.
NO_TOKEN = set(FORBIDDEN) - {"timeMin", "timeMax"}
FILTERS = ("eventTypes", "iCalUID", "privateExtendedProperty", "q", "sharedExtendedProperty", "updatedMin")
STANDARD = {"alt", "fields", "key", "oauth_token", "prettyPrint", "quotaUser", "userIp"}


class Listing:
    """A page of a listing that is being made."""

    def __init__(self, call):
        """Reads the tokens; raises Refusal if the request may not be so."""
        self.call = call
        self.calendar = call.calendar()
        self.query = call.request
        self.single = call.flag("singleEvents")
        self.deleted = call.flag("showDeleted")
        self.since = None
        self.base = call.state.revision
        self.place = -1
        self.filtered = any(self.query.value(name) is not None for name in FILTERS)
        self.bounds = [self.query.value("timeMin"), self.query.value("timeMax")]
        self._check_bounds()
        self._read_sync_token()
        self._read_page_token()

    def parameters(self, without):
        """The parameters of the query but some, in one spelling."""
        pairs = [p for p in self.query.query if p[0] not in STANDARD and p[0] not in without]
        return "&".join(sorted("=".join(pair) for pair in pairs))

    def _check_bounds(self):
        """Raises Refusal for an empty range of time, a wrong order or an unknown zone."""
        begin, end = [bound and times.parse_instant(bound) for bound in self.bounds]
        if begin and end and begin >= end:
            message = "The specified time range is empty."
            raise invalid("timeRangeEmpty", message, ("parameter", "timeMax"))
        if self.query.value("orderBy") == "startTime" and not self.single:
            message = "The requested ordering is not available for the particular query."
            raise invalid("invalid", message, ("parameter", "orderBy"))
        if self.query.value("timeZone"):
            times.zone(self.query.value("timeZone"))
        if self.query.value("updatedMin") and self.call.account.quirk("updated-min-gone"):
            message = "The requested minimum modification time lies too far in the past."
            place = ("parameter", "updatedMin")
            raise Refusal(error_answer(410, "calendar", "updatedMinTooLongAgo", message, place))

    def _read_sync_token(self):
        """Takes up where the sync token says."""
        text = self.query.value("syncToken")
        if text is None:
            return
        for name in FORBIDDEN:
            if self.query.value(name) is not None:
                message = f"Sync token cannot be used with {name}."
                raise invalid("invalidParameter", message, ("parameter", name))
        if self.query.value("showDeleted") == "false":
            message = "Sync token cannot be used with showDeleted=false."
            raise invalid("invalidParameter", message, ("parameter", "showDeleted"))
        token = self.call.state.read_token(text, "s", self.call.expired)
        if token["c"] != self.calendar.id:
            raise invalid("invalid", "Invalid sync token value.", ("parameter", "syncToken"))
        if token["q"] != self.parameters({"pageToken", "syncToken"}):
            message = f"Parameters differ from those of the first listing: {token['q']}"
            raise invalid("invalid", message, ("parameter", "syncToken"))
        self.since, self.bounds = token["r"], token["b"]

    def _read_page_token(self):
        """Takes up where the page token says."""
        text = self.query.value("pageToken")
        if text is None:
            return
        token = self.call.state.read_token(text, "p", self.call.expired)
        if token["c"] != self.calendar.id or token["q"] != self.parameters({"pageToken"}):
            raise invalid("invalid", "Invalid page token value.", ("parameter", "pageToken"))
        self.place, self.base = token["o"], token["b"]

    def shows(self, event):
        """Whether an event is in the listing, its time aside."""
        if self.since is not None:
            return event.listed > self.since
        if event.reverted:
            return False
        if event.cancelled and not self.deleted and not self.query.value("updatedMin"):
            master = self.calendar.events.get(event.data.get("recurringEventId"))
            if self.single or master is None or master.cancelled:
                return False
        return self._matches(event)

    def _matches(self, event):
        """Whether an event passes the filters of a full listing."""
        if not self.filtered:
            return True
        data = event.data
        uid, updated = self.query.value("iCalUID"), self.query.value("updatedMin")
        if uid is not None and data.get("iCalUID") != uid:
            return False
        if updated is not None and data.get("updated", "") < times.show_utc(times.parse_instant(updated))[:-1]:
            return False
        kinds = self.query.values("eventTypes")
        if kinds and data.get("eventType") not in kinds:
            return False
        for kind in ("private", "shared"):
            wanted = self.query.values(f"{kind}ExtendedProperty")
            found = data.get("extendedProperties", {}).get(kind, {})
            some = any if self.call.account.quirk("properties-any") else all
            if wanted and not some(found.get(w.partition("=")[0]) == w.partition("=")[2] for w in wanted):
                return False
        words = (self.query.value("q") or "").casefold().split()
        return all(word in searched(data) for word in words)

    def in_bounds(self, event):
        """Whether an event, or an instance of a master, lies in the range of time."""
        if not any(self.bounds) or "start" not in event.data:
            return True
        begin, end = [bound and times.parse_instant(bound) for bound in self.bounds]
        parts = [event]
        if "recurrence" in event.data:
            parts = series.instances(self.calendar, event, end)
        zone = self.calendar.zone
        return any(
            (begin is None or times.instant_of(part.data["end"], zone) > begin)
            and (end is None or times.instant_of(part.data["start"], zone) < end)
            for part in parts
        )

    def events(self):
        """The events of the listing with their places, after the place of the page."""
        events = sorted(self.calendar.events.values(), key=lambda event: event.order)
        if not self.single:
            found = [event for event in events if event.order > self.place or self._orders()]
            found = [e for e in found if self.shows(e) and (e.cancelled or self.in_bounds(e))]
        else:
            found = [part for event in events for part in self._expanded(event)]
        if self._orders():
            found.sort(key=self._order_key)
        if self.single or self._orders():
            return list(enumerate(found))[self.place + 1 :]
        return [(event.order, event) for event in found]

    def _orders(self):
        """Whether the listing is in another order than that of creation."""
        return self.query.value("orderBy") is not None

    def _order_key(self, event):
        """What the listing is ordered by."""
        if self.query.value("orderBy") == "updated":
            return event.data["updated"]
        return times.instant_of(event.data["start"], self.calendar.zone)

    def _expanded(self, event):
        """An event or its instances, for singleEvents."""
        if "recurringEventId" in event.data:
            master = self.calendar.events.get(event.data["recurringEventId"])
            later = self.since is not None and master is not None and master.listed <= self.since
            return [event] if later and self.shows(event) else []
        if "recurrence" not in event.data:
            return [event] if self.shows(event) and (event.cancelled or self.in_bounds(event)) else []
        if self.since is not None and event.listed <= self.since:
            return []
        end = self.bounds[1] and times.parse_instant(self.bounds[1])
        parts = series.instances(self.calendar, event, end)
        return [
            part
            for part in parts
            if (self.since is not None or self.deleted or not part.cancelled)
            and (self.since is not None or self._matches(part))
            and self.in_bounds(part)
        ]

    def resource(self, event):
        """An event as it is listed."""
        call, zone = self.call, self.query.value("timeZone")
        if event.cancelled and not self.deleted or "start" not in event.data:
            return render.tombstone(call.state, self.calendar, event, call.account, zone)
        found = render.render(call.state, self.calendar, event, call.account, zone)
        return render.with_few_attendees(found, self.query.value("maxAttendees"))

    def page(self):
        """The answer with the page."""
        size = self.call.size(250, 2500)
        if self.call.account.quirk("short-pages"):
            size = 0 if self.query.value("pageToken") is None else (size + 1) // 2
        found = self.events()
        body = self.head()
        body["items"] = [self.resource(event) for _, event in found[:size]]
        if len(found) > size:
            place = found[size - 1][0] if size else self.place
            values = {"o": place, "b": self.base, "c": self.calendar.id}
            values["q"] = self.parameters({"pageToken"})
            body["nextPageToken"] = self.call.state.new_token("p", values)
        elif not any(self.query.value(name) for name in NO_TOKEN):
            without = {"pageToken", "syncToken", *FORBIDDEN}
            values = {"r": self.base, "b": self.bounds, "c": self.calendar.id}
            values["q"] = self.parameters(without)
            body["nextSyncToken"] = self.call.state.new_token("s", values)
        return Answer(200, body)

    def head(self):
        """The fields of a page before its items."""
        calendar = self.calendar
        latest = max([calendar.revision, *(e.revision for e in calendar.events.values())])
        body = {
            "kind": "calendar#events",
            "etag": self.call.state.etag(latest),
            "summary": calendar.data["summary"],
            "updated": self.call.state.last.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "timeZone": calendar.zone,
            "accessRole": calendar.role,
            "defaultReminders": calendar.entry["defaultReminders"],
        }
        if "description" in calendar.data:
            body["description"] = calendar.data["description"]
        return body


def searched(data):
    """The text of an event that `q` searches."""
    texts = [data.get(name, "") for name in ("summary", "description", "location")]
    for guest in [*data.get("attendees", []), data.get("organizer", {})]:
        texts += [guest.get("displayName", ""), guest.get("email", "")]
    return " ".join(texts).casefold()


def list_events(call):
    """events.list."""
    return Listing(call).page()


def list_instances(call):
    """events.instances."""
    listing = Instances(call)
    return listing.page()


class Instances(Listing):
    """A page of the instances of a master; it has no sync token that events.list would take."""

    def events(self):
        """The instances with their places, after the place of the page."""
        master = series.find(self.calendar, self.call.path["eventId"])
        if "recurrence" not in master.data or master.cancelled and not self.deleted:
            return []
        end = self.bounds[1] and times.parse_instant(self.bounds[1])
        original = self.query.value("originalStart")
        found = [
            part
            for part in series.instances(self.calendar, master, end)
            if (self.deleted or not part.cancelled)
            and self.in_bounds(part)
            and (original is None or is_original(part, original))
        ]
        return list(enumerate(found))[self.place + 1 :]

    def page(self):
        """The answer with the page."""
        answer = super().page()
        answer.body.pop("nextSyncToken", None)
        return answer


def is_original(event, text):
    """Whether an instance begins by its rule at a time or date."""
    kept = event.data["originalStartTime"]
    if "date" in kept:
        return kept["date"] == text[:10]
    try:
        return kept["dateTime"] == times.show_utc(times.parse_instant(text))
    except ValueError:
        raise invalid("invalid", f"Invalid originalStart: {text}", ("parameter", "originalStart")) from None
