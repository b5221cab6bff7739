# SPDX-License-Identifier: Apache-2.0
"""Checks of series, their instances and exceptions."""

from harness import listed, timed


def daily(**more):
    """Five days across the end of summer time."""
    return timed("2026-10-23", recurrence=["RRULE:FREQ=DAILY;COUNT=5"], **more)


def check_instances(double, checks, account):
    """Ids and times of instances."""
    events = double.service(account).events()
    made = events.insert(calendarId="primary", body=daily()).execute()
    found = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]
    expected = [f"{made['id']}_202610{day}T080000Z" for day in (23, 24)]
    expected += [f"{made['id']}_202610{day}T090000Z" for day in (25, 26, 27)]
    checks.equal([event["id"] for event in found], expected, "the ids of the instances, in UTC")
    checks.true(all(event["start"]["dateTime"][11:16] == "10:00" for event in found), "the same hour")
    checks.true(all(event["recurringEventId"] == made["id"] for event in found), "the master")
    checks.true(all(event["iCalUID"] == made["iCalUID"] for event in found), "one UID")
    checks.true(all("recurrence" not in event for event in found), "instances do not recur")
    single = events.list(calendarId="primary", singleEvents=True, orderBy="startTime").execute()["items"]
    checks.equal([event["id"] for event in single], expected, "singleEvents")
    one = events.instances(calendarId="primary", eventId=made["id"], originalStart="2026-10-25T10:00:00+01:00")
    checks.equal([event["id"] for event in one.execute()["items"]], [expected[2]], "by the original start")
    none = events.get(calendarId="primary", eventId=f"{made['id']}_20261029T090000Z")
    checks.fails(none, 404, "notFound", "no instance there")
    days = {"start": {"date": "2026-11-02"}, "end": {"date": "2026-11-03"}}
    days["recurrence"] = ["RRULE:FREQ=WEEKLY;UNTIL=20261117", "EXDATE;VALUE=DATE:20261109", "RDATE;VALUE=DATE:20261110"]
    made = events.insert(calendarId="primary", body=days).execute()
    found = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]
    expected = [f"{made['id']}_202611{day}" for day in ("02", "10", "16")]
    checks.equal([event["id"] for event in found], expected, "all-day instances")
    checks.equal(double.control(account, "violations"), [], "no violation")


def check_exceptions(double, checks, account):
    """Instances that are changed and cancelled."""
    events = double.service(account).events()
    made = events.insert(calendarId="primary", body=daily(location="here")).execute()
    first, second, third = (f"{made['id']}_202610{day}T0{hour}0000Z" for day, hour in ((23, 8), (24, 8), (25, 9)))
    later = {"dateTime": "2026-10-23T15:00:00", "timeZone": "Europe/Zurich"}
    end = {**later, "dateTime": "2026-10-23T16:00:00"}
    body = {"start": later, "end": end, "summary": "later"}
    moved = events.patch(calendarId="primary", eventId=first, body=body).execute()
    checks.equal((moved["id"], moved["recurringEventId"]), (first, made["id"]), "an exception")
    checks.equal(moved["originalStartTime"]["dateTime"], "2026-10-23T10:00:00+02:00", "its original start")
    checks.equal((moved["location"], moved["start"]["dateTime"][11:13]), ("here", "15"), "its fields")
    again = events.patch(calendarId="primary", eventId=first, body={"recurrence": ["RRULE:FREQ=DAILY"]})
    checks.fails(again, 400, "invalid", "an instance cannot recur")
    events.delete(calendarId="primary", eventId=second).execute()
    checks.fails(events.delete(calendarId="primary", eventId=second), 410, "deleted", "cancelled already")
    put = {**daily(), "summary": "third"}
    del put["recurrence"]
    put["start"], put["end"] = (
        {"dateTime": f"2026-10-25T{hour}:00:00+01:00", "timeZone": "Europe/Zurich"} for hour in ("10", "12")
    )
    events.update(calendarId="primary", eventId=third, body=put).execute()
    items, _ = listed(events, calendarId="primary")
    checks.equal([event["id"] for event in items], [made["id"], first, second, third], "master and exceptions")
    # A cancelled exception is "only guaranteed to have" these; kind and etag besides.
    gone = {k: v for k, v in items[2].items() if k not in ("kind", "etag")}
    expected = {"id": second, "status": "cancelled", "recurringEventId": made["id"]}
    expected["originalStartTime"] = {"dateTime": "2026-10-24T10:00:00+02:00", "timeZone": "Europe/Zurich"}
    checks.equal(gone, expected, "a cancelled exception")
    by_uid, _ = listed(events, calendarId="primary", iCalUID=made["iCalUID"])
    checks.equal(len(by_uid), 4, "all by the UID")
    found = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]
    checks.equal(len(found), 4, "the cancelled instance is left out")
    found = events.instances(calendarId="primary", eventId=made["id"], showDeleted=True).execute()["items"]
    checks.equal(len(found), 5, "or not")
    back = events.patch(calendarId="primary", eventId=second, body={"status": "confirmed"}).execute()
    checks.equal(back["status"], "confirmed", "an instance comes back")


