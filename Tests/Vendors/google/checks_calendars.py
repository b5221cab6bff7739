# SPDX-License-Identifier: Apache-2.0
"""Checks of calendars, the list of calendars, colors, and moves between calendars."""

from harness import listed, timed


def check_calendars(double, checks, account):
    """Calendars are made, changed and deleted."""
    service = double.service(account)
    calendars = service.calendars()
    primary = calendars.get(calendarId="primary").execute()
    checks.equal(primary["id"], f"{account}@example.com", "the primary calendar")
    made = calendars.insert(body={"summary": "Family", "timeZone": "Europe/Paris"}).execute()
    checks.true(made["id"].endswith("@group.calendar.google.com"), "its id")
    patch = calendars.patch(calendarId=made["id"], body={"description": "Ours"})
    patch.headers["If-Match"] = made["etag"]
    patched = patch.execute()
    checks.equal((patched["summary"], patched["description"]), ("Family", "Ours"), "a patch")
    patch = calendars.patch(calendarId=made["id"], body={"description": "late"})
    patch.headers["If-Match"] = made["etag"]
    checks.fails(patch, 412, "conditionNotMet", "an old version")
    put = calendars.update(calendarId=made["id"], body={"summary": "Bare"}).execute()
    checks.true("description" not in put, "an update replaces all")
    entry = service.calendarList().get(calendarId=made["id"]).execute()
    checks.equal((entry["summary"], entry["accessRole"]), ("Bare", "owner"), "it is on the list")
    calendars.delete(calendarId=made["id"]).execute()
    checks.fails(calendars.get(calendarId=made["id"]), 404, "notFound", "a deleted calendar")
    checks.fails(calendars.delete(calendarId="primary"), 400, "cannotDeletePrimaryCalendar", "the primary one")
    checks.fails(calendars.insert(body={}), 400, "invalid", "no title")
    number = len(service.colors().get().execute()["event"])
    checks.equal(number, 11, "colors of events")


def check_list(double, checks, account):
    """The list of calendars with pages and sync tokens."""
    service = double.service(account)
    entries = service.calendarList()
    ids = [service.calendars().insert(body={"summary": f"C{n}"}).execute()["id"] for n in range(4)]
    items, token = listed(entries, maxResults=2)
    checks.equal([entry["id"] for entry in items], [f"{account}@example.com", *ids], "all calendars")
    checks.equal(items[0].get("primary"), True, "the primary one")
    patched = entries.patch(calendarId=ids[0], body={"colorId": "7", "summaryOverride": "Mine"}).execute()
    checks.equal((patched["colorId"], patched["backgroundColor"]), ("7", "#42d692"), "a color by its number")
    body = {"backgroundColor": "#0088aa", "foregroundColor": "#ffffff"}
    patched = entries.patch(calendarId=ids[0], body=body, colorRgbFormat=True).execute()
    checks.equal(patched["backgroundColor"], "#0088aa", "a color of one's own")
    entries.delete(calendarId=ids[1]).execute()
    service.calendars().delete(calendarId=ids[2]).execute()
    items, _ = listed(entries, maxResults=2, syncToken=token)
    found = {entry["id"]: entry.get("deleted", False) for entry in items}
    checks.equal(found, {ids[0]: False, ids[1]: True, ids[2]: True}, "what changed")
    checks.equal(service.calendars().get(calendarId=ids[1]).execute()["id"], ids[1], "it is there still")
    checks.equal(entries.insert(body={"id": ids[1]}).execute()["id"], ids[1], "and back on the list")
    wrong = entries.list(syncToken=token, minAccessRole="owner")
    checks.fails(wrong, 400, "invalidParameter", "a filter with a token")
    double.control(account, "calendars", {"id": ids[3], "role": "reader"})
    request = service.events().insert(calendarId=ids[3], body=timed("2026-11-02"))
    checks.fails(request, 403, "requiredAccessLevel", "a calendar that is read only")
    items, _ = listed(entries, minAccessRole="writer")
    checks.true(ids[3] not in [entry["id"] for entry in items], "by its role")
    double.control(account, "expire", {})
    checks.fails(entries.list(syncToken=token), 410, "fullSyncRequired", "an old token")


def check_move(double, checks, account):
    """A move leaves a tombstone with nothing but the id."""
    service = double.service(account)
    events = service.events()
    target = service.calendars().insert(body={"summary": "Target"}).execute()["id"]
    body = timed("2026-11-02", recurrence=["RRULE:FREQ=DAILY;COUNT=3"])
    made = events.insert(calendarId="primary", body=body).execute()
    second = f"{made['id']}_20261103T090000Z"
    events.patch(calendarId="primary", eventId=second, body={"summary": "other"}).execute()
    _, token = listed(events, calendarId="primary")
    _, there = listed(events, calendarId=target)
    moved = events.move(calendarId="primary", eventId=made["id"], destination=target).execute()
    checks.equal((moved["id"], moved["iCalUID"]), (made["id"], made["iCalUID"]), "id and UID stay")
    checks.equal(moved["organizer"]["email"], target, "another organizer")
    items, _ = listed(events, calendarId="primary", syncToken=token)
    found = {event["id"]: event["status"] for event in items}
    checks.equal(found, {made["id"]: "cancelled", second: "cancelled"}, "gone here")
    items, _ = listed(events, calendarId=target, syncToken=there)
    checks.equal([event["id"] for event in items], [made["id"], second], "and there")
    instance = events.move(calendarId=target, eventId=second, destination="primary")
    checks.fails(instance, 400, "cannotChangeOrganizerOfInstance", "an instance does not move")
    checks.equal([v["side"] for v in double.control(account, "violations")], ["request"], "no other violation")
