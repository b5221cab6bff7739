# SPDX-License-Identifier: Apache-2.0
"""Methods of single events: get, insert, import, patch, update, delete, move."""

import fields
import render
import series
import times
from call import mail
from common.messages import Answer
from errors import deleted, forbidden, invalid, usual
from state import Event


def answer(call, calendar, event):
    """The answer with an event."""
    resource = render.render(
        call.state, calendar, event, call.account, call.request.value("timeZone")
    )
    resource = render.with_few_attendees(resource, call.request.value("maxAttendees"))
    return Answer(200, resource, {"ETag": call.state.etag(event.revision)})


def get(call):
    """events.get: cancelled events too."""
    calendar = call.calendar()
    if call.request.value("timeZone"):
        times.zone(call.request.value("timeZone"))
    event = series.find(calendar, call.path["eventId"])
    etag = call.state.etag(event.revision)
    if call.is_known(etag):
        return Answer(304, None, {"ETag": etag})
    return answer(call, calendar, event)


def new_id(call, calendar, body):
    """The id of a new event; raises Refusal with 400 or 409 if the given one is not to be had."""
    given = body.get("id")
    if given is None:
        return call.state.new_id()
    if not fields.ID.fullmatch(given):
        raise invalid("invalid", "Invalid resource id value.")
    if "iCalUID" in body:
        call.account.violate(call.request, "id and iCalUID: only one should be supplied")
    if given in calendar.used_ids:
        raise usual(409)
    return given


def person(call, calendar):
    """The organizer of an event that is made on a calendar: the calendar itself."""
    if calendar.primary:
        return {"email": call.state.email, "self": True}
    return {"email": calendar.id, "displayName": calendar.data["summary"], "self": True}


def mark_attendees(call, data):
    """Sets the read-only marks of attendees."""
    organizer = data.get("organizer", {}).get("email")
    for attendee in data.get("attendees", []):
        for mark, address in (("self", call.state.email), ("organizer", organizer)):
            attendee.pop(mark, None)
            if attendee["email"] == address:
                attendee[mark] = True


def create(call, calendar, body, marks):
    """Makes and stores an event; `marks` are fields that the request cannot set."""
    if body.get("eventType") == "fromGmail":
        raise invalid("eventTypeRestriction", "'fromGmail' events cannot be created.")
    data = fields.writable(body, call.request)
    is_instance = "recurringEventId" in marks
    fields.complete(data, calendar, call.account, is_instance)
    fields.limit_properties(data, call.account, call.request)
    now = call.state.now()
    data.update(sequence=body.get("sequence", 0), created=now[:-5] + ".000Z", updated=now)
    data.update(creator={"email": call.state.email}, **marks)
    if call.state.email == data["organizer"].get("email") or calendar.primary:
        data["creator"]["self"] = True
    link = f"https://www.google.com/calendar/event?eid={data['id']}"
    data["htmlLink"] = link
    mark_attendees(call, data)
    revision = call.state.tick()
    event = Event(data, revision, revision, call.state.next_order())
    calendar.events[data["id"]] = event
    calendar.used_ids.add(data["id"])
    return event


def insert(call):
    """events.insert: an id may be chosen, the UID may not."""
    calendar = call.calendar(write=True)
    body = fields.without_null(call.body)
    for name in ("recurringEventId", "originalStartTime"):
        if name in body:
            call.account.violate(call.request, f"{name}: immutable; insert makes no exception of a series")
    event_id = new_id(call, calendar, body)
    uid = f"{event_id}@google.com"
    if call.account.quirk("insert-keeps-uid"):
        uid = body.get("iCalUID", uid)
    marks = {"id": event_id, "iCalUID": uid, "organizer": person(call, calendar)}
    event = create(call, calendar, body, marks)
    mail(call, event, "invitation")
    return answer(call, calendar, event)


def import_event(call):
    """events.import: a private copy with its own UID and organizer; no mail is sent.

    Events of another type become default ones ("Deprecated behavior"). What an import does whose
    UID is there already is not documented; see the quirk.
    """
    calendar = call.calendar(write=True)
    body = fields.without_null(call.body)
    if body.pop("eventType", "default") != "default":
        for name in [name for name in body if name.endswith("Properties") and name[0] in "bfow"]:
            del body[name]
    uid = body["iCalUID"]
    organizer = {k: v for k, v in body.get("organizer", {}).items() if k != "self"}
    organizer = organizer or person(call, calendar)
    if organizer.get("email") == call.state.email:
        organizer["self"] = True
    marks = {"iCalUID": uid, "organizer": organizer}
    same = [e for e in calendar.events.values() if e.data.get("iCalUID") == uid and not e.cancelled]
    master = next((e for e in same if "recurrence" in e.data), None)
    if master is not None and body.get("originalStartTime"):
        marks.update(instance_marks(master, body["originalStartTime"]))
        same = [e for e in same if e.data["id"] == marks["id"]]
    elif body.get("originalStartTime"):
        raise invalid("invalid", "originalStartTime: there is no recurring event with this iCalUID")
    else:
        same = [e for e in same if "recurringEventId" not in e.data]
        marks["id"] = new_id(call, calendar, body)
    if same and call.account.quirk("import-existing") != "update":
        raise usual(409)
    if same:
        return replace(call, calendar, same[0], body)
    return answer(call, calendar, create(call, calendar, body, marks))


