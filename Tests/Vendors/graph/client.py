# SPDX-License-Identifier: Apache-2.0
"""Drives the double with Microsoft's own library, and checks what comes back.

usage: client.py  (needs msgraph-sdk 1.65.0; starts the double itself)
"""

import asyncio
import datetime
import json
import pathlib
import subprocess
import sys
import urllib.request

from kiota_abstractions.api_error import APIError
from kiota_abstractions.authentication import (
    AccessTokenProvider,
    AllowedHostsValidator,
    BaseBearerTokenAuthenticationProvider,
)
from kiota_abstractions.base_request_configuration import RequestConfiguration
from msgraph import GraphRequestAdapter, GraphServiceClient
from msgraph.generated.models.calendar import Calendar
from msgraph.generated.models.date_time_time_zone import DateTimeTimeZone
from msgraph.generated.models.day_of_week import DayOfWeek
from msgraph.generated.models.event import Event
from msgraph.generated.models.event_type import EventType
from msgraph.generated.models.o_data_errors.o_data_error import ODataError
from msgraph.generated.models.patterned_recurrence import PatternedRecurrence
from msgraph.generated.models.recurrence_pattern import RecurrencePattern
from msgraph.generated.models.recurrence_pattern_type import RecurrencePatternType
from msgraph.generated.models.recurrence_range import RecurrenceRange
from msgraph.generated.models.recurrence_range_type import RecurrenceRangeType
from msgraph.generated.models.single_value_legacy_extended_property import SingleValueLegacyExtendedProperty
from msgraph_core.requests.batch_request_content import BatchRequestContent
from msgraph_core.requests.batch_request_item import BatchRequestItem

ACCOUNT = "ann"
STASH = "String {6ac5d1f0-7ab3-4e0a-9a4c-9f1a0d4e2b11} Name Test"
IMMUTABLE = 'IdType="ImmutableId"'
SERIES = ["id", "subject", "cancelledOccurrences", "exceptionOccurrences", "originalStart"]


class Token(AccessTokenProvider):
    """Gives the account's name as its token, on loopback without TLS."""

    def __init__(self, token):
        """The token, for requests to loopback only."""
        self.token = token
        self.validator = AllowedHostsValidator(["127.0.0.1"])

    async def get_authorization_token(self, uri, additional_authentication_context=None):
        """The token."""
        return self.token

    def get_allowed_hosts_validator(self):
        """The hosts that may have the token."""
        return self.validator


class Checks:
    """Counts checks and ends at the first that fails."""

    def __init__(self):
        """No check has passed."""
        self.passed = 0

    def that(self, what, condition):
        """Checks one thing."""
        if not condition:
            sys.exit(f"failed: {what}")
        self.passed += 1

    async def fails(self, what, status, code, call):
        """Expects an error with a status and a code."""
        try:
            await call
        except ODataError as error:
            found = error.response_status_code, error.error.code
            return self.that(f"{what}: {found}", found == (status, code))
        except APIError as error:
            return self.that(f"{what}: {error}", False)
        return self.that(f"{what}: no error", False)


def client(address, token=ACCOUNT):
    """Microsoft's client with another address and a fixed token."""
    adapter = GraphRequestAdapter(BaseBearerTokenAuthenticationProvider(Token(token)))
    adapter.base_url = f"{address}/v1.0"
    return GraphServiceClient(request_adapter=adapter)


def configured(prefer="", if_match=None, **parameters):
    """A configuration with preferences, and the query parameters that a builder's class takes."""
    configuration = RequestConfiguration()
    configuration.headers.add("Prefer", ", ".join(x for x in (IMMUTABLE, prefer) if x))
    if if_match:
        configuration.headers.add("If-Match", if_match)
    if kind := parameters.pop("kind", None):
        configuration.query_parameters = kind(**parameters)
    return configuration


def at(time, zone="Europe/Berlin"):
    """A time with its zone."""
    return DateTimeTimeZone(date_time=time, time_zone=zone)


