# SPDX-License-Identifier: Apache-2.0
"""Creates, changes and deletes events and instances of series."""

import datetime
import itertools

from . import mailbox, mails, parse, zones
from .errors import fail, violation

CROSSING = "Modified occurrence is crossing or overlapping adjacent occurrence."


def create(account, calendar, body, organizer=None):
    """A new event; `organizer` for an invitation that somebody else sent."""
    box = account.state
    properties = parse.new_properties()
    properties.update(parse.changes(account, body, properties))
    times = parse.times(body, None, properties["isAllDay"])
    series = body.get("recurrence")
    if series:
        series = parse.series(series, times, properties["isAllDay"], account.quirk("outlook-limits"))
    event = mailbox.Event(
        box.number(),
        calendar.key,
        properties,
        times,
        mailbox.now(),
        "",
        0,
        series or None,
        body.get("transactionId"),
        organizer,
    )
    box.add(event)
    if organizer is None:
        mails.created(account, event)
    return event


def repeated(account, body):
    """The event that was made before with the same transactionId, or none."""
    box = account.state
    key = box.transactions.get(body.get("transactionId")) if body.get("transactionId") else None
    event = box.events.get(key)
    if key is not None and (
        event
        and account.quirk("transaction-conflict")
        or not event
        and account.quirk("transaction-remembered")
    ):
        raise fail(409, "ErrorDuplicateTransactionId", "An event with this transactionId was made before.")
    return event


def change(account, event, body):
    """Changes a single event or a series as a whole."""
    old, kept = event.properties, len(event.exceptions)
    found = parse.changes(account, body, old)
    all_day = found.get("isAllDay", old["isAllDay"])
    times = parse.times(body, event.times, all_day)
    moved = times != event.times or all_day != old["isAllDay"]
    series, reset = _new_series(account, event, body, times, moved)
    gone = list(event.exceptions)
    event.properties, event.times, event.recurrence = {**old, **found}, times, series
    if series is None:
        event.exceptions, event.cancelled = {}, set()
    elif reset and not account.quirk("keeps-exceptions"):
        event.exceptions, event.cancelled = {}, set()
    elif reset or "recurrence" in body:
        _keep_fitting(event)
    account.state.changed(event, gone)
    mails.changed(account, event, mails.Change(old, body, kept))


def _new_series(account, event, body, times, moved):
    """The recurrence after a change, and whether pattern or times of the series changed."""
    limits = account.quirk("outlook-limits")
    all_day = body.get("isAllDay", event.properties["isAllDay"])
    if "recurrence" in body:
        if body["recurrence"] is None:
            return None, True
        series = parse.series(body["recurrence"], times, all_day, limits)
        old = event.recurrence
        same = (
            old
            and old["pattern"] == series["pattern"]
            and old["range"]["startDate"] == series["range"]["startDate"]
        )
        return series, moved or not same
    if event.recurrence is None or not moved:
        return event.recurrence, False
    # "Existing properties that aren't included … are recalculated" (docs api/event-update.md).
    old = event.recurrence["range"]
    zone = (
        old["recurrenceTimeZone"] if old["recurrenceTimeZone"] != event.times.start_zone else times.start_zone
    )
    first = times.start if all_day else zones.from_utc(times.start_utc(), zone)
    limits_now = {**old, "startDate": first.date().isoformat(), "recurrenceTimeZone": zone}
    if limits_now["type"] == "endDate" and limits_now["endDate"] < limits_now["startDate"]:
        raise violation("start is after the end of the series", "ErrorInvalidRecurrence")
    series = {"pattern": event.recurrence["pattern"], "range": limits_now}
    parse.check_series(series, times, limits)
    return series, True


def _keep_fitting(event):
    """Drops exceptions and deletions of days that the series no longer has."""
    days = set(event.exceptions) | event.cancelled
    last = max(days, default=datetime.date.min)
    left = days & set(itertools.takewhile(lambda day: day <= last, event.days()))
    event.exceptions = {day: own for day, own in event.exceptions.items() if day in left}
    event.cancelled &= left


def change_instance(account, event, day, body):
    """Changes an instance, which becomes an exception."""
    if body.get("recurrence"):
        raise violation("recurrence of an instance cannot be set", "ErrorInvalidRecurrence")
    before = mailbox.view(event, day)
    own = dict(event.exceptions.get(day, {}))
    old = (
        before.properties
        if account.quirk("inherits-extended-properties")
        else {**before.properties, "single": own.get("single", {}), "multi": own.get("multi", {})}
    )
    own.update(parse.changes(account, body, old))
    all_day = own.get("isAllDay", event.properties["isAllDay"])
    times = parse.times(body, before.times, all_day)
    if times != before.times:
        _check_neighbours(event, day, times)
        own["times"] = times
    event.exceptions[day] = own
    account.state.changed(event, [day])
    mails.changed(account, event, mails.Change(before.properties, body, 0, day))


def _check_neighbours(event, day, times):
    """Refuses times on or beyond the days of the occurrences before and after.

    "An occurrence cannot be moved to or before the day of the previous occurrence, and cannot be
    moved to or after the day of the following occurrence" (docs api/event-update.md). Deleted
    occurrences do not count; whether they do at the service is undocumented.
    """
    zone = event.zone()
    previous = following = None
    for other in event.days():
        if other in event.cancelled or other == day:
            continue
        if other > day:
            following = other
            break
        previous = other
    moved = _local_day(event, times, zone)
    if previous and moved <= _local_day(event, mailbox.view(event, previous).times, zone):
        raise fail(400, "ErrorOccurrenceCrossingBoundary", CROSSING)
    if following and moved >= _local_day(event, mailbox.view(event, following).times, zone):
        raise fail(400, "ErrorOccurrenceCrossingBoundary", CROSSING)


def _local_day(event, times, zone):
    """The day on which times begin, in the zone of the series."""
    return times.start.date() if event.all_day() else zones.from_utc(times.start_utc(), zone).date()


def delete(account, event):
    """Deletes an event, a series with all its instances."""
    mails.deleted(account, event)
    account.state.remove(event)


def delete_instance(account, event, day):
    """Deletes an instance, which joins the cancelled occurrences."""
    mails.deleted(account, event, day)
    gone = [day] if event.exceptions.pop(day, None) is not None else []
    event.cancelled.add(day)
    account.state.changed(event, gone)
