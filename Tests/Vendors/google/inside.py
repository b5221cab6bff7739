# SPDX-License-Identifier: Apache-2.0
"""The double inside a test, without sockets."""

import json
import pathlib
import sys
import unittest
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from common.accounts import Accounts  # noqa: E402
from common.control import Control  # noqa: E402
from common.messages import Request, parse_target  # noqa: E402
from common.vendor import Dispatcher  # noqa: E402
from service import Google  # noqa: E402

VENDOR = Google()
EVENTS = "/calendar/v3/calendars/primary/events"


class Inside(unittest.TestCase):
    """A test with an account of its own."""

    def setUp(self):
        self.accounts = Accounts(VENDOR.make_state)
        self.dispatcher = Dispatcher(VENDOR, self.accounts)
        self.token = self.id().rpartition(".")[2]
        self.account = self.accounts.get(self.token)

    def answer(self, method, target, body=None, **headers):
        """The Answer to a request."""
        path, query = parse_target(target)
        all_headers = {"authorization": f"Bearer {self.token}"}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            all_headers["content-type"] = "application/json"
        all_headers.update({name.replace("_", "-").lower(): value for name, value in headers.items()})
        return self.dispatcher.handle(Request(method, path, query, all_headers, body or b""))

    def call(self, method, target, body=None, status=200, **headers):
        """The body of the answer, whose status is checked."""
        answer = self.answer(method, target, body, **headers)
        self.assertEqual(answer.status, status, answer.content())
        return json.loads(answer.content() or b"null")

    def control(self, method, name, body=None):
        """The value of a control address."""
        data = b"" if body is None else json.dumps(body).encode()
        answer = Control(VENDOR, self.accounts).answer(Request(method, f"/-/{self.token}/{name}", [], {}, data))
        self.assertEqual(answer.status, 200, answer.body)
        return answer.body

    def quirk(self, **quirks):
        """Sets quirks, whose names have - for _."""
        self.account.quirks.update({name.replace("_", "-"): value for name, value in quirks.items()})

    def insert(self, status=200, **more):
        """Inserts an event of an hour."""
        return self.call("POST", EVENTS, event(**more), status)

    def listing(self, **parameters):
        """All items of a listing and its sync token."""
        items, page = [], None
        while True:
            if page:
                parameters["pageToken"] = page
            body = self.call("GET", EVENTS + "?" + urllib.parse.urlencode(parameters))
            items += body["items"]
            page = body.get("nextPageToken")
            if page is None:
                return items, body.get("nextSyncToken")

    def reason(self, method, target, body=None, status=400, **headers):
        """The reason of an error."""
        return self.call(method, target, body, status, **headers)["error"]["errors"][0]["reason"]


def event(**more):
    """The body of an event of an hour."""
    return {
        "summary": "Event",
        "start": {"dateTime": "2026-11-02T10:00:00", "timeZone": "Europe/Zurich"},
        "end": {"dateTime": "2026-11-02T11:00:00", "timeZone": "Europe/Zurich"},
        **more,
    }
