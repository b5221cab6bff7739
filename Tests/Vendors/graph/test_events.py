# SPDX-License-Identifier: Apache-2.0
"""Tests of single events; expectations are from Graph's documents.

usage: python3 -m unittest discover -s Tests/Vendors -t Tests/Vendors
"""

import urllib.parse

from .testing import STASH, GraphTests, at, expand


class EventTests(GraphTests):
    """Single events: properties, versions, identifiers, preferences."""

    def test_create_has_the_documented_form(self):
        event = self.add(subject="Let's go for lunch", location={"displayName": "Harry's Bar"})
        self.assertEqual(event["type"], "singleInstance")
        self.assertEqual(event["@odata.etag"], f'W/"{event["changeKey"]}"')
        self.assertEqual(event["start"], at("2026-12-01T12:00:00.0000000"))
        place = {
            "displayName": "Harry's Bar",
            "locationType": "default",
            "uniqueId": "Harry's Bar",
            "uniqueIdType": "private",
        }
        self.assertEqual((event["location"], event["locations"]), (place, [place]))
        self.assertEqual((event["reminderMinutesBeforeStart"], event["isReminderOn"]), (15, True))
        self.assertIsNone(event["seriesMasterId"])
        self.assertNotIn("transactionId", event)
        self.assertNotIn("singleValueExtendedProperties", event)
        self.assertNotIn("originalStart", event)

    def test_transaction_returns_the_event(self):
        first, second = self.add(transactionId="A"), self.add(transactionId="A")
        self.assertEqual(first["id"], second["id"])
        self.assertEqual(first["transactionId"], "A")
        self.assertNotEqual(self.add(transactionId="B")["id"], first["id"])
        self.assertEqual(
            self.refuse("PATCH", f"events/{first['id']}", {"transactionId": "C"}), "RequestBodyRead"
        )

    def test_transaction_quirks(self):
        first = self.add(transactionId="A")
        body = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00"), "transactionId": "A"}
        self.quirk(transaction_conflict=True)
        self.assertEqual(self.call("POST", "events", body)[0], 409)
        self.quirk(transaction_conflict=False)
        self.ok("DELETE", f"events/{first['id']}")
        self.quirk(transaction_remembered=True)
        self.assertEqual(self.call("POST", "events", body)[0], 409)
        self.quirk(transaction_remembered=False)
        self.assertNotEqual(self.ok("POST", "events", body)["id"], first["id"])

    def test_if_match(self):
        event = self.add()
        path = f"events/{event['id']}"
        changed = self.ok("PATCH", path, {"subject": "B"}, If_Match=event["@odata.etag"])
        self.assertNotEqual(changed["changeKey"], event["changeKey"])
        status, body, _ = self.call("PATCH", path, {"subject": "C"}, If_Match=event["@odata.etag"])
        self.assertEqual((status, body["error"]["code"]), (412, "ErrorIrresolvableConflict"))
        self.assertEqual(self.call("DELETE", path, If_Match=event["@odata.etag"])[0], 412)
        self.ok("PATCH", path, {"subject": "D"}, If_Match="*")
        self.quirk(ignores_if_match=True)
        self.ok("PATCH", path, {"subject": "C"}, If_Match=event["@odata.etag"])
        self.assertEqual(self.call("DELETE", path)[0], 204)
        self.assertEqual(self.call("GET", path)[1]["error"]["code"], "ErrorItemNotFound")

    def test_transient_conflict(self):
        event = self.add()
        self.quirk(transient_conflict=1)
        self.assertEqual(self.call("PATCH", f"events/{event['id']}", {"subject": "B"})[0], 412)
        self.ok("PATCH", f"events/{event['id']}", {"subject": "B"})

    def test_immutable_and_regular_ids(self):
        event = self.add()
        other = self.ok("GET", f"events/{event['id']}", Prefer="")
        self.assertNotEqual(event["id"], other["id"])
        self.assertEqual(self.ok("GET", f"events/{other['id']}")["id"], event["id"])
        self.assertEqual(
            self.call("GET", f"events/{event['id'].swapcase()}")[1]["error"]["code"],
            "ErrorInvalidIdMalformed",
        )
        self.quirk(demand_immutable_ids=True)
        self.refuse("GET", f"events/{event['id']}", Prefer="")

    def test_zones(self):
        event = self.add(
            start=at("2026-07-01T12:00:00", "Europe/Berlin"),
            end=at("2026-07-01T13:00:00", "W. Europe Standard Time"),
        )
        self.assertEqual(event["start"], at("2026-07-01T10:00:00.0000000"))
        self.assertEqual(event["originalStartTimeZone"], "W. Europe Standard Time")
        status, found, headers = self.call(
            "GET", f"events/{event['id']}", prefer='outlook.timezone="Pacific Standard Time"'
        )
        self.assertEqual(
            (status, found["end"]), (200, at("2026-07-01T04:00:00.0000000", "Pacific Standard Time"))
        )
        self.assertIn('outlook.timezone="Pacific Standard Time"', headers["Preference-Applied"])
        self.quirk(custom_time_zone=True)
        self.assertEqual(
            self.ok("GET", f"events/{event['id']}")["originalEndTimeZone"], "tzone://Microsoft/Custom"
        )
        code = self.refuse(
            "PATCH", f"events/{event['id']}", {"start": at("2026-07-01T10:00:00", "Mars/Base")}
        )
        self.assertEqual(code, "TimeZoneNotSupportedException")

    def test_all_day(self):
        day = {
            "isAllDay": True,
            "start": at("2026-12-01T00:00:00", "Pacific Standard Time"),
            "end": at("2026-12-02T00:00:00", "Pacific Standard Time"),
        }
        event = self.add(**day)
        self.assertEqual(event["start"], at("2026-12-01T00:00:00.0000000"))
        path = f"events/{event['id']}"
        self.refuse("PATCH", path, {"end": at("2026-12-02T00:00:00")})
        self.refuse("PATCH", path, {"start": at("2026-12-01T01:00:00", "Pacific Standard Time")})
        self.refuse("PATCH", path, {"end": day["start"]})
        self.refuse("POST", "events", {**day, "end": at("2026-12-02T12:00:00", "Pacific Standard Time")})

    def test_end_before_start(self):
        code = self.refuse(
            "POST", "events", {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T11:00:00")}
        )
        self.assertEqual(code, "ErrorCalendarEndDateIsEarlierThanStartDate")
        self.refuse("POST", "events", {"subject": "x"})
        self.refuse("POST", "events", {"start": at("2026-12-01T12:00:00Z"), "end": at("2026-12-01T13:00:00")})

    def test_bodies(self):
        event = self.add(body={"contentType": "text", "content": "a < b\n  c"})
        self.assertEqual(event["body"]["contentType"], "html")
        self.assertIn("a &lt; b<br>", event["body"]["content"])
        text = 'outlook.body-content-type="text"'
        self.assertEqual(
            self.ok("GET", f"events/{event['id']}", prefer=text)["body"],
            {"contentType": "text", "content": "a < b\n  c"},
        )
        self.quirk(stores_html=True)
        self.ok(
            "PATCH", f"events/{event['id']}", {"body": {"contentType": "text", "content": "a < b\n  c\n"}}
        )
        self.assertEqual(
            self.ok("GET", f"events/{event['id']}", prefer=text)["body"]["content"], "a < b\r\nc"
        )

    def test_extended_properties(self):
        event = self.add(singleValueExtendedProperties=[{"id": STASH, "value": "X-FOO:bär"}])
        path = f"events/{event['id']}?$expand={expand(STASH)}"
        self.assertEqual(
            self.ok("GET", path)["singleValueExtendedProperties"], [{"id": STASH, "value": "X-FOO:bär"}]
        )
        self.assertNotIn(
            "singleValueExtendedProperties",
            self.ok("GET", f"events/{event['id']}?$expand={expand(STASH + '2')}"),
        )
        self.refuse("GET", f"events/{event['id']}?$expand=singleValueExtendedProperties")
        self.refuse(
            "POST",
            "events",
            {
                "start": at("2026-12-01T12:00:00"),
                "end": at("2026-12-01T13:00:00"),
                "singleValueExtendedProperties": [{"id": "Test", "value": "1"}],
            },
        )
        wanted = f"singleValueExtendedProperties/Any(ep: ep/id eq '{STASH}' and ep/value eq 'x-foo:BÄR')"
        self.add()
        found = self.ok("GET", "events?$filter=" + urllib.parse.quote(wanted))["value"]
        self.assertEqual([x["id"] for x in found], [event["id"]])
        self.assertNotIn("singleValueExtendedProperties", found[0])

    def test_extended_limit(self):
        self.quirk(extended_limit=5)
        times = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")}
        long = {**times, "singleValueExtendedProperties": [{"id": STASH, "value": "123456"}]}
        self.assertEqual(self.call("POST", "events", long)[0], 400)
        self.assertEqual(self.ok("GET", "events")["value"], [])

    def test_read_only_and_unknown_fields(self):
        path = f"events/{self.add()['id']}"
        for body in (
            {"iCalUId": "x"},
            {"color": "red"},
            {"subject": 1},
            {"showAs": "asleep"},
            {"subject": None},
            {"organizer": {}},
            {"start": {"date": "2026-12-01"}},
        ):
            self.assertEqual(self.refuse("PATCH", path, body), "RequestBodyRead")
        self.ok("PATCH", path, {"@odata.type": "#microsoft.graph.event", "recurrence": None})
        self.refuse("GET", path + "?$select=uid")
        self.refuse("GET", path + "?$top=1")
        self.refuse("GET", path + "?sendUpdates=none")

    def test_select_and_pages(self):
        for number in range(12):
            self.add(subject=f"{number:02}")
        page = self.ok("GET", "calendar/events?$select=subject&$count=true&$orderby=subject desc")
        self.assertEqual((page["@odata.count"], len(page["value"])), (12, 10))
        self.assertEqual(set(page["value"][0]), {"@odata.etag", "id", "subject"})
        rest = self.ok("GET", page["@odata.nextLink"])
        self.assertEqual([x["subject"] for x in rest["value"]], ["01", "00"])
        self.refuse("GET", "calendar/events?$top=1001")

    def test_mails(self):
        self.add()
        self.assertEqual(self.control("GET", "mails"), [])
        ann, bob = ({"emailAddress": {"address": x}} for x in ("ann@example.org", "bob@example.org"))
        event = self.add(attendees=[ann])
        self.assertEqual(event["attendees"][0]["status"]["response"], "none")
        self.ok("PATCH", f"events/{event['id']}", {"attendees": [ann, bob]})
        self.ok("PATCH", f"events/{event['id']}", {"subject": "x"})
        self.ok("DELETE", f"events/{event['id']}")
        mails = [(mail["kind"], mail["to"]) for mail in self.control("GET", "mails")]
        both = ["ann@example.org", "bob@example.org"]
        self.assertEqual(
            mails, [("request", both[:1]), ("request", both[1:]), ("request", both), ("cancel", both)]
        )

    def test_many_at_once(self):
        made = self.control("POST", "events", [
            {"subject": str(number), "start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")}
            for number in range(3)
        ])
        events = self.ok("GET", "events")["value"]
        self.assertEqual([x["subject"] for x in events], ["0", "1", "2"])
        self.assertEqual({x["isOrganizer"] for x in events}, {True})
        self.assertEqual(len(made["keys"]), 3)
        self.assertEqual([x["id"] for x in self.delta()[0]], [x["id"] for x in events])
        log = self.control("GET", "log")
        self.assertNotIn("POST", [x["method"] for x in log])

    def test_invitation_by_another(self):
        self.control(
            "POST",
            "received",
            {
                "organizer": {"name": "Eve", "address": "eve@example.org"},
                "attendees": [],
                "start": at("2026-12-01T12:00:00"),
                "end": at("2026-12-01T13:00:00"),
            },
        )
        event = self.ok("GET", "events")["value"][0]
        self.assertEqual((event["isOrganizer"], event["responseStatus"]["response"]), (False, "notResponded"))
        self.ok("DELETE", f"events/{event['id']}")
        self.assertEqual(self.control("GET", "mails"), [])


