# SPDX-License-Identifier: Apache-2.0
"""Checks of pages, sync tokens, batches and faults."""

from harness import listed, timed


def check_pages(double, checks, account):
    """Pages hold together while events are changed (guides/pagination, guides/sync)."""
    service = double.service(account)
    events = service.events()
    ids = [f"page{number:05}" for number in range(60)]
    for start in (0, 30):
        batch = service.new_batch_http_request()
        for event_id in ids[start : start + 30]:
            batch.add(events.insert(calendarId="primary", body=timed("2026-11-02", id=event_id)))
        batch.execute()
    first = events.list(calendarId="primary", maxResults=25)
    page = first.execute()
    checks.true("nextSyncToken" not in page and page["nextPageToken"], "the token is on the last page")
    events.patch(calendarId="primary", eventId=ids[0], body={"summary": "while"}).execute()
    events.delete(calendarId="primary", eventId=ids[50]).execute()
    found = [event["id"] for event in page["items"]]
    request = events.list_next(first, page)
    while request is not None:
        page = request.execute()
        found += [event["id"] for event in page["items"]]
        request = events.list_next(request, page)
    checks.equal(found, [event_id for event_id in ids if event_id != ids[50]], "each once")
    items, _ = listed(events, calendarId="primary", maxResults=25, syncToken=page["nextSyncToken"])
    found = {event["id"]: event["status"] for event in items}
    checks.equal(found, {ids[0]: "confirmed", ids[50]: "cancelled"}, "what changed meanwhile comes next")
    checks.equal(len(events.list(calendarId="primary").execute()["items"]), 59, "250 by default")
    double.control(account, "quirks", {"short-pages": True})
    items, _ = listed(events, calendarId="primary", maxResults=10)
    checks.equal(len(items), 59, "short pages")
    wrong = events.list(calendarId="primary", maxResults=10, pageToken="nonsense")
    checks.fails(wrong, 400, "invalid", "no page token")


def check_tokens(double, checks, account):
    """Incremental listings."""
    events = double.service(account).events()
    keep, change, drop = (
        events.insert(calendarId="primary", body=timed(f"2026-11-0{day}")).execute()["id"] for day in (2, 3, 4)
    )
    _, token = listed(events, calendarId="primary")
    items, second = listed(events, calendarId="primary", syncToken=token)
    checks.equal(items, [], "nothing changed")
    events.patch(calendarId="primary", eventId=change, body={"summary": "new"}).execute()
    events.delete(calendarId="primary", eventId=drop).execute()
    made = events.insert(calendarId="primary", body=timed("2026-11-05")).execute()["id"]
    items, third = listed(events, calendarId="primary", syncToken=second)
    found = {event["id"]: event["status"] for event in items}
    checks.equal(found, {change: "confirmed", drop: "cancelled", made: "confirmed"}, "the changes")
    tombstone = next(event for event in items if event["id"] == drop)
    checks.equal(sorted(tombstone), ["etag", "id", "kind", "status"], "a tombstone without details")
    items, _ = listed(events, calendarId="primary", syncToken=token)
    checks.equal(len(items), 3, "an earlier token holds as well")
    double.control(account, "quirks", {"bare-tombstones": True})
    items, _ = listed(events, calendarId="primary", syncToken=second)
    tombstone = next(event for event in items if event["id"] == drop)
    checks.equal(tombstone, {"id": drop, "status": "cancelled"}, "a tombstone with nothing but its id")
    checks.equal(double.control(account, "violations"), [], "no violation")
    others = [
        {"q": "x"}, {"iCalUID": "x"}, {"orderBy": "updated"}, {"timeMin": "2026-11-01T00:00:00Z"},
        {"timeMax": "2026-11-01T00:00:00Z"}, {"updatedMin": "2026-11-01T00:00:00Z"},
        {"privateExtendedProperty": "a=b"}, {"sharedExtendedProperty": "a=b"}, {"showDeleted": False},
    ]  # fmt: skip
    for other in others:
        request = events.list(calendarId="primary", syncToken=third, **other)
        checks.fails(request, 400, "invalidParameter", f"a sync token with {other}")
    request = events.list(calendarId="primary", syncToken=third, maxAttendees=3)
    checks.fails(request, 400, "invalid", "another parameter than at first")
    double.control(account, "expire", {})
    request = events.list(calendarId="primary", syncToken=third)
    checks.fails(request, 410, "fullSyncRequired", "a token that is too old")
    items, fresh = listed(events, calendarId="primary")
    checks.equal({event["id"] for event in items}, {keep, change, made}, "all anew")
    checks.true(fresh, "and a new token")


