# SPDX-License-Identifier: Apache-2.0
"""What the tests of the double share: a running double and requests to it."""

import http.client
import json
import threading
import unittest
import urllib.parse

from common.server import make_server

from .vendor import Graph

IMMUTABLE = 'IdType="ImmutableId"'
STASH = "String {6ac5d1f0-7ab3-4e0a-9a4c-9f1a0d4e2b11} Name Test"


class GraphTests(unittest.TestCase):
    """A double for each class, an account for each test; ends with a look at the violations."""

    @classmethod
    def setUpClass(cls):
        """Starts a double."""
        cls.server = make_server(Graph())
        threading.Thread(target=cls.server.serve_forever, args=(0.01,), daemon=True).start()
        cls.connection = http.client.HTTPConnection(*cls.server.server_address)

    @classmethod
    def tearDownClass(cls):
        """Ends the double."""
        cls.connection.close()
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        """Names the account after the test."""
        self.account = self.id().rsplit(".", 1)[-1]
        self.headers = {}
        self.refused = 0

    def tearDown(self):
        """Expects as many violations as the test provoked."""
        violations = self.control("GET", "violations")
        self.assertEqual(len(violations), self.refused, json.dumps(violations, indent=1))

    def call(self, method, path, body=None, prefer="", **headers):
        """The status, the body and the headers of an answer."""
        sent = {
            "Authorization": f"Bearer {self.account}",
            "Prefer": ", ".join(x for x in (IMMUTABLE, prefer) if x),
        }
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        path = path if path.startswith(("/", "http")) else f"/v1.0/me/{path}"
        path = path.partition("://")[2].partition("/")[2] if "://" in path else path.lstrip("/")
        self.connection.request(
            method, "/" + path.replace(" ", "%20"), json.dumps(body) if body is not None else None, sent
        )
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content else None, answer.headers

    def ok(self, method, path, body=None, prefer="", **headers):
        """The body of an answer that must be a success."""
        status, found, _ = self.call(method, path, body, prefer, **headers)
        self.assertLess(status, 300, found)
        return found

    def refuse(self, method, path, body=None, prefer="", **headers):
        """Expects 400 and a violation, and returns the error's code."""
        status, found, _ = self.call(method, path, body, prefer, **headers)
        self.assertEqual(status, 400, found)
        self.refused += 1
        return found["error"]["code"]

    def control(self, method, name, body=None):
        """The body of the answer of a control address."""
        self.connection.request(
            method, f"/-/{self.account}/{name}", json.dumps(body) if body is not None else None
        )
        answer = self.connection.getresponse()
        found = json.loads(answer.read())
        self.assertEqual(answer.status, 200, found)
        return found

    def quirk(self, **quirks):
        """Sets quirks."""
        self.control("POST", "quirks", {name.replace("_", "-"): value for name, value in quirks.items()})

    def calendar(self):
        """The identifier of the default calendar."""
        return self.ok("GET", "calendar")["id"]

    def add(self, **properties):
        """A new event, an hour long unless said otherwise."""
        body = {
            "subject": "Lunch",
            "start": at("2026-12-01T12:00:00"),
            "end": at("2026-12-01T13:00:00"),
            **properties,
        }
        return self.ok("POST", f"calendars/{self.calendar()}/events", body)

    def series(self, **properties):
        """A weekly series of five, on Tuesdays at noon in Berlin."""
        return self.add(
            **{
                "recurrence": weekly(),
                "start": at("2026-12-01T12:00:00", "Europe/Berlin"),
                "end": at("2026-12-01T13:00:00", "Europe/Berlin"),
                **properties,
            }
        )

    def instances(self, event, select="start,type,subject,seriesMasterId,originalStart", prefer=""):
        """The instances of a series in a year."""
        path = f"events/{event['id']}/instances?startDateTime=2026-01-01T00:00:00&endDateTime=2028-01-01T00:00:00Z"
        return self.ok("GET", f"{path}&$top=100&$select={select}", prefer=prefer)["value"]

    def delta(self, link=None, prefer="odata.maxpagesize=50"):
        """The items of a whole round of events/delta, and the link to the next."""
        link, items = link or f"calendars/{self.calendar()}/events/delta", []
        while True:
            page = self.ok("GET", link, prefer=prefer)
            items += page["value"]
            if "@odata.deltaLink" in page:
                return items, page["@odata.deltaLink"]
            link = page["@odata.nextLink"]


def at(time, zone="UTC"):
    """A dateTimeTimeZone."""
    return {"dateTime": time, "timeZone": zone}


def weekly(**limits):
    """A weekly recurrence of five Tuesdays."""
    return {
        "pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["tuesday"], "firstDayOfWeek": "monday"},
        "range": limits or {"type": "numbered", "startDate": "2026-12-01", "numberOfOccurrences": 5},
    }


def expand(*names):
    """The $expand of single-valued extended properties, percent-encoded."""
    wanted = " or ".join(f"id eq '{name}'" for name in names)
    return urllib.parse.quote(f"singleValueExtendedProperties($filter={wanted})")
