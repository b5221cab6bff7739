# SPDX-License-Identifier: Apache-2.0
"""Tests of the contract, of errors and of batches.

usage: python3 -m unittest discover -s Tests/Vendors/google
"""

import json
import pathlib
import re
import unittest
from unittest import mock

import inside
import multipart
import partial
import service
from common.messages import Refusal, Request
from common.vendor import Lost
from inside import EVENTS, VENDOR, Inside, event


class ContractTests(Inside):
    """Violations by requests and by answers."""

    def test_methods_are_those_of_the_contract(self):
        known = {method.name for methods in VENDOR.contract.methods.values() for method in methods}
        self.assertLessEqual(set(service.METHODS), known)

    def test_requests_that_break_the_contract(self):
        text = {"Content_Type": "text/plain"}
        cases = [
            ("GET", EVENTS + "?maxResults=0", None, {}),
            ("GET", EVENTS + "?maxResults=many", None, {}),
            ("GET", EVENTS + "?singleEvents=1", None, {}),
            ("GET", EVENTS + "?unknown=1", None, {}),
            ("GET", EVENTS + "?q=a&q=b", None, {}),
            ("GET", EVENTS + "?orderBy=name", None, {}),
            ("GET", EVENTS + "?timeMin=2026-11-02", None, {}),
            ("GET", EVENTS + "?timeZone=Mars/Base", None, {}),
            ("GET", EVENTS + "?fields=items(", None, {}),
            ("GET", EVENTS + "?syncToken=nonsense", None, {}),
            ("POST", EVENTS, b"{", {"Content_Type": "application/json"}),
            ("POST", EVENTS, json.dumps(event()).encode(), text),
            ("POST", EVENTS, [1], {}),
            ("POST", EVENTS, None, {}),
            ("POST", EVENTS, event(summary=None), {}),
            ("POST", EVENTS, event(attendees={}), {}),
            ("POST", EVENTS + "?sendUpdates=some", event(), {}),
            ("DELETE", EVENTS + "/abcde", {"x": 1}, {}),
            ("POST", "/calendar/v3/calendars", {"summary": "x", "timeZone": "Mars/Base"}, {}),
        ]
        for method, target, body, headers in cases:
            with self.subTest(target=target, body=body):
                self.account.violations.clear()
                self.call(method, target, body, 400, **headers)
                self.assertEqual(len(self.account.violations), 1)

    def test_unknown_methods(self):
        for target in ("/calendar/v3/freeBusy", "/calendar/v3/nothing", "/"):
            self.call("POST", target, {}, 404)
        self.assertEqual(len(self.account.violations), 3)

    def test_answers_are_checked(self):
        made = self.insert()
        for wrong in ({"start": {"dateTime": "yesterday"}}, {"colour": "red"}, {"sequence": "1"}, {"status": "lost"}):
            self.account.violations.clear()
            self.account.state.cache.clear()
            with mock.patch("render.times.shown", side_effect=lambda value, zone: dict(value)):
                stored = self.account.state.calendars[self.account.state.email].events[made["id"]]
                with mock.patch.dict(stored.data, wrong):
                    self.call("GET", f"{EVENTS}/{made['id']}")
                    self.account.state.cache.clear()
                    self.call("GET", EVENTS)
            sides = [violation["side"] for violation in self.account.violations]
            self.assertEqual(sides, ["answer", "answer"], wrong)

    def test_a_partial_answer_is_checked_as_a_whole(self):
        made = self.insert()
        stored = self.account.state.calendars[self.account.state.email].events[made["id"]]
        self.account.state.cache.clear()
        stored.data["colour"] = "red"
        self.call("GET", f"{EVENTS}/{made['id']}?fields=id")
        self.assertEqual(len(self.account.violations), 1)