def instance_marks(master, original):
    """The marks of an exception of a master."""
    zone = master.data["start"].get("timeZone")
    kept = times.normalize(original, "originalStartTime", zone, False)
    if "dateTime" in kept:
        kept["timeZone"] = zone
    event_id = times.instance_id(master.data["id"], kept)
    return {"id": event_id, "recurringEventId": master.data["id"], "originalStartTime": kept}


def change(call):
    """events.patch and events.update."""
    calendar = call.calendar(write=True)
    event = series.find(calendar, call.path["eventId"])
    call.check_match(call.state.etag(event.revision))
    if "start" not in event.data:
        raise usual(404)
    return replace(call, calendar, event, call.body)


def replace(call, calendar, event, body):
    """Gives an event the fields of a body: by patch semantics for PATCH, else instead of its own."""
    old = event.data
    if body.get("eventType") not in (None, old["eventType"]):
        raise invalid("eventTypeRestriction", "The event type cannot be changed.")
    given = fields.writable(body, call.request)
    if call.request.method == "PATCH":
        new = fields.merge(old, given)
    else:
        kept = fields.READ_ONLY | {"eventType"} | ({"conferenceData", "attachments"} - set(given))
        kept |= {"eventLabelId", "colorId"} - set(fields.writable({"eventLabelId": 1, "colorId": 1}, call.request))
        new = {name: value for name, value in old.items() if name in kept}
        new.update(fields.without_null(given))
    if event.cancelled and new.get("status") != "cancelled":
        if call.account.quirk("revive-forbidden"):
            raise forbidden("forbidden", "Forbidden", "global")
    new = {**new, "attendees": [dict(a) for a in new.get("attendees", [])]}
    fields.complete(new, calendar, call.account, "recurringEventId" in old)
    fields.limit_properties(new, call.account, call.request)
    new["sequence"] = fields.next_sequence(old, new, body, call.account)
    fields.check_organizer(old, new)
    mark_attendees(call, new)
    if new.get("status") == "cancelled" and not event.cancelled:
        return cancel(call, calendar, event, answered=True)
    store(call, calendar, event, new)
    mail(call, event, "update", old.get("attendees", []))
    return answer(call, calendar, event)


def store(call, calendar, event, new):
    """Stores a changed event, which may be an instance so far ordinary."""
    old = event.data
    differing = {name for name in set(old) | set(new) if old.get(name) != new.get(name)}
    if not differing and call.account.quirk("unchanged-keeps-etag"):
        return
    silent = differing == {"reminders"}
    new["updated"] = old["updated"] if silent else call.state.now()
    event.data = new
    event.reverted = False
    event.revision = call.state.tick()
    if not silent or not call.account.quirk("reminders-silent"):
        event.listed = event.revision
    keep(call, calendar, event)
    series.changed(call, calendar, event, old)


def keep(call, calendar, event):
    """Keeps an instance that was ordinary so far."""
    event_id = event.data["id"]
    if calendar.events.get(event_id) is not event:
        event.order = call.state.next_order()
        calendar.events[event_id] = event
        calendar.used_ids.add(event_id)


def delete(call):
    """events.delete."""
    calendar = call.calendar(write=True)
    event = series.find(calendar, call.path["eventId"])
    if event.cancelled:
        raise deleted()
    call.check_match(call.state.etag(event.revision))
    return cancel(call, calendar, event, answered=False)


def cancel(call, calendar, event, answered):
    """Deletes an event, or cancels an instance."""
    series.cancel(call, event)
    keep(call, calendar, event)
    if "recurrence" in event.data:
        series.cancel_all(call, calendar, event)
    mail(call, event, "cancellation")
    return answer(call, calendar, event) if answered else Answer(204)


def move(call):
    """events.move: the event keeps its id; the source keeps a tombstone with nothing but the id."""
    source = call.calendar(write=True)
    event = series.find(source, call.path["eventId"])
    target = call.state.calendar(call.request.value("destination"))
    if event.cancelled:
        raise usual(404)
    if event.data["eventType"] != "default":
        raise invalid("eventTypeRestriction", "Only default events can be moved.")
    if "recurringEventId" in event.data:
        raise invalid("cannotChangeOrganizerOfInstance", "An instance cannot be moved.")
    if event.data["id"] in target.used_ids:
        raise usual(409)
    organizer = person(call, target)
    for part in [event, *source.exceptions(event.data["id"])]:
        moved = series.copy_for(call, part)
        moved.data.update(organizer=organizer, updated=call.state.now())
        target.events[moved.data["id"]] = moved
        target.used_ids.add(moved.data["id"])
        part.data = {"id": part.data["id"], "status": "cancelled"}
        part.revision = part.listed = call.state.tick()
    moved = target.events[event.data["id"]]
    mail(call, moved, "update")
    return answer(call, target, moved)