def control(address, method, name, body=None):
    """The answer of a control address of the double."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"{address}/-/{ACCOUNT}/{name}", data, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


async def check_events(graph, checks):
    """Calendars, creation, versions, extended properties."""
    calendars = (await graph.me.calendars.get(configured())).value
    checks.that("the default calendar is listed", [x.name for x in calendars] == ["Calendar"])
    home = await graph.me.calendars.post(Calendar(name="Home"), configured())
    checks.that("a calendar is made", home.name == "Home" and home.can_edit)
    events = graph.me.calendars.by_calendar_id(home.id).events
    new = Event(
        subject="Lunch",
        start=at("2026-12-01T12:00:00"),
        end=at("2026-12-01T13:00:00"),
        transaction_id="intent-1",
        categories=["Food"],
        single_value_extended_properties=[SingleValueLegacyExtendedProperty(id=STASH, value="X-FOO:bar")],
    )
    first = await events.post(new, configured())
    again = await events.post(new, configured())
    checks.that("a repeated transactionId makes no second event", first.id == again.id)
    checks.that("the times are in UTC", first.start.date_time == "2026-12-01T11:00:00.0000000")
    checks.that("the zone has its Windows name", first.original_start_time_zone == "W. Europe Standard Time")
    item = graph.me.events.by_event_id(first.id)
    etag = first.additional_data["@odata.etag"]
    changed = await item.patch(Event(subject="Dinner"), configured(if_match=etag))
    checks.that("a change has a new change key", changed.change_key != first.change_key)
    await checks.fails(
        "an old version",
        412,
        "ErrorIrresolvableConflict",
        item.patch(Event(subject="Supper"), configured(if_match=etag)),
    )
    kind = type(item).EventItemRequestBuilderGetQueryParameters
    wanted = f"singleValueExtendedProperties($filter=id eq '{STASH}')"
    found = await item.get(configured('outlook.timezone="Tokyo Standard Time"', kind=kind, expand=[wanted]))
    checks.that(
        "extended property", [x.value for x in found.single_value_extended_properties] == ["X-FOO:bar"]
    )
    checks.that("preferred zone", found.start.date_time == "2026-12-01T20:00:00.0000000")
    checks.that("without $expand", (await item.get(configured())).single_value_extended_properties is None)
    kind = type(events).EventsRequestBuilderGetQueryParameters
    text = f"singleValueExtendedProperties/Any(ep: ep/id eq '{STASH}' and ep/value eq 'X-FOO:bar')"
    found = await events.get(configured(kind=kind, filter=text, select=["id", "subject"], top=5))
    checks.that("filter", [(x.id, x.subject) for x in found.value] == [(first.id, "Dinner")])
    return events


async def check_series(graph, events, checks):
    """Recurrence, exceptions, deleted instances."""
    rule = PatternedRecurrence(
        pattern=RecurrencePattern(
            type=RecurrencePatternType.Weekly,
            interval=1,
            days_of_week=[DayOfWeek.Tuesday],
            first_day_of_week=DayOfWeek.Monday,
        ),
        range=RecurrenceRange(
            type=RecurrenceRangeType.Numbered, start_date=datetime.date(2026, 12, 1), number_of_occurrences=4
        ),
    )
    series = await events.post(
        Event(
            subject="Weekly", start=at("2026-12-01T12:00:00"), end=at("2026-12-01T13:00:00"), recurrence=rule
        ),
        configured(),
    )
    checks.that("a series is made", series.type == EventType.SeriesMaster)
    builder = events.by_event_id(series.id).instances
    kind = type(builder).InstancesRequestBuilderGetQueryParameters
    window = {
        "kind": kind,
        "start_date_time": "2026-12-01T00:00:00Z",
        "end_date_time": "2027-02-01T00:00:00Z",
    }
    found = (await builder.get(configured(**window))).value
    checks.that("four instances", len(found) == 4 and {x.type for x in found} == {EventType.Occurrence})
    second = graph.me.events.by_event_id(found[1].id)
    moved = Event(start=at("2026-12-09T12:00:00"), end=at("2026-12-09T13:00:00"))
    checks.that("an exception", (await second.patch(moved, configured())).type == EventType.Exception)
    crossing = Event(start=at("2026-12-15T12:00:00"), end=at("2026-12-15T13:00:00"))
    await checks.fails(
        "crossing", 400, "ErrorOccurrenceCrossingBoundary", second.patch(crossing, configured())
    )
    await graph.me.events.by_event_id(found[2].id).delete(configured())
    item = graph.me.events.by_event_id(series.id)
    kind = type(item).EventItemRequestBuilderGetQueryParameters
    master = await item.get(configured(kind=kind, select=SERIES, expand=["exceptionOccurrences"]))
    checks.that("cancelled", master.cancelled_occurrences == [f"OID.{series.id}.2026-12-15"])
    own = master.exception_occurrences
    checks.that("exceptions", [x.id for x in own] == [found[1].id])
    checks.that("original start", own[0].original_start.isoformat() == "2026-12-08T11:00:00+00:00")
    checks.that("three instances", len((await builder.get(configured(**window))).value) == 3)
    return series


async def whole_round(builder, checks):
    """All items of a round of delta, page by page, and the link to the next."""
    items = []
    page = await builder.get(configured("odata.maxpagesize=2"))
    while True:
        checks.that("a page is not too long", len(page.value) <= 2)
        items += page.value
        if page.odata_delta_link:
            return items, page.odata_delta_link
        page = await builder.with_url(page.odata_next_link).get(configured("odata.maxpagesize=2"))


async def check_delta(address, events, series, checks):
    """Delta with pages, removed events and 410."""
    for number in range(3):
        await events.post(
            Event(subject=f"{number}", start=at("2026-12-03T12:00:00"), end=at("2026-12-03T13:00:00")),
            configured(),
        )
    items, link = await whole_round(events.delta, checks)
    checks.that("all events", len({x.id for x in items}) == 5)
    items, link = await whole_round(events.delta.with_url(link), checks)
    checks.that("nothing has changed", items == [])
    await events.by_event_id(series.id).patch(Event(subject="Changed"), configured())
    gone = (await events.get(configured())).value[-1]
    await events.by_event_id(gone.id).delete(configured())
    items, link = await whole_round(events.delta.with_url(link), checks)
    checks.that("the changed and the removed event", [x.id for x in items] == [series.id, gone.id])
    checks.that("removed", items[1].additional_data["@removed"]["reason"] == "deleted")
    control(address, "POST", "expire", {})
    await checks.fails("expired", 410, "syncStateNotFound", events.delta.with_url(link).get(configured()))
    await checks.fails("deleted", 404, "ErrorItemNotFound", events.by_event_id(gone.id).get(configured()))


async def check_batch(graph, events, series, checks):
    """A batch by Microsoft's library, whose second part fails.

    The library writes `depends_on` for `dependsOn`, so that no part depends on another.
    """
    good = events.by_event_id(series.id).to_get_request_information(configured())
    bad = events.by_event_id(series.id[:-4] + "AAA=").to_get_request_information(configured())
    first, second = BatchRequestItem(good), BatchRequestItem(bad)
    third = BatchRequestItem(good, depends_on=[second])
    content = BatchRequestContent({item.id: item for item in (first, second, third)})
    answer = await graph.batch.post(content)
    statuses = answer.get_response_status_codes()
    found = [statuses[item.id] for item in (first, second, third)]
    checks.that(f"statuses of a batch: {found}", found == [200, 400, 200])


def check_contract(checks):
    """The contract is that of the installed library."""
    folder = pathlib.Path(__file__).resolve().parent
    made = subprocess.run(
        [sys.executable, folder / "make_contract.py"], check=True, capture_output=True, text=True
    )
    checks.that(
        "contract.json is current",
        json.loads(made.stdout) == json.loads((folder / "contract.json").read_text()),
    )


async def check_refusals(address, checks):
    """Expired tokens and missing scopes."""
    expired = client(address, f"{ACCOUNT}.expired").me.events
    await checks.fails("expired token", 401, "InvalidAuthenticationToken", expired.get(configured()))
    reader = client(address, f"{ACCOUNT}.Calendars.Read").me.events
    checks.that("a reader reads", (await reader.get(configured())).value is not None)
    await checks.fails(
        "a reader writes", 403, "ErrorAccessDenied", reader.post(Event(subject="x"), configured())
    )


async def check_all(address):
    """All checks, then a look at the violations."""
    checks = Checks()
    control(address, "POST", "quirks", {"demand-immutable-ids": True})
    graph = client(address)
    events = await check_events(graph, checks)
    series = await check_series(graph, events, checks)
    await check_delta(address, events, series, checks)
    control(address, "POST", "quirks", {"batch-of-sdk": True})
    await check_batch(graph, events, series, checks)
    await check_refusals(address, checks)
    check_contract(checks)
    violations = control(address, "GET", "violations")
    checks.that(f"no violations: {json.dumps(violations, indent=1)}", violations == [])
    checks.that("nobody is mailed", control(address, "GET", "mails") == [])
    print(f"{checks.passed} checks passed")


def main():
    """Starts the double and runs the checks."""
    double = subprocess.Popen(
        [sys.executable, pathlib.Path(__file__).resolve().parent, "--lifeline"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        port = double.stdout.readline().split()[1]
        asyncio.run(check_all(f"http://127.0.0.1:{port}"))
    finally:
        double.stdin.close()
        double.wait(10)


if __name__ == "__main__":
    main()