def check_bounds(double, checks, account):
    """A first listing with timeMin; its token keeps the bound (example of guides/sync)."""
    events = double.service(account).events()
    events.insert(calendarId="primary", body=timed("2026-01-02")).execute()
    late = events.insert(calendarId="primary", body=timed("2026-11-02")).execute()["id"]
    series = timed("2026-01-05", recurrence=["RRULE:FREQ=MONTHLY"])
    series = events.insert(calendarId="primary", body=series).execute()["id"]
    items, token = listed(events, calendarId="primary", timeMin="2026-10-01T00:00:00Z")
    checks.equal([event["id"] for event in items], [late, series], "a master counts by its instances")
    events.insert(calendarId="primary", body=timed("2026-02-02")).execute()
    items, _ = listed(events, calendarId="primary", syncToken=token)
    checks.equal(items, [], "what is before the bound is not listed")
    empty = events.list(calendarId="primary", timeMin="2026-10-01T00:00:00Z", timeMax="2026-10-01T00:00:00Z")
    checks.fails(empty, 400, "timeRangeEmpty", "an empty range")
    order = events.list(calendarId="primary", orderBy="startTime")
    checks.fails(order, 400, "invalid", "an order for single events only")
    mask = events.list(calendarId="primary", fields="nextSyncToken,items(id,start/dateTime)").execute()
    checks.equal(sorted(mask), ["items", "nextSyncToken"], "a partial answer")
    checks.equal(sorted(mask["items"][0]), ["id", "start"], "of each item too")


def check_snapshot(double, checks, account):
    """After a backup was put back, tokens and versions made since hold no longer."""
    events = double.service(account).events()
    made = events.insert(calendarId="primary", body=timed("2026-11-02")).execute()
    _, before = listed(events, calendarId="primary")
    double.control(account, "snapshot", {})
    changed = events.patch(calendarId="primary", eventId=made["id"], body={"summary": "lost"}).execute()
    _, after = listed(events, calendarId="primary")
    double.control(account, "restore", {})
    found = events.get(calendarId="primary", eventId=made["id"]).execute()
    checks.equal((found["summary"], found["etag"]), (made["summary"], made["etag"]), "as it was")
    request = events.list(calendarId="primary", syncToken=after)
    checks.fails(request, 410, "fullSyncRequired", "a token of what is lost")
    items, _ = listed(events, calendarId="primary", syncToken=before)
    checks.equal(items, [], "an earlier token holds")
    again = events.patch(calendarId="primary", eventId=made["id"], body={"summary": "other"}).execute()
    checks.true(again["etag"] != changed["etag"], "no version comes twice")


def check_batch(double, checks, account):
    """Batches (guides/batch)."""
    service = double.service(account)
    events = service.events()
    fault = {"method": "POST", "path": "/events$", "skip": 1, "count": 1, "do": {"status": 403}}
    double.control(account, "faults", [{**fault, "path": "/events[?]"}])
    answers = {}
    batch = service.new_batch_http_request(lambda key, answer, error: answers.update({key: (answer, error)}))
    for key in "abc":
        batch.add(events.insert(calendarId="primary", body=timed("2026-11-02", id=f"batch{key}")), request_id=key)
    batch.add(events.delete(calendarId="primary", eventId="missing"), request_id="d")
    batch.execute()
    checks.equal([answers[key][1] is None for key in "abcd"], [True, False, True, False], "which failed")
    checks.equal(answers["b"][1].resp.status, 403, "the fault of a part")
    checks.equal(answers["d"][1].resp.status, 404, "what is not there")
    log = double.control(account, "log")
    checks.equal([entry.get("in-batch", False) for entry in log], [False, True, True, True, True], "the log")
    batch = service.new_batch_http_request()
    for number in range(51):
        batch.add(events.get(calendarId="primary", eventId="batcha"), request_id=str(number))
    checks.fails(batch, 400, "badRequest", "more than 50 parts")


def check_faults(double, checks, account):
    """Tokens, scopes, quotas, lost answers."""
    events = double.service(account).events()
    expired = double.service(f"{account}.expired").events().list(calendarId="primary")
    # The vendor's client tries to refresh the token when it sees 401, and cannot.
    try:
        expired.execute()
        checks.true(False, "an expired token")
    except Exception as error:
        checks.equal(type(error).__name__, "RefreshError", "an expired token")
    checks.equal(double.control(account, "log")[-1]["status"], 401, "its status")
    reader = double.service(f"{account}.calendar.events.readonly").events()
    checks.equal(reader.list(calendarId="primary").execute()["items"], [], "a scope that reads")
    request = reader.insert(calendarId="primary", body=timed("2026-11-02"))
    checks.fails(request, 403, "insufficientPermissions", "and may not write")
    own = double.service(f"{account}.calendar.app.created").events().list(calendarId="primary")
    checks.fails(own, 403, "insufficientPermissions", "a scope for own calendars")
    double.control(account, "faults", [{"do": {"status": 429, "headers": {"Retry-After": "0"}}}])
    answer = checks.fails(events.list(calendarId="primary"), 429, "rateLimitExceeded", "too many requests")
    checks.equal(answer["retry-after"], "0", "when to try again")
    double.control(account, "faults", [{"method": "POST", "do": {"lose": True}}])
    request = events.insert(calendarId="primary", body=timed("2026-11-02", id="lost0"))
    try:
        request.execute(num_retries=0)
        checks.true(False, "a lost answer")
    except Exception as error:
        # The vendor's transport repeats a request whose connection closes; the second one finds it done.
        status = getattr(getattr(error, "resp", None), "status", None)
        checks.true(status == 409 or isinstance(error, OSError) or status is None, "a lost answer")
    found = events.get(calendarId="primary", eventId="lost0").execute()
    checks.equal(found["id"], "lost0", "but it was done")
    double.control(account, "quirks", {"quota-per-minute": 1})
    events.list(calendarId="primary").execute()
    checks.fails(events.list(calendarId="primary"), 403, "userRateLimitExceeded", "the quota")
