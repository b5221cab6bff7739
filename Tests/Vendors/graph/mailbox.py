# SPDX-License-Identifier: Apache-2.0
"""The state of an account: calendars, events, their versions, and the order of changes."""

import collections
import dataclasses
import datetime
import itertools

from . import recurrence, zones

COUNTERS = collections.defaultdict(itertools.count)  # account → numbers that are never given twice


@dataclasses.dataclass
class Times:
    """Start and end, each a local time with the name of its zone."""

    start: datetime.datetime
    start_zone: str
    end: datetime.datetime
    end_zone: str

    def start_utc(self):
        """The start in UTC."""
        return zones.to_utc(self.start, self.start_zone)

    def end_utc(self):
        """The end in UTC."""
        return zones.to_utc(self.end, self.end_zone)


@dataclasses.dataclass
class Calendar:
    """A calendar; `changes` maps (event, day or none) to the number of its last change."""

    key: int
    name: str
    color: str = "auto"
    default: bool = False
    writable: bool = True
    version: int = 0
    changes: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Event:
    """A single event or a series.

    `exceptions` maps the day of an occurrence's original start to the properties that differ, the
    times among them as `times`; `cancelled` has the days of deleted occurrences.
    """

    key: int
    calendar: int
    properties: dict
    times: Times
    created: str
    modified: str
    version: int
    recurrence: dict = None
    transaction: str = None
    organizer: dict = None  # none: the account's own
    exceptions: dict = dataclasses.field(default_factory=dict)
    cancelled: set = dataclasses.field(default_factory=set)
    hidden: bool = False  # a series that the user was invited to some occurrences of

    def zone(self):
        """The zone in which the series recurs."""
        return self.recurrence["range"].get("recurrenceTimeZone") or self.times.start_zone

    def all_day(self):
        """Whether the event lasts whole days."""
        return self.properties["isAllDay"]

    def days(self):
        """The days of all occurrences, deleted ones among them."""
        return recurrence.days(self.recurrence)

    def has_day(self, day):
        """Whether the series has an occurrence on a day that is not deleted."""
        if self.recurrence is None or day in self.cancelled:
            return False
        return day in self.exceptions or not self.hidden and any(
            x == day for x in itertools.takewhile(lambda x: x <= day, self.days())
        )

    def pattern_times(self, day):
        """The times that the pattern gives to an occurrence."""
        times = self.times
        if self.all_day():
            start = datetime.datetime.combine(day, datetime.time())
            return Times(start, times.start_zone, start + (times.end - times.start), times.end_zone)
        zone = self.zone()
        first = zones.from_utc(times.start_utc(), zone)
        start = zones.to_utc(datetime.datetime.combine(day, first.time()), zone)
        end = start + (times.end_utc() - times.start_utc())
        return Times(
            zones.from_utc(start, times.start_zone),
            times.start_zone,
            zones.from_utc(end, times.end_zone),
            times.end_zone,
        )


@dataclasses.dataclass
class View:
    """An event, or an instance of a series with its own properties over those of the series."""

    event: Event
    day: datetime.date
    kind: str
    properties: dict
    times: Times

    def original_start(self):
        """The start that the pattern gives, in UTC."""
        return self.event.pattern_times(self.day).start_utc()


def view(event, day=None):
    """The view of an event, or of one of its instances."""
    if day is None:
        kind = "seriesMaster" if event.recurrence else "singleInstance"
        return View(event, None, kind, event.properties, event.times)
    own = event.exceptions.get(day)
    if own is None:
        return View(event, day, "occurrence", event.properties, event.pattern_times(day))
    times = own.get("times") or event.pattern_times(day)
    return View(event, day, "exception", {**event.properties, **own}, times)


class Mailbox:
    """The state of an account; it can be pickled, and numbers go on after it is put back."""

    def __init__(self, account):
        """A mailbox with its default calendar."""
        self.account = account
        self.calendars = {}
        self.events = {}
        self.transactions = {}
        self.tokens = {}
        self.valid_from = 0
        self.clock = 0
        self.add_calendar("Calendar", default=True)

    def number(self):
        """A number that was never given before in this account."""
        return next(COUNTERS[self.account]) + 1

    def add_calendar(self, name, color="auto", default=False, writable=True):
        """Adds a calendar."""
        key = self.number()
        self.calendars[key] = Calendar(key, name, color, default, writable, self.number())
        return self.calendars[key]

    def default_calendar(self):
        """The default calendar."""
        return next(calendar for calendar in self.calendars.values() if calendar.default)

    def add(self, event):
        """Adds an event."""
        self.events[event.key] = event
        if event.transaction:
            self.transactions[event.transaction] = event.key
        self.changed(event)

    def changed(self, event, days=()):
        """Notes that an event has changed, and which of its exceptions appeared, changed or went."""
        self.clock += 1
        event.version = self.number()
        event.modified = now()
        changes = self.calendars[event.calendar].changes
        changes[(event.key, None)] = self.clock
        for day in days:
            changes[(event.key, day)] = self.clock

    def remove(self, event):
        """Removes an event with its exceptions."""
        self.changed(event, list(event.exceptions))
        del self.events[event.key]

    def remove_calendar(self, calendar):
        """Removes a calendar with its events."""
        for event in [x for x in self.events.values() if x.calendar == calendar.key]:
            del self.events[event.key]
        del self.calendars[calendar.key]


def now():
    """The time as Graph writes it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f0Z")
