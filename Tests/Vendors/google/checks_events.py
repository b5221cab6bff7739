# SPDX-License-Identifier: Apache-2.0
"""Checks of single events."""

from harness import timed


def check_insert(double, checks, account):
    """Ids, UIDs, versions, duplicates."""
    events = double.service(account).events()
    made = events.insert(calendarId="primary", body=timed("2026-11-02")).execute()
    checks.equal(made["iCalUID"], made["id"] + "@google.com", "the UID is minted")
    checks.equal(made["status"], "confirmed", "the status")
    checks.equal(made["sequence"], 0, "the sequence number")
    checks.equal(made["reminders"], {"useDefault": True}, "the calendar's reminders")
    checks.equal(made["organizer"], {"email": f"{account}@example.com", "self": True}, "the organizer")
    # The default time zone of an answer is the calendar's, Europe/Berlin.
    checks.equal(made["start"]["dateTime"], "2026-11-02T10:00:00+01:00", "the start")
    checks.equal(made["start"]["timeZone"], "Europe/Zurich", "the event's zone")
    shown = events.get(calendarId="primary", eventId=made["id"], timeZone="America/New_York").execute()
    checks.equal(shown["start"]["dateTime"], "2026-11-02T04:00:00-05:00", "the zone of the answer")
    chosen = events.insert(calendarId="primary", body=timed("2026-11-03", id="abc0123uv")).execute()
    checks.equal(chosen["id"], "abc0123uv", "a chosen id")
    again = events.insert(calendarId="primary", body=timed("2026-11-03", id="abc0123uv"))
    checks.fails(again, 409, "duplicate", "an id that is there")
    events.delete(calendarId="primary", eventId="abc0123uv").execute()
    again = events.insert(calendarId="primary", body=timed("2026-11-03", id="abc0123uv"))
    # github.com/googleapis/google-api-python-client/issues/846
    checks.fails(again, 409, "duplicate", "the id of a deleted event")
    deleted = events.delete(calendarId="primary", eventId="abc0123uv")
    checks.fails(deleted, 410, "deleted", "a second deletion")
    gone = events.get(calendarId="primary", eventId="abc0123uv").execute()
    checks.equal((gone["status"], gone["summary"]), ("cancelled", "Event 2026-11-03"), "a deleted event is got")
    checks.equal(double.control(account, "violations"), [], "no violation")


def check_refused(double, checks, account):
    """Requests that break the contract get 400 and are recorded."""
    events = double.service(account).events()
    reminder = {"method": "popup", "minutes": 5}
    zoneless = {"dateTime": "2026-11-02T10:00:00"}
    cases = [
        (timed("2026-11-02", id="abcd"), "invalid"),
        (timed("2026-11-02", id="ABCDEF"), "invalid"),
        (timed("2026-11-02", id="uvwxyz"), "invalid"),
        (timed("2026-11-02", colour="red"), "invalid"),
        (timed("2026-11-02", sequence="1"), "invalid"),
        (timed("2026-11-02", colorId="12"), "invalid"),
        (timed("2026-11-02", transparency="see-through"), "invalid"),
        (timed("2026-11-02", visibility="secret"), "invalid"),
        (timed("2026-11-02", description="x" * 8193), "invalid"),
        (timed("2026-11-02", start=zoneless), "required"),
        (timed("2026-11-02", start={"date": "2026-11-02"}), "invalid"),
        (timed("2026-11-02", start={"dateTime": "2026-11-02T10:00:00Z", "timeZone": "Mars/Base"}), "invalid"),
        (timed("2026-11-02", end={"dateTime": "2026-11-01T10:00:00Z"}), "timeRangeEmpty"),
        (timed("2026-11-02", start={"date": "2026-11-02"}, end={"date": "2026-11-02"}), "timeRangeEmpty"),
        (timed("2026-11-02", reminders={"useDefault": False, "overrides": [reminder] * 6}), "invalid"),
        (
            timed("2026-11-02", reminders={"useDefault": False, "overrides": [{**reminder, "minutes": 40321}]}),
            "invalid",
        ),
        (
            timed("2026-11-02", reminders={"useDefault": True, "overrides": [reminder]}),
            "cannotUseDefaultRemindersAndSpecifyOverride",
        ),
        (timed("2026-11-02", attendees=[{"displayName": "Ann"}]), "required"),
        (timed("2026-11-02", recurrence=["DTSTART:20261102T100000Z"]), "invalid"),
        (timed("2026-11-02", recurrence=["RRULE:FREQ=FORTNIGHTLY"]), "invalid"),
        (timed("2026-11-02", recurrence=["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101"]), "invalid"),
        (timed("2026-11-02", eventType="fromGmail"), "eventTypeRestriction"),
        (timed("2026-11-02", eventType="focusTime"), "eventTypeRestriction"),
    ]
    for body, reason in cases:
        checks.fails(events.insert(calendarId="primary", body=body), 400, reason, f"insert {body}")
    offset = timed("2026-11-02", recurrence=["RRULE:FREQ=DAILY"])
    offset["start"] = {"dateTime": "2026-11-02T10:00:00+01:00"}
    checks.fails(events.insert(calendarId="primary", body=offset), 400, "required", "a series without a zone")
    none = events.import_(calendarId="primary", body=timed("2026-11-02"))
    checks.fails(none, 400, "invalid", "an import without a UID")
    checks.fails(events.insert(calendarId="primary", body={"summary": "x"}), 400, "invalid", "no times")
    checks.equal(len(double.control(account, "violations")), len(cases) + 3, "the violations")
    checks.true(all(v["side"] == "request" for v in double.control(account, "violations")), "of requests")