class CalendarTests(GraphTests):
    """Calendars, scopes, tokens."""

    def test_calendars(self):
        home = self.ok("POST", "calendars", {"name": "Home", "color": "lightTeal"})
        self.assertEqual((home["canEdit"], home["isRemovable"]), (True, True))
        self.assertEqual(
            self.call("POST", "calendars", {"name": "home"})[1]["error"]["code"], "ErrorFolderExists"
        )
        self.assertEqual([x["name"] for x in self.ok("GET", "calendars")["value"]], ["Calendar", "Home"])
        self.assertEqual(self.ok("PATCH", f"calendars/{home['id']}", {"name": "House"})["name"], "House")
        self.refuse("PATCH", f"calendars/{home['id']}", {"hexColor": "#fff"})
        event = self.ok(
            "POST",
            f"calendars/{home['id']}/events",
            {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")},
        )
        self.assertEqual(self.call("GET", f"calendars/{self.calendar()}/events/{event['id']}")[0], 404)
        self.assertEqual(self.call("DELETE", f"calendars/{home['id']}")[0], 204)
        self.assertEqual(self.call("GET", f"events/{event['id']}")[0], 404)
        self.assertEqual(self.call("DELETE", f"calendars/{self.calendar()}")[0], 400)

    def test_read_only_calendar(self):
        self.quirk(read_only_calendar="Birthdays")
        calendar = self.ok("GET", "calendars")["value"][1]
        self.assertEqual((calendar["name"], calendar["canEdit"]), ("Birthdays", False))
        body = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")}
        self.assertEqual(self.call("POST", f"calendars/{calendar['id']}/events", body)[0], 403)

    def test_scopes(self):
        token = {"Authorization": f"Bearer {self.account}.Calendars.Read+offline_access"}
        self.ok("GET", "events", **token)
        status, body, _ = self.call("POST", "events", {}, **token)
        self.assertEqual((status, body["error"]["code"]), (403, "ErrorAccessDenied"))
        self.assertEqual(self.call("GET", "/v1.0/me", **token)[0], 403)
        self.assertEqual(self.ok("GET", "/v1.0/me")["mail"], f"{self.account}@example.com")

    def test_expired_token(self):
        status, body, headers = self.call("GET", "events", Authorization=f"Bearer {self.account}.expired")
        self.assertEqual((status, body["error"]["code"]), (401, "InvalidAuthenticationToken"))
        self.assertIn("authorization_uri=", headers["WWW-Authenticate"])
        self.assertIn('claims="', headers["WWW-Authenticate"])

    def test_snapshot(self):
        event = self.add()
        self.control("POST", "snapshot")
        later = self.add()
        self.ok("DELETE", f"events/{event['id']}")
        self.control("POST", "restore")
        self.ok("GET", f"events/{event['id']}")
        self.assertEqual(self.call("GET", f"events/{later['id']}")[0], 404)
        self.assertNotIn(self.add()["id"], (event["id"], later["id"]))
