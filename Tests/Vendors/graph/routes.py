# SPDX-License-Identifier: Apache-2.0
"""The addresses below /v1.0/ and what each method does there."""

import re
import urllib.parse

from common.messages import Answer

from . import changes, contract, delta, ids, mailbox, parse, query, render
from .errors import fail, violation

PREFIX = "/v1.0"
TOP = 1000  # the largest $top; undocumented in docs api/calendar-list-events.md
PAGE = 10  # items without $top; undocumented: docs concepts/paging.md has it differ by resource


class Call:
    """A request with what its address names."""

    def __init__(self, account, request):
        """Finds the address's template, the calendar and the event."""
        self.account, self.request, self.box = account, request, account.state
        _mirror_read_only(account)
        parts = request.segments()
        if parts[:2] != ["v1.0", "me"]:
            raise violation(f"no such address: {request.path}")
        parts = [re.sub(r"^(microsoft\.graph\.)?delta(\(\))?$", "delta", part) for part in parts[1:]]
        self.calendar, self.event, self.day = None, None, None
        self.template = self._read(parts)
        if self.template not in contract.OPERATIONS:
            raise violation(f"no such address: {request.path}")
        if request.method not in contract.OPERATIONS[self.template]["methods"]:
            raise fail(405)
        if faults := contract.check_query(self.template, request.method, request.query):
            raise violation("; ".join(faults))

    def _read(self, parts):
        """The template of an address; sets the calendar and the event."""
        template = []
        for before, part in zip([None, *parts], parts):
            if before == "calendars":
                self.calendar = self._find_calendar(part)
                part = "{calendar}"
            elif before == "events" and part != "delta":
                self.event, self.day = self._find_event(part)
                part = "{event}"
            elif part == "calendar" and self.calendar is None:
                self.calendar = self.box.default_calendar()
            template.append(part)
        return "/" + "/".join(template)

    def _find_calendar(self, text):
        """The calendar with an identifier."""
        for calendar in self.box.calendars.values():
            if ids.calendar_id(self.account.name, calendar.key) == text:
                return calendar
        raise fail(404)

    def _find_event(self, text):
        """The event with an identifier, and the day of an instance."""
        try:
            key, day = ids.parse_event_id(self.account.name, text)
        except ValueError:
            raise fail(400, "ErrorInvalidIdMalformed", "Id is malformed.") from None
        event = self.box.events.get(key)
        if event is None or self.calendar and event.calendar != self.calendar.key:
            raise fail(404)
        if event.hidden and day is None or day is not None and not event.has_day(day):
            raise fail(404)
        return event, day

    def base(self):
        """The address of the request without its query, as links have it."""
        return f"http://{self.request.header('host', '127.0.0.1')}{self.request.path}"

    def shape(self, one=False):
        """The shape of the answer."""
        return query.shape(self.request, self.account, one)


def _mirror_read_only(account):
    """Adds the calendar of quirk `read-only-calendar`."""
    name = account.quirk("read-only-calendar")
    if name and all(calendar.name != name for calendar in account.state.calendars.values()):
        account.state.add_calendar(name, writable=False)


def _json(call):
    """The body of a request."""
    try:
        return call.request.json()
    except ValueError:
        raise violation("Unable to read JSON request payload.") from None


def _answered(body, schema, shape=None, status=200):
    """An Answer whose body is checked against a schema."""
    headers = {"OData-Version": "4.0"}
    if shape is not None and shape.applied():
        headers["Preference-Applied"] = shape.applied()
    answer = Answer(status, body, headers)
    answer.schema = schema
    return answer


def _write_to(call, calendar):
    """Refuses to write to a calendar that cannot be edited."""
    if not calendar.writable:
        raise fail(403)


def _check_match(call):
    """Looks at If-Match; a quirk ignores it."""
    wanted = call.request.header("if-match")
    conflicts = call.account.quirk("transient-conflict")
    if conflicts and call.request.method == "PATCH":
        call.account.quirks["transient-conflict"] = conflicts - 1
        raise fail(412)
    if wanted is None or call.account.quirk("ignores-if-match") or wanted.strip() == "*":
        return
    if wanted.removeprefix("W/") != render.Renderer(call.account, query.Shape()).etag(call.event)[2:]:
        raise fail(412)


def _one_event(call, status=200, shape=None):
    """The answer with the event that the address names."""
    shape = shape or call.shape(one=True)
    body = {
        "@odata.context": f"{call.base().split('/me')[0]}/$metadata#users('{call.account.name}')/events/$entity"
    }
    body.update(render.Renderer(call.account, shape).event(mailbox.view(call.event, call.day)))
    answer = _answered(body, "event", shape, status)
    answer.headers["ETag"] = body["@odata.etag"]
    return answer