class ErrorTests(Inside):
    """Answers to tokens that do not permit a request."""

    def test_expired(self):
        self.token += ".expired"
        answer = self.answer("GET", EVENTS)
        self.assertEqual(answer.status, 401)
        self.assertIn('error="invalid_token"', answer.headers["WWW-Authenticate"])
        self.assertEqual(answer.body["error"]["errors"][0]["reason"], "authError")

    def test_scopes(self):
        everywhere = "https://www.googleapis.com/auth/calendar.events"
        cases = [
            ("calendar.events.readonly", "GET", 200), ("calendar.events.readonly", "POST", 403),
            ("calendar.events", "POST", 200), ("calendar.calendarlist", "GET", 403),
            ("calendar.app.created", "POST", 403), (everywhere, "POST", 200),
            ("calendar.events.readonly+calendar.events.owned", "POST", 200),
        ]  # fmt: skip
        name = self.token
        for scope, method, status in cases:
            self.token = f"{name}.{scope}"
            answer = self.answer(method, EVENTS, event() if method == "POST" else None)
            self.assertEqual(answer.status, status, (scope, method))
            if status == 403:
                details = answer.body["error"]["details"][0]
                self.assertEqual(details["reason"], "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
                self.assertIn("insufficient_scope", answer.headers["WWW-Authenticate"])

    def test_app_created(self):
        self.token += ".calendar.app.created"
        made = self.call("POST", "/calendar/v3/calendars", {"summary": "Mine"})
        self.call("POST", f"/calendar/v3/calendars/{made['id']}/events", event())
        self.call("GET", "/calendar/v3/users/me/calendarList", status=403)


class BatchTests(Inside):
    """Batches as they are written."""

    def batch(self, text, status=200, **headers):
        """The answer to a batch whose boundary is B."""
        kind = {"Content_Type": 'multipart/mixed; boundary="B"', **headers}
        return self.answer("POST", "/batch/calendar/v3", text.encode(), **kind)

    def part(self, request, head="Content-Type: application/http\r\n"):
        """A part of a batch."""
        return f"--B\r\n{head}\r\n{request}\r\n"

    def test_parts(self):
        made = self.insert()
        target = f"{EVENTS}/{made['id']}"
        body = json.dumps({"summary": "ä"})
        head = "Content-Type: application/http\r\nContent-ID: <b:1@x>\r\n"
        patch = f"PATCH {target}?sendUpdates=none HTTP/1.1\r\nContent-Type: application/json\r\n"
        text = self.part(f"{patch}If-Match: {made['etag']}\r\n\r\n{body}", head)
        text += self.part(f"GET {target}\r\n") + self.part(f"{patch}If-Match: {made['etag']}\r\n\r\n{body}")
        for written in (text, text.replace("\r\n", "\n")):
            answer = self.batch(written + "--B--").content().decode()
            self.assertEqual(re.findall(r"HTTP/1.1 (\d+)", answer)[1:], ["200", "412"])
            self.assertIn("Content-ID: <response-b:1@x>", answer)
        self.assertIn('"summary":"ä"', answer)
        self.assertEqual(self.account.violations, [])

    def test_what_is_no_batch(self):
        get = self.part(f"GET {EVENTS}\r\n")
        cases = [
            get, "--B--", "", self.part(f"GET http://localhost{EVENTS}\r\n") + "--B--",
            self.part(f"GET {EVENTS}\r\n", "Content-Type: text/plain\r\n") + "--B--", self.part("GET") + "--B--",
        ]  # fmt: skip
        for text in cases:
            self.assertEqual(self.batch(text).status, 400, text)
        self.assertEqual(self.batch(get + "--B--", Content_Type="text/plain").status, 400)
        self.assertEqual(len(self.account.violations), len(cases) + 1)

    def test_limit_and_order(self):
        insert = f"POST {EVENTS} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
        parts = "".join(self.part(insert + json.dumps(event(id=f"batch{n}"))) for n in range(3))
        self.quirk(batch_limit=2)
        self.assertEqual(self.batch(parts + "--B--").status, 400)
        self.quirk(batch_limit=3, batch_order="reversed")
        answer = self.batch(parts + "--B--").content().decode()
        self.assertEqual(re.findall(r'"id":"(batch\d)"', answer), ["batch0", "batch1", "batch2"])
        self.assertEqual([item["id"] for item in self.listing()[0]], ["batch2", "batch1", "batch0"])

    def test_part_that_is_dropped(self):
        insert = f"POST {EVENTS} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
        parts = "".join(self.part(insert + json.dumps(event(id=f"batch{n}"))) for n in range(3))
        self.control("POST", "faults", [{"path": "/events$", "skip": 1, "do": {"drop": True}}])
        with self.assertRaises(Lost):
            self.batch(parts + "--B--")
        self.assertEqual([item["id"] for item in self.listing()[0]], ["batch0"])

    def test_a_nested_batch_is_refused(self):
        inner = Request("POST", "/batch/calendar/v3", [], {}, b"", True)
        self.assertTrue(VENDOR.is_batch(inner))
        answer = self.batch(self.part("POST /batch/calendar/v3 HTTP/1.1\r\n\r\n") + "--B--").content()
        self.assertIn(b"HTTP/1.1 404", answer)


class PartialTests(unittest.TestCase):
    """The parameter `fields`."""

    def test_masks(self):
        value = {"a": 1, "b": {"c": 2, "d": 3}, "e": [{"f": 4, "g": 5}]}
        cases = [
            ("a", {"a": 1}), ("b/c", {"b": {"c": 2}}), ("b(c,d),a", {"a": 1, "b": {"c": 2, "d": 3}}),
            ("e/g", {"e": [{"g": 5}]}), ("e(f)", {"e": [{"f": 4}]}), ("*", value), ("b/*", {"b": value["b"]}),
        ]  # fmt: skip
        for text, expected in cases:
            self.assertEqual(partial.apply(partial.parse(text), value), expected, text)
        for text in ("", "a,", "a(b", "a)b", "a b", "a//b"):
            with self.assertRaises(Refusal, msg=text):
                partial.parse(text)


class QuirkTests(unittest.TestCase):
    """Every quirk has a source, is used and is tested."""

    def test_quirks(self):
        folder = pathlib.Path(inside.__file__).parent
        texts = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
        code = "".join(text for name, text in texts.items() if not name.startswith(("test_", "checks_")))
        tests = "".join(text for name, text in texts.items() if name.startswith(("test_", "checks_")))
        self.assertEqual(set(re.findall(r'quirk\("([a-z-]+)"\)', code)), set(VENDOR.quirks))
        for name, text in VENDOR.quirks.items():
            self.assertIn("Source", text, name)
            self.assertTrue(f'"{name}"' in tests or name.replace("-", "_") + "=" in tests, name)


class MultipartTests(unittest.TestCase):
    """Details of the reading of parts."""

    def test_headers_of_the_batch(self):
        outer = {"content-type": "multipart/mixed; boundary=B", "authorization": "Bearer a", "x-client": "person"}
        query = [("a", "1"), ("prettyPrint", "false")]
        text = b"--B\r\nContent-Type: application/http\r\n\r\nGET /x?a=%20 HTTP/1.1\r\nAuthorization: Bearer b\r\n\r\n\r\n--B--"
        [(name, part)] = multipart.read(Request("POST", "/batch/calendar/v3", query, outer, text))
        self.assertEqual((name, part.path, part.body), (None, "/x", b""))
        self.assertEqual(part.query, [("a", " "), ("prettyPrint", "false")])
        self.assertEqual(part.headers, {"authorization": "Bearer b", "x-client": "person"})
