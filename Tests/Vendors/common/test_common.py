# SPDX-License-Identifier: Apache-2.0
"""Tests of the parts that all doubles share.

usage: python3 -m unittest discover -s Tests/Vendors -t Tests/Vendors
"""

import http.client
import json
import threading
import time
import unittest

from common import schema, server
from common.messages import Answer, Refusal, Request
from common.vendor import Vendor, read_token


class Counter(Vendor):
    """A double whose POST counts, and whose batch counts once for each letter of its body."""

    quirks = {"double": "counts twice (source: this test)"}

    def make_state(self, name):
        """Counts from 0."""
        return {"count": 0}

    def answer(self, account, request):
        """Counts a POST."""
        if request.path == "/defect":
            raise KeyError("defect")
        if request.path == "/bad":
            raise Refusal(Answer(400, {"error": "bad"}), "bad path")
        if request.method == "POST":
            account.state["count"] += 2 if account.quirk("double") else 1
        return Answer(200, {"count": account.state["count"], "padding": "x" * 100})

    def is_batch(self, request):
        """Whether the path is that of batches."""
        return request.path == "/batch"

    def batch(self, account, request, dispatch):
        """Posts to the path of each letter."""
        parts = [
            Request("POST", f"/{letter}", [], request.headers, b"", True)
            for letter in request.body.decode()
        ]
        return Answer(200, [dispatch(part).status for part in parts])


class CommonTests(unittest.TestCase):
    """Faults, log, accounts, quirks, snapshots."""

    def setUp(self):
        self.server = server.make_server(Counter())
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.connection = None

    def tearDown(self):
        if self.connection:
            self.connection.close()
        self.server.shutdown()
        self.server.server_close()

    def call(self, method, path, body=None, token="ann", **headers):
        """The status and the body of an answer."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(*self.server.server_address)
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self.connection.request(method, path, data, headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        except BaseException:
            self.connection.close()
            self.connection = None
            raise

    def count(self):
        """What is counted."""
        return self.call("GET", "/")[1]["count"]

    def test_accounts_are_apart(self):
        self.call("POST", "/")
        self.assertEqual(self.count(), 1)
        self.assertEqual(self.call("GET", "/", token="bob")[1]["count"], 0)

    def test_log(self):
        self.call("POST", "/a?b=c%20d", {"x": 1}, **{"X-Client": "person"})
        entry = self.call("GET", "/-/ann/log")[1][0]
        self.assertEqual(entry["method"], "POST")
        self.assertEqual((entry["path"], entry["query"]), ("/a", "b=c+d"))
        self.assertEqual((entry["body"], entry["status"]), ({"x": 1}, 200))
        self.assertEqual(entry["client"], "person")
        self.assertEqual(len(self.call("DELETE", "/-/ann/log")[1]), 1)
        self.assertEqual(self.call("GET", "/-/ann/log")[1], [])

    def test_status_fault(self):
        plan = {"method": "POST", "skip": 1, "count": 1, "do": {"status": 429, "headers": {"Retry-After": "0"}}}
        self.call("POST", "/-/ann/faults", [plan])
        self.assertEqual([self.call("POST", "/")[0] for _ in range(3)], [200, 429, 200])
        self.assertEqual(self.count(), 2)

    def test_lose_does_the_request(self):
        self.call("POST", "/-/ann/faults", [{"do": {"lose": True}}])
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            self.call("POST", "/")
        self.assertEqual(self.count(), 1)

    def test_drop_does_nothing(self):
        self.call("POST", "/-/ann/faults", [{"path": "^/x", "do": {"drop": True}}])
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            self.call("POST", "/x")
        self.assertEqual(self.count(), 0)

    def test_cut_sends_half(self):
        self.call("POST", "/-/ann/faults", [{"do": {"cut": True}}])
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            self.call("POST", "/")
        self.assertEqual(self.count(), 1)

    def test_batch_parts(self):
        self.call("POST", "/-/ann/faults", [{"path": "^/b$", "do": {"status": 503}}])
        self.assertEqual(self.call("POST", "/batch", "abc")[1], [200, 503, 200])
        log = self.call("GET", "/-/ann/log")[1]
        self.assertEqual([entry["path"] for entry in log], ["/batch", "/a", "/b", "/c"])
        self.assertEqual([entry.get("in-batch", False) for entry in log], [False, True, True, True])

    def test_lost_part_loses_the_batch(self):
        self.call("POST", "/-/ann/faults", [{"path": "^/b$", "do": {"lose": True}}])
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            self.call("POST", "/batch", "abc")
        self.assertEqual(self.count(), 3)

    def test_dropped_part_ends_the_batch(self):
        self.call("POST", "/-/ann/faults", [{"path": "^/b$", "do": {"drop": True}}])
        with self.assertRaises((http.client.HTTPException, ConnectionError)):
            self.call("POST", "/batch", "abc")
        self.assertEqual(self.count(), 1)

    def test_quirks(self):
        self.assertEqual(self.call("POST", "/-/ann/quirks", {"other": True})[0], 400)
        self.call("POST", "/-/ann/quirks", {"double": True})
        self.call("POST", "/")
        self.assertEqual(self.count(), 2)

    def test_violations(self):
        self.assertEqual(self.call("GET", "/bad")[0], 400)
        self.assertEqual(self.call("GET", "/-/ann/violations")[1][0]["reason"], "bad path")

    def test_a_defect_is_a_violation(self):
        self.assertEqual(self.call("GET", "/defect")[0], 500)
        violation = self.call("GET", "/-/ann/violations")[1][0]
        self.assertEqual(violation["side"], "answer")
        self.assertIn("KeyError", violation["reason"])

    def test_snapshot(self):
        self.assertEqual(self.call("POST", "/-/ann/restore")[0], 400)
        self.call("POST", "/-/ann/snapshot")
        self.call("POST", "/")
        self.call("POST", "/-/ann/restore")
        self.assertEqual(self.count(), 0)

    def test_tokens(self):
        self.assertEqual(self.call("GET", "/", token=None)[0], 401)
        self.assertEqual(self.call("GET", "/", token="ann.expired")[0], 401)
        self.assertEqual(read_token("ann.a.b+c"), ("ann", {"a.b", "c"}, True))

    def test_speed(self):
        begin = time.monotonic()
        for _ in range(200):
            self.call("POST", "/")
        self.assertLess((time.monotonic() - begin) / 200, 0.02)


class SchemaTests(unittest.TestCase):
    """The check of values."""

    def test_values(self):
        schemas = schema.Schemas({"A": {"type": "object", "properties": {"n": {"type": "integer", "format": "int32"}}}})
        cases = [({"n": 1}, 0), ({"n": "1"}, 1), ({"m": 1}, 1), ({"n": None}, 1), ({"n": 2**31}, 1), ([], 1)]
        for value, count in cases:
            self.assertEqual(len(schemas.check(value, {"$ref": "A"})), count, value)
        self.assertEqual(schemas.check({"n": None}, {"$ref": "A"}, null=True), [])

    def test_formats(self):
        for text, right in [("2026-02-29", False), ("2024-02-29", True), ("2024-2-9", False)]:
            self.assertEqual(schema.is_date(text), right)
        for text, right in [("2026-01-01T10:00:00", False), ("2026-01-01T10:00:00.5Z", True), ("2026-01-01T25:00:00Z", False)]:
            self.assertEqual(schema.is_date_time(text), right)
        self.assertTrue(schema.check_parameter("yes", {"type": "boolean"}, "p"))
        self.assertTrue(schema.check_parameter("0", {"type": "integer", "minimum": "1"}, "p"))


if __name__ == "__main__":
    unittest.main()