def get_event(call):
    """GET of an event or an instance."""
    return _one_event(call)


def patch_event(call):
    """PATCH of an event or an instance."""
    shape = call.shape(one=True)
    body = _json(call)
    parse.check_body("event", body, "update")
    _write_to(call, call.box.calendars[call.event.calendar])
    _check_match(call)
    if call.day is None:
        changes.change(call.account, call.event, body)
    else:
        changes.change_instance(call.account, call.event, call.day, body)
    return _one_event(call, 200, shape)


def delete_event(call):
    """DELETE of an event or an instance."""
    if call.request.body:
        raise violation("DELETE has no body")
    _write_to(call, call.box.calendars[call.event.calendar])
    _check_match(call)
    if call.day is None:
        changes.delete(call.account, call.event)
    else:
        changes.delete_instance(call.account, call.event, call.day)
    return Answer(204)


def post_event(call):
    """POST of an event; a repeated transactionId returns the event that is there."""
    shape = call.shape(one=True)
    body = _json(call)
    parse.check_body("event", body, "create")
    calendar = call.calendar or call.box.default_calendar()
    _write_to(call, calendar)
    call.event = changes.repeated(call.account, body) or changes.create(call.account, calendar, body)
    return _one_event(call, 201, shape)


def list_events(call):
    """GET of the events of a calendar, or of the mailbox: single events and masters."""
    events = [
        event
        for event in call.box.events.values()
        if (call.calendar is None or event.calendar == call.calendar.key) and not event.hidden
    ]
    return _list_views(call, [mailbox.view(event) for event in events])


def list_instances(call):
    """GET of the instances of a series in a window."""
    window = []
    for name in ("startDateTime", "endDateTime"):
        if not call.request.value(name):
            raise violation(f"instances: {name} is required")
        window.append(query.instant(call.request.value(name), name))
    event = call.event
    if event.recurrence is None or call.day is not None:
        raise fail(400, "ErrorInvalidRequest", "The event is no series master.")
    views = [mailbox.view(event, day) for day in event.exceptions]
    for day in event.days():
        if day not in event.exceptions and day not in event.cancelled:
            found = mailbox.view(event, day)
            if found.times.start_utc() >= window[1]:
                break
            views.append(found)
    views = [x for x in views if x.times.start_utc() < window[1] and x.times.end_utc() > window[0]]
    return _list_views(call, sorted(views, key=lambda x: x.times.start_utc()))


def _list_views(call, views):
    """A page of views with its filter and order."""
    request, shape = call.request, call.shape()
    renderer = render.Renderer(call.account, shape)

    def shown(view):
        """A function from the name of a property to its value in the answer."""
        return lambda name: renderer.event(view, frozenset((name,))).get(name)

    if request.value("$search") is not None:
        raise violation("$search is not supported for events")
    if text := request.value("$filter"):
        test = query.event_filter(text)
        views = [view for view in views if test(view, shown(view))]
    if text := request.value("$orderby"):
        name, _, order = text.partition(" ")
        if name not in (
            "subject",
            "start/dateTime",
            "end/dateTime",
            "createdDateTime",
            "lastModifiedDateTime",
        ) or order not in ("", "asc", "desc"):
            raise violation(f"$orderby={text}")
        views.sort(key=lambda view: _order(view, name, shown(view)), reverse=order == "desc")
    top = query.number(request, "$top", None, (1, TOP))
    skip = query.number(request, "$skip", 0, (0, 2**31))
    body, views = _page(call, views, top, skip)
    body["value"] = [renderer.event(view) for view in views]
    return _answered(body, "eventCollectionResponse", shape)


def _order(view, name, shown):
    """The value by which a view is sorted."""
    if name.endswith("/dateTime"):
        return view.times.start_utc() if name.startswith("start") else view.times.end_utc()
    return shown(name)


def _page(call, items, top, skip):
    """The head of a page, and its items; the next page is linked if there are more."""
    request = call.request
    body = {"@odata.context": f"{call.base().split('/me')[0]}/$metadata#Collection"}
    if request.value("$count") == "true":
        body["@odata.count"] = len(items)
    size = top or int(query.preferences(request).get("odata.maxpagesize", PAGE))
    if len(items) > skip + size:
        kept = [(name, value) for name, value in request.query if name not in ("$skip", "$skiptoken")]
        rest = "&".join(
            f"{name}={urllib.parse.quote(value, safe='')}"
            for name, value in [*kept, ("$skip", str(skip + size))]
        )
        body["@odata.nextLink"] = f"{call.base()}?{rest}"
    return body, items[skip : skip + size]