def check_change(double, checks, account):
    """Patch, update, If-Match, sequence numbers."""
    events = double.service(account).events()
    body = timed("2026-11-02", description="d", location="l", extendedProperties={"private": {"a": "1", "b": "2"}})
    made = events.insert(calendarId="primary", body=body).execute()
    where = {"calendarId": "primary", "eventId": made["id"]}
    patch = events.patch(**where, body={"summary": "new", "extendedProperties": {"private": {"a": None, "c": "3"}}})
    patch.headers["If-Match"] = made["etag"]
    patched = patch.execute()
    checks.equal((patched["summary"], patched["location"]), ("new", "l"), "a patch leaves the rest")
    checks.equal(patched["extendedProperties"]["private"], {"b": "2", "c": "3"}, "null removes a property")
    checks.true(patched["etag"] != made["etag"] and patched["updated"] > made["updated"], "another version")
    checks.equal(patched["sequence"], 0, "the time is the same")
    patch = events.patch(**where, body={"summary": "late"})
    patch.headers["If-Match"] = made["etag"]
    checks.fails(patch, 412, "conditionNotMet", "an old version")
    delete = events.delete(**where)
    delete.headers["If-Match"] = made["etag"]
    checks.fails(delete, 412, "conditionNotMet", "deletion of an old version")
    get = events.get(**where)
    get.headers["If-None-Match"] = patched["etag"]
    try:
        get.execute()
        checks.true(False, "304")
    except Exception as error:
        checks.equal(error.resp.status, 304, "a version that is known")
    day = {"start": {"date": "2026-11-05"}, "end": {"date": "2026-11-06"}}
    checks.fails(events.patch(**where, body=day), 400, "invalid", "a date beside a time")
    whole = {name: {**value, "dateTime": None, "timeZone": None} for name, value in day.items()}
    moved = events.patch(**where, body=whole).execute()
    checks.equal((moved["start"], moved["sequence"]), ({"date": "2026-11-05"}, 1), "an all-day event")
    silent = events.patch(
        **where, body={"reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 0}]}}
    ).execute()
    checks.equal(silent["updated"], moved["updated"], "reminders do not change `updated`")
    checks.true(silent["etag"] != moved["etag"], "reminders change the etag")
    put = events.update(**where, body={"start": day["start"], "end": day["end"], "summary": "bare"}).execute()
    checks.true("location" not in put and "extendedProperties" not in put, "an update replaces all")
    checks.equal(put["iCalUID"], made["iCalUID"], "the UID stays")
    low = events.patch(**where, body={"sequence": 0})
    checks.fails(low, 400, "invalid", "a lower sequence number")
    cancelled = events.patch(**where, body={"status": "cancelled"}).execute()
    checks.equal(cancelled["status"], "cancelled", "a patch deletes")
    back = events.patch(**where, body={"status": "confirmed"}).execute()
    checks.equal((back["status"], back["summary"]), ("confirmed", "bare"), "a deleted event is restored")


def check_properties(double, checks, account):
    """The limits of extended properties (guides/extended-properties)."""
    events = double.service(account).events()
    private = {"k" * 44: "v" * 1024, "k" * 45: "dropped", "long": "v" * 1025}
    made = events.insert(calendarId="primary", body=timed("2026-11-02", extendedProperties={"private": private}))
    kept = made.execute()["extendedProperties"]["private"]
    checks.equal(sorted(kept), ["k" * 44, "long"], "a longer key is dropped")
    checks.equal(len(kept["long"]), 1024, "a longer value is truncated")
    checks.equal(len(double.control(account, "violations")), 2, "both are recorded")
    many = {"private": {f"k{number}": "v" for number in range(301)}}
    request = events.insert(calendarId="primary", body=timed("2026-11-02", extendedProperties=many))
    checks.fails(request, 400, "invalid", "more than 300 properties")
    large = {"private": {f"k{number}": "v" * 1024 for number in range(33)}}
    request = events.insert(calendarId="primary", body=timed("2026-11-02", extendedProperties=large))
    checks.fails(request, 400, "invalid", "more than 32 kB")
    found = events.list(calendarId="primary", privateExtendedProperty="long=" + "v" * 1024).execute()
    checks.equal(len(found["items"]), 1, "found by a property")
    both = events.list(calendarId="primary", privateExtendedProperty=["long=" + "v" * 1024, "no=no"])
    checks.equal(both.execute()["items"], [], "all constraints must fit")


def check_import(double, checks, account):
    """Imports keep the UID and the organizer; no mail is sent."""
    events = double.service(account).events()
    organizer = {"email": "boss@example.net", "displayName": "Boss"}
    guests = [{"email": f"{account}@example.com", "responseStatus": "accepted"}, {"email": "cy@example.org"}]
    body = timed("2026-11-02", iCalUID="uid-1@example.net", organizer=organizer, attendees=guests)
    made = events.import_(calendarId="primary", body=body).execute()
    checks.equal((made["iCalUID"], made["organizer"]), ("uid-1@example.net", organizer), "UID and organizer")
    checks.equal(made["attendees"][0].get("self"), True, "the own entry among the guests")
    # github.com/insanum/gcalcli/issues/784
    again = events.import_(calendarId="primary", body=body)
    checks.fails(again, 409, "duplicate", "a UID that is there")
    double.control(account, "quirks", {"import-existing": "update"})
    body["summary"] = "renamed"
    again = events.import_(calendarId="primary", body=body).execute()
    checks.equal((again["id"], again["summary"]), (made["id"], "renamed"), "or it updates")
    shared = events.patch(calendarId="primary", eventId=made["id"], body={"guestsCanModify": True})
    checks.fails(shared, 403, "forbiddenForNonOrganizer", "shared properties of another's event")
    checks.equal(double.control(account, "mails"), [], "no mail")


def check_mails(double, checks, account):
    """Mails go out only where sendUpdates asks for them."""
    events = double.service(account).events()
    body = timed("2026-11-02", attendees=[{"email": "cy@example.org"}, {"email": "di@gmail.com"}])
    made = events.insert(calendarId="primary", body=body, sendUpdates="none").execute()
    checks.equal(made["attendees"][0]["responseStatus"], "needsAction", "the guest's answer")
    events.patch(calendarId="primary", eventId=made["id"], body={"location": "here"}).execute()
    checks.equal(double.control(account, "mails"), [], "no mail")
    events.patch(calendarId="primary", eventId=made["id"], body={"location": "x"}, sendUpdates="all").execute()
    events.delete(calendarId="primary", eventId=made["id"], sendUpdates="externalOnly").execute()
    mails = [(mail["kind"], mail["to"]) for mail in double.control(account, "mails")]
    expected = [("update", ["cy@example.org", "di@gmail.com"]), ("cancellation", ["cy@example.org"])]
    checks.equal(mails, expected, "the mails")


def check_kinds(double, checks, account):
    """Status events and birthdays (guides/calendar-status, guides/event-types), events from Gmail."""
    events = double.service(account).events()
    focus = timed("2026-11-02", eventType="focusTime", focusTimeProperties={}, transparency="opaque")
    focus["focusTimeProperties"] = {"chatStatus": "doNotDisturb"}
    checks.equal(events.insert(calendarId="primary", body=focus).execute()["eventType"], "focusTime", "focus time")
    home = {
        "start": {"date": "2026-11-02"},
        "end": {"date": "2026-11-03"},
        "eventType": "workingLocation",
        "visibility": "public",
        "transparency": "transparent",
        "workingLocationProperties": {"type": "homeOffice", "homeOffice": {}},
    }
    checks.true(events.insert(calendarId="primary", body=home).execute()["id"], "a working location")
    mail = double.control(account, "events", {"event": timed("2026-11-04", eventType="fromGmail")})
    kinds = [event["eventType"] for event in events.list(calendarId="primary").execute()["items"]]
    checks.equal(kinds, ["focusTime", "workingLocation", "fromGmail"], "all types are listed")
    found = events.list(calendarId="primary", eventTypes=["default", "fromGmail"]).execute()["items"]
    checks.equal([event["id"] for event in found], [mail["id"]], "by type")
    change = events.patch(calendarId="primary", eventId=mail["id"], body={"eventType": "default"})
    checks.fails(change, 400, "eventTypeRestriction", "the type stays")
    move = events.move(calendarId="primary", eventId=mail["id"], destination="primary")
    checks.fails(move, 400, "eventTypeRestriction", "only default events move")
