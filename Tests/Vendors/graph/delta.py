# SPDX-License-Identifier: Apache-2.0
"""Rounds of events/delta: pages, tokens, removed events (docs beta/api/event-delta.md)."""

import dataclasses
import datetime

from . import ids, mailbox, query, recurrence
from .errors import fail, violation
from .render import Renderer

BRIEF = frozenset(("type", "start", "end"))
PAGE = 10  # items without Prefer: odata.maxpagesize; the service's number is undocumented
REFUSED = ("$select", "$expand", "$filter", "$orderby", "$search", "$top", "$skip", "$count")


@dataclasses.dataclass(frozen=True)
class Token:
    """What a $skiptoken or a $deltatoken stands for.

    `items` are those of the round that are still to come, none for a $deltatoken; `clock` is the
    change up to which the round reports; `since` is the instant that bounds the events.
    """

    calendar: int
    clock: int
    since: object
    items: tuple = None


def answer(account, request, calendar, base):
    """The body of a page; `base` is the address without its query."""
    for name in REFUSED:
        if request.value(name) is not None:
            raise violation(f"events/delta: {name} is not supported")
    box = account.state
    given = [name for name in ("$deltatoken", "$skiptoken") if request.value(name)]
    if given:
        if len(request.query) > 1:
            raise violation("a link of events/delta is to be used as it is")
        token = _token(account, request.value(given[0]), calendar, base)
        if (token.items is None) != (given[0] == "$deltatoken"):
            raise violation(f"{given[0]} is none of that kind")
        if token.items is None:
            token = _round(account, calendar, token.since, token.clock)
    else:
        if request.value("endDateTime"):
            raise violation("endDateTime is not supported by delta on events in a calendar")
        since = request.value("startDateTime")
        token = _round(account, calendar, query.instant(since, "startDateTime") if since else None, None)
    return _page(account, request, token, (box, base))


def _token(account, text, calendar, base):
    """The token with a name; 410 if it is not valid, with the address of a new round."""
    number, _, _ = text.partition(".")
    token = account.state.tokens.get(text)
    if token is None or int(number) < account.state.valid_from or token.calendar != calendar.key:
        headers = {} if account.quirk("gone-without-location") else {"Location": f"{base}?$deltatoken="}
        raise fail(410, account.quirk("gone-code") or None, headers=headers)
    return token


def _round(account, calendar, since, clock):
    """The token of a new round: of all events, or of those that changed after `clock`."""
    box = account.state
    upto = box.clock - (account.quirk("slow-replication") or 0)
    floor = clock if clock is not None else -1
    if clock is not None and account.quirk("delta-replays"):
        floor -= 1
    exceptions = account.quirk("delta-lists-exceptions")
    items = [
        item
        for item, number in calendar.changes.items()
        if floor < number
        and (number <= upto or clock is None)
        and (clock is not None or _there(box, item))
        and _listed(box, item, exceptions)
    ]
    items.sort(key=lambda item: (calendar.changes[item], item[0], item[1] or datetime.date.min))
    if account.quirk("delta-empty-pages"):
        items.insert(0, None)
    return Token(calendar.key, max(upto, clock or 0), since, tuple(items))


def _listed(box, item, exceptions):
    """Whether a round has an item: a series whose occurrences alone the user has is in none."""
    event = box.events.get(item[0])
    if event is not None and event.hidden:
        return item[1] is not None
    return item[1] is None or exceptions


def _there(box, item):
    """Whether an item of the order of changes is there."""
    event = box.events.get(item[0])
    return event is not None and (item[1] is None or item[1] in event.exceptions)


def _page(account, request, token, place):
    """A page of a round, with the link to the next page or to the next round."""
    box, base = place
    shape = query.shape(request, account)
    size = query.preferences(request).get("odata.maxpagesize", str(PAGE))
    if not size.isdigit() or int(size) < 1:
        raise violation(f"Prefer: odata.maxpagesize={size}")
    size = 1 if token.items[:1] == (None,) else int(size)
    renderer = Renderer(account, shape)
    value = [_item(renderer, item, token.since) for item in token.items[:size] if item is not None]
    body = {"@odata.context": f"{base.split('/me/')[0]}/$metadata#Collection(event)"}
    rest = token.items[size:]
    following = dataclasses.replace(token, items=rest or None)
    name = (
        f"{box.number()}.{ids.change_key(account.name, token.clock)[:12].replace('+', '-').replace('/', '_')}"
    )
    box.tokens[name] = following
    if rest:
        body["@odata.nextLink"] = f"{base}?$skiptoken={name}"
    else:
        body["@odata.deltaLink"] = f"{base}?$deltatoken={name}"
    return {**body, "value": [item for item in value if item is not None]}


def _item(renderer, item, since):
    """An event of a page, or what stands for a removed one; none if it is before `since`."""
    key, day = item
    account = renderer.account
    if not _there(account.state, item):
        identifier = ids.event_id(account.name, key, day, renderer.shape.immutable)
        reason = account.quirk("removed-reason") or "deleted"
        return {"@odata.type": "#microsoft.graph.event", "id": identifier, "@removed": {"reason": reason}}
    event = account.state.events[key]
    if since is not None and not _reaches(event, day, since):
        return None
    select = BRIEF if account.quirk("delta-brief") else None
    return {"@odata.type": "#microsoft.graph.event", **renderer.event(mailbox.view(event, day), select)}


def _reaches(event, day, since):
    """Whether an event starts at an instant or later; of a series, whether any instance does."""
    if day is not None or event.recurrence is None:
        return mailbox.view(event, day).times.start_utc() >= since
    if event.recurrence["range"]["type"] == "noEnd":
        return True
    last = max(recurrence.days(event.recurrence))
    return event.pattern_times(last).start_utc() >= since