def get_delta(call):
    """GET of a page of events/delta."""
    if call.calendar is None:
        raise violation("events/delta of all calendars is not modelled by the double")
    body = delta.answer(call.account, call.request, call.calendar, call.base().replace("delta()", "delta"))
    return _answered(body, "eventCollectionResponse", call.shape())


def get_me(call):
    """GET of the signed-in user."""
    me = render.owner(call.account)
    return _answered(
        {
            "id": call.account.name,
            "displayName": me["name"],
            "mail": me["address"],
            "userPrincipalName": me["address"],
        },
        "user",
    )


def _calendar_select(call):
    """The names of $select for calendars."""
    text = call.request.value("$select")
    if call.request.value("$expand") is not None:
        raise violation("$expand of calendars is not modelled by the double")
    names = text.split(",") if text is not None else None
    if names and (unknown := set(names) - set(contract.SCHEMAS["calendar"]["properties"])):
        raise violation(
            f"Could not find a property named '{min(unknown)}' on type 'microsoft.graph.calendar'."
        )
    return names


def list_calendars(call):
    """GET of all calendars."""
    for name in ("$filter", "$orderby", "$search"):
        if call.request.value(name) is not None:
            raise violation(f"{name} of calendars is not modelled by the double")
    top = query.number(call.request, "$top", None, (1, TOP))
    skip = query.number(call.request, "$skip", 0, (0, 2**31))
    select = _calendar_select(call)
    body, items = _page(call, list(call.box.calendars.values()), top, skip)
    body["value"] = [render.calendar(call.account, calendar, select) for calendar in items]
    return _answered(body, "calendarCollectionResponse")


def get_calendar(call):
    """GET of a calendar."""
    return _answered(render.calendar(call.account, call.calendar, _calendar_select(call)), "calendar")


def post_calendar(call):
    """POST of a calendar; its name must be new."""
    body = _json(call)
    parse.check_body("calendar", body, "create")
    if not body.get("name"):
        raise violation("calendar.name is required")
    _check_name(call, body["name"])
    call.calendar = call.box.add_calendar(body["name"], body.get("color", "auto"))
    return _answered(render.calendar(call.account, call.calendar), "calendar", None, 201)


def _check_name(call, name):
    """Refuses a name that another calendar has."""
    if any(x.name.lower() == name.lower() and x is not call.calendar for x in call.box.calendars.values()):
        raise fail(409, "ErrorFolderExists", "A folder with the specified name already exists.")


def patch_calendar(call):
    """PATCH of a calendar's name, colour or default."""
    body = _json(call)
    parse.check_body("calendar", body, "update")
    _write_to(call, call.calendar)
    if "name" in body:
        _check_name(call, body["name"])
    if body.get("isDefaultCalendar"):
        call.box.default_calendar().default = False
        call.calendar.default = True
    call.calendar.name = body.get("name", call.calendar.name)
    call.calendar.color = body.get("color", call.calendar.color)
    call.calendar.version = call.box.number()
    return _answered(render.calendar(call.account, call.calendar), "calendar")


def delete_calendar(call):
    """DELETE of a calendar that is removable."""
    if call.calendar.default or not call.calendar.writable:
        raise fail(400, "ErrorDeleteDistinguishedFolder", "Distinguished folders cannot be deleted.")
    call.box.remove_calendar(call.calendar)
    return Answer(204)


ACTIONS = {
    "/me": {"GET": get_me},
    "/me/calendar": {"GET": get_calendar, "PATCH": patch_calendar},
    "/me/calendar/events": {"GET": list_events, "POST": post_event},
    "/me/calendar/events/delta": {"GET": get_delta},
    "/me/calendars": {"GET": list_calendars, "POST": post_calendar},
    "/me/calendars/{calendar}": {"GET": get_calendar, "PATCH": patch_calendar, "DELETE": delete_calendar},
    "/me/calendars/{calendar}/events": {"GET": list_events, "POST": post_event},
    "/me/calendars/{calendar}/events/delta": {"GET": get_delta},
    "/me/events": {"GET": list_events, "POST": post_event},
    "/me/events/delta": {"GET": get_delta},
}
for _place in ("/me/events/{event}", "/me/calendars/{calendar}/events/{event}"):
    ACTIONS[_place] = {"GET": get_event, "PATCH": patch_event, "DELETE": delete_event}
    ACTIONS[_place + "/instances"] = {"GET": list_instances}


def answer(account, request):
    """Answers a request that is no batch."""
    call = Call(account, request)
    action = ACTIONS[call.template].get(request.method)
    if action is None:
        raise violation(f"{request.method} {call.template} is not modelled by the double")
    return action(call)
