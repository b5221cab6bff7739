# SPDX-License-Identifier: Apache-2.0
"""Series: instances, exceptions, and what a change of the master does to them."""

import dataclasses
import datetime
import itertools

import rules
import times
from errors import usual
from state import Event

AHEAD = datetime.timedelta(days=730)
SINGLE = ("recurrence",)
OWN = {"id", "recurringEventId", "originalStartTime", "start", "end", "sequence", "updated", "etag"}


def find(calendar, event_id):
    """The event with an id, made up if it is an ordinary instance; raises Refusal if there is none."""
    event = calendar.events.get(event_id)
    if event is not None and not event.reverted:
        return event
    master_id, original = times.split_instance_id(event_id)
    master = calendar.events.get(master_id)
    if master is None or master.cancelled or "recurrence" not in master.data:
        raise usual(404)
    if not rules.has_original(master.data, original):
        raise usual(404)
    return ordinary(master, original)


def ordinary(master, original):
    """The instance of a master that begins at a kept time, as the rule gives it."""
    start, end = rules.instance(master.data, original)
    data = {name: value for name, value in master.data.items() if name not in SINGLE}
    data.update(
        id=times.instance_id(master.data["id"], original),
        recurringEventId=master.data["id"],
        originalStartTime=start,
        start=start,
        end=end,
    )
    return Event(data, master.revision, master.listed, master.order)


def instances(calendar, master, until=None):
    """The instances of a master, exceptions and cancelled ones among them, by their original start.

    How far an endless series goes is not documented; here two years from now or from its start, and
    no more than 1,000 instances.
    """
    most = None if until else 1000
    if until is None:
        begin = times.instant_of(master.data["start"], calendar.zone)
        until = max(begin, datetime.datetime.now(times.UTC)) + AHEAD
    rest = {e.data["id"]: e for e in calendar.exceptions(master.data["id"]) if not e.reverted}
    for original in itertools.islice(rules.originals(master.data, until), most):
        found = rest.pop(times.instance_id(master.data["id"], original), None)
        yield found or ordinary(master, original)
    yield from rest.values()


def changed(call, calendar, master, old):
    """Does to the exceptions what a change of their master from `old` does."""
    exceptions = calendar.exceptions(master.data["id"])
    if not exceptions or "recurrence" not in old:
        return
    if "recurrence" not in master.data:
        for exception in exceptions:
            cancel(call, exception)
        return
    if any(old.get(name) != master.data.get(name) for name in ("start", "end", "recurrence")):
        rescheduled(call, exceptions, master)
    if call.account.quirk("exceptions-inherit"):
        for exception in exceptions:
            inherit(call, exception, master, old)


def rescheduled(call, exceptions, master):
    """Keeps or drops the exceptions of a master whose time or rule changed, by the quirk."""
    rule = call.account.quirk("exceptions-on-reschedule") or "keep"
    for exception in exceptions:
        fits = rules.has_original(master.data, exception.data["originalStartTime"])
        if rule == "keep" or rule == "drop-unmatched" and fits or exception.reverted:
            continue
        if fits:
            plain = ordinary(master, exception.data["originalStartTime"])
            exception.data = {**plain.data, "updated": call.state.now()}
            exception.reverted = True
            exception.revision = exception.listed = call.state.tick()
        else:
            cancel(call, exception)


def inherit(call, exception, master, old):
    """Gives an exception the changed fields of its master that it did not change itself."""
    before = dict(exception.data)
    for name in (set(old) | set(master.data)) - OWN - {"recurrence", "status", "created"}:
        if old.get(name) != master.data.get(name) and before.get(name) == old.get(name):
            exception.data.pop(name, None)
            if name in master.data:
                exception.data[name] = master.data[name]
    if before != exception.data:
        exception.data["updated"] = call.state.now()
        exception.revision = exception.listed = call.state.tick()


def cancel(call, event):
    """Makes an event a cancelled one."""
    event.reverted = False
    event.data = {
        **event.data,
        "status": "cancelled",
        "updated": call.state.now(),
        "sequence": min(event.data.get("sequence", 0) + 1, 2**31 - 1),
    }
    event.revision = event.listed = call.state.tick()


def cancel_all(call, calendar, master):
    """Cancels the exceptions of a deleted master."""
    for exception in calendar.exceptions(master.data["id"]):
        if call.account.quirk("exceptions-vanish"):
            del calendar.events[exception.data["id"]]
        elif not exception.cancelled:
            cancel(call, exception)


def copy_for(call, event):
    """A copy of an event with new revisions, for another calendar."""
    revision = call.state.tick()
    order = call.state.next_order()
    return dataclasses.replace(event, data=dict(event.data), revision=revision, listed=revision, order=order)