def check_master(double, checks, account):
    """What a change of the master does to its exceptions, by the quirk."""
    events = double.service(account).events()
    expected = {
        "keep": {"23": "confirmed", "27": "confirmed"},
        "drop": {"23": "confirmed", "27": "cancelled"},
        "drop-unmatched": {"23": "confirmed", "27": "cancelled"},
    }
    for rule, states in expected.items():
        double.control(account, "quirks", {"exceptions-on-reschedule": rule})
        made = events.insert(calendarId="primary", body=daily()).execute()
        for day, hour in ((23, 8), (27, 9)):
            event_id = f"{made['id']}_202610{day}T0{hour}0000Z"
            events.patch(calendarId="primary", eventId=event_id, body={"summary": "other"}).execute()
        _, token = listed(events, calendarId="primary")
        body = {"recurrence": ["RRULE:FREQ=DAILY;COUNT=3"]}
        events.patch(calendarId="primary", eventId=made["id"], body=body).execute()
        items, _ = listed(events, calendarId="primary", syncToken=token)
        found = {event["id"]: event for event in items}
        checks.true(made["id"] in found, f"{rule}: the master is listed")
        for day, status in states.items():
            hour = {"23": "08", "27": "09"}[day]
            event = events.get(calendarId="primary", eventId=f"{made['id']}_202610{day}T{hour}0000Z").execute()
            checks.equal(event["status"], status, f"{rule}: exception of {day}")
            if day == "23":
                wanted = "Event 2026-10-23" if rule == "drop" else "other"
                checks.equal(event["summary"], wanted, f"{rule}: what it says")
                checks.equal(event["id"] in found, rule == "drop", f"{rule}: whether it is listed")
    double.control(account, "quirks", {"exceptions-inherit": True})
    made = events.insert(calendarId="primary", body=daily(location="here")).execute()
    first = f"{made['id']}_20261023T080000Z"
    events.patch(calendarId="primary", eventId=first, body={"summary": "other"}).execute()
    events.patch(calendarId="primary", eventId=made["id"], body={"location": "there", "summary": "new"}).execute()
    found = events.get(calendarId="primary", eventId=first).execute()
    checks.equal((found["location"], found["summary"]), ("there", "other"), "what is inherited")


def check_deleted(double, checks, account):
    """The deletion of a master."""
    events = double.service(account).events()
    made = events.insert(calendarId="primary", body=daily()).execute()
    first = f"{made['id']}_20261023T080000Z"
    events.patch(calendarId="primary", eventId=first, body={"summary": "other"}).execute()
    _, token = listed(events, calendarId="primary")
    events.delete(calendarId="primary", eventId=made["id"]).execute()
    items, _ = listed(events, calendarId="primary", syncToken=token)
    found = {event["id"]: event["status"] for event in items}
    checks.equal(found, {made["id"]: "cancelled", first: "cancelled"}, "master and exception are deleted")
    items, _ = listed(events, calendarId="primary")
    checks.equal(items, [], "and not listed any more")
    items, _ = listed(events, calendarId="primary", showDeleted=True)
    checks.equal(len(items), 2, "but with showDeleted")
    checks.equal(double.control(account, "violations"), [], "no violation")


def check_imported(double, checks, account):
    """A series and its exception by import."""
    events = double.service(account).events()
    made = events.import_(calendarId="primary", body=daily(iCalUID="s@example.org")).execute()
    body = timed("2026-10-24", 15, iCalUID="s@example.org", summary="later")
    body["originalStartTime"] = {"dateTime": "2026-10-24T10:00:00+02:00"}
    exception = events.import_(calendarId="primary", body=body).execute()
    checks.equal(exception["id"], f"{made['id']}_20261024T080000Z", "the exception's id")
    checks.equal(exception["recurringEventId"], made["id"], "and its master")
