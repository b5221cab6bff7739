# SPDX-License-Identifier: Apache-2.0
"""The state of an account: calendars with their events, versions and sync tokens."""

import base64
import dataclasses
import datetime
import itertools
import json
import random

import times
from errors import invalid, usual

ZONE = "Europe/Berlin"
LINEAGES = itertools.count(1)


@dataclasses.dataclass
class Calendar:
    """A calendar: its metadata, the user's entry for it, and its events."""

    id: str
    data: dict
    entry: dict
    revision: int  # of the metadata and the entry
    events: dict = dataclasses.field(default_factory=dict)
    used_ids: set = dataclasses.field(default_factory=set)  # never given again
    listed: bool = True
    deleted: bool = False
    role: str = "owner"
    primary: bool = False

    @property
    def zone(self):
        """The zone of the calendar."""
        return self.data["timeZone"]

    def exceptions(self, master_id):
        """The exceptions of a series, cancelled ones among them."""
        return [e for e in self.events.values() if e.data.get("recurringEventId") == master_id]


@dataclasses.dataclass
class Event:
    """An event as it is kept: a resource with times in UTC, and its version."""

    data: dict
    revision: int  # of its last change; the etag
    listed: int  # revision of its last change that an incremental listing shows
    order: int  # place in listings
    reverted: bool = False  # an exception that is an ordinary instance again

    @property
    def cancelled(self):
        """Whether the event is deleted, or the exception cancelled."""
        return self.data["status"] == "cancelled"


class State:
    """All that an account has."""

    def __init__(self, name):
        """An account with its primary calendar."""
        self.email = name if "@" in name else f"{name}@example.com"
        self.random = random.Random(name)
        self.revision = 0
        self.order = 0
        self.last = datetime.datetime.now(times.UTC)
        self.lineage = next(LINEAGES)
        self.lineages = {}  # earlier lineages whose tokens hold, with the last revision that does
        self.cache = {}
        self.requests = []  # times of requests, for a quota
        self.calendars = {}
        self.add_calendar(self.email, {"summary": self.email, "timeZone": ZONE}, primary=True)

    def __getstate__(self):
        """Leaves the cache out of snapshots."""
        return {**self.__dict__, "cache": {}}

    def tick(self):
        """The next revision."""
        self.revision += 1
        return self.revision

    def next_order(self):
        """The place of a new event."""
        self.order += 1
        return self.order

    def now(self):
        """The time, which is never the same twice."""
        step = datetime.timedelta(milliseconds=1)
        self.last = max(datetime.datetime.now(times.UTC), self.last + step)
        return self.last.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.last.microsecond // 1000:03}Z"

    def new_id(self):
        """An id for an event, as Google mints them."""
        return "".join(self.random.choices("0123456789abcdefghijklmnopqrstuv", k=26))

    def etag(self, revision):
        """The ETag of a revision; never the same after a snapshot was put back."""
        return f'"{self.lineage_of(revision):06}{revision:09}0"'

    def lineage_of(self, revision):
        """The lineage in which a revision was made."""
        for lineage in sorted(self.lineages):
            if revision <= self.lineages[lineage]:
                return lineage
        return self.lineage

    def restored(self):
        """Begins a new lineage after a snapshot was put back."""
        self.lineages[self.lineage] = self.revision
        self.lineage = next(LINEAGES)

    def add_calendar(self, calendar_id, data, primary=False):
        """Makes a calendar that is on the user's list."""
        revision = self.tick()
        entry = {"colorId": "14" if primary else "5", "selected": True, "defaultReminders": []}
        if primary:
            entry["defaultReminders"] = [{"method": "popup", "minutes": 30}]
        data = {"timeZone": ZONE, **data}
        calendar = Calendar(calendar_id, data, entry, revision, primary=primary)
        self.calendars[calendar_id] = calendar
        return calendar

    def calendar(self, calendar_id):
        """The calendar with an id or "primary"; raises Refusal if there is none."""
        found = self.calendars.get(self.email if calendar_id == "primary" else calendar_id)
        if found is None or found.deleted:
            raise usual(404)
        return found

    def new_token(self, kind, values):
        """A page token ("p") or a sync token ("s")."""
        data = {"k": kind, "l": self.lineage, "r": self.revision, **values}
        text = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
        return base64.urlsafe_b64encode(text).decode()

    def read_token(self, token, kind, expired):
        """The values of a token; Refusal with 400 if it is none, with 410 if it holds no longer."""
        try:
            data = json.loads(base64.urlsafe_b64decode(token.encode()))
            right = data["k"] == kind and isinstance(data["r"], int)
        except (ValueError, KeyError, TypeError):
            right = False
        name = "syncToken" if kind == "s" else "pageToken"
        if not right:
            raise invalid("invalid", f"Invalid {name} value.", ("parameter", name))
        if data["l"] <= expired:
            raise usual(410)
        if data["l"] != self.lineage and data["r"] > self.lineages.get(data["l"], -1):
            raise usual(410)
        return data
