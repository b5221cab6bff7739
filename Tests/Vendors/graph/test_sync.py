# SPDX-License-Identifier: Apache-2.0
"""Tests of delta rounds, batches, faults and throttling."""

import http.client
import json
import threading
import time

from .testing import IMMUTABLE, GraphTests, at


class DeltaTests(GraphTests):
    """Rounds of events/delta."""

    def test_round(self):
        events = [self.add(subject=str(number)) for number in range(5)]
        items, link = self.delta(prefer="odata.maxpagesize=2")
        self.assertEqual([x["id"] for x in items], [x["id"] for x in events])
        self.assertEqual(items[0]["@odata.etag"], events[0]["@odata.etag"])
        self.assertEqual(self.delta(link)[0], [])
        self.ok("PATCH", f"events/{events[1]['id']}", {"subject": "x"})
        self.ok("DELETE", f"events/{events[2]['id']}")
        added = self.add()
        items, second = self.delta(link)
        self.assertEqual([x["id"] for x in items], [events[1]["id"], events[2]["id"], added["id"]])
        self.assertEqual(items[1]["@removed"], {"reason": "deleted"})
        self.assertEqual(len(self.delta(link)[0]), 3)
        self.assertEqual(self.delta(second)[0], [])

    def test_pages_survive_changes(self):
        events = [self.add(subject=str(number)) for number in range(4)]
        page = self.ok("GET", f"calendars/{self.calendar()}/events/delta", prefer="odata.maxpagesize=2")
        self.ok("DELETE", f"events/{events[3]['id']}")
        self.ok("PATCH", f"events/{events[0]['id']}", {"subject": "x"})
        rest = self.ok("GET", page["@odata.nextLink"])
        self.assertEqual(self.ok("GET", page["@odata.nextLink"])["value"], rest["value"])
        self.assertIn("@removed", rest["value"][1])
        changed = {x["id"] for x in self.delta(rest["@odata.deltaLink"])[0]}
        self.assertEqual(changed, {events[0]["id"], events[3]["id"]})

    def test_exceptions(self):
        series = self.series()
        _, link = self.delta()
        second = self.instances(series)[1]
        self.ok("PATCH", f"events/{second['id']}", {"subject": "x"})
        self.assertEqual([x["type"] for x in self.delta(link)[0]], ["seriesMaster"])
        self.quirk(delta_lists_exceptions=True)
        self.assertEqual({x["type"] for x in self.delta(link)[0]}, {"seriesMaster", "exception"})
        _, link = self.delta(link)
        self.ok("DELETE", f"events/{second['id']}")
        removed = [x["id"] for x in self.delta(link)[0] if "@removed" in x]
        self.assertEqual(removed, [second["id"]])

    def test_gone(self):
        _, link = self.delta()
        self.control("POST", "expire")
        status, body, headers = self.call("GET", link)
        self.assertEqual((status, body["error"]["code"]), (410, "syncStateNotFound"))
        self.assertTrue(headers["Location"].endswith("/events/delta?$deltatoken="))
        self.delta(headers["Location"])
        self.quirk(gone_code="resyncRequired", gone_without_location=True)
        status, body, headers = self.call("GET", link)
        self.assertEqual((body["error"]["code"], headers["Location"]), ("resyncRequired", None))

    def test_tokens_do_not_survive_a_restored_backup(self):
        self.control("POST", "snapshot")
        self.add()
        _, link = self.delta()
        self.control("POST", "restore")
        self.delta()
        self.assertEqual(self.call("GET", link)[0], 410)

    def test_refused_options(self):
        base = f"calendars/{self.calendar()}/events/delta"
        for option in (
            "$select=subject",
            "$expand=instances",
            "$filter=x",
            "$top=3",
            "endDateTime=2026-01-01",
        ):
            self.refuse("GET", f"{base}?{option}")
        _, link = self.delta()
        self.refuse("GET", link + "&startDateTime=2026-01-01")

    def test_start_bound(self):
        self.add()
        late = self.add(start=at("2026-12-20T12:00:00"), end=at("2026-12-20T13:00:00"))
        series = self.series()
        base = f"calendars/{self.calendar()}/events/delta"
        items, link = self.delta(f"{base}?startDateTime=2026-12-10T00:00:00Z")
        self.assertEqual({x["id"] for x in items}, {late["id"], series["id"]})
        self.add()
        self.assertEqual(self.delta(link)[0], [])

    def test_quirks(self):
        event = self.add()
        self.quirk(delta_brief=True, delta_empty_pages=True, removed_reason="changed")
        first = self.ok("GET", f"calendars/{self.calendar()}/events/delta()?startDateTime=&endDateTime=")
        self.assertEqual(first["value"], [])
        items, link = self.delta()
        self.assertEqual(set(items[0]), {"@odata.type", "@odata.etag", "id", "type", "start", "end"})
        self.ok("DELETE", f"events/{event['id']}")
        self.assertEqual(self.delta(link)[0][0]["@removed"], {"reason": "changed"})
        self.quirk(delta_replays=True)
        _, link = self.delta(link)
        self.assertEqual(len(self.delta(link)[0]), 1)
        self.quirk(delta_replays=False, slow_replication=1)
        self.add()
        items, link = self.delta(link)
        self.assertEqual(items, [])
        self.quirk(slow_replication=0)
        self.assertEqual(len(self.delta(link)[0]), 1)


class BatchTests(GraphTests):
    """JSON batches, faults and throttling."""

    def batch(self, *parts):
        """The answers to a batch by their identifiers."""
        headers = {"Content-Type": "application/json", "Prefer": 'IdType="ImmutableId"'}
        parts = [{"headers": headers, **part, "id": str(number)} for number, part in enumerate(parts)]
        return {x["id"]: x for x in self.ok("POST", "/v1.0/$batch", {"requests": parts})["responses"]}

    def test_batch(self):
        body = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")}
        event = self.add()
        found = self.batch(
            {"method": "POST", "url": "/me/events", "body": body},
            {"method": "GET", "url": f"/me/events/{event['id']}?$select=subject"},
            {"method": "GET", "url": "/me/events/AAkx", "dependsOn": ["0"]},
            {"method": "GET", "url": "/me/events", "dependsOn": ["2"]},
        )
        self.assertEqual([found[str(x)]["status"] for x in range(4)], [201, 200, 400, 424])
        self.assertEqual(found["1"]["body"]["id"], event["id"])
        log = self.control("GET", "log")
        self.assertEqual([x["path"] for x in log if x.get("in-batch")][0], "/v1.0/me/events")

    def test_refused_batches(self):
        part = {"id": "1", "method": "GET", "url": "/me/events"}
        for parts in (
            [part] * 2,
            [{**part, "id": str(x)} for x in range(21)],
            [{**part, "url": "http://x/me"}],
            [],
            [{**part, "body": {}}],
            [{**part, "dependsOn": ["7"]}],
            [{**part, "id": 1}],
            [{**part, "headers": 5}],
            [{**part, "dependsOn": "1"}],
        ):
            self.refuse("POST", "/v1.0/$batch", {"requests": parts})

    def test_faults_hit_parts(self):
        plan = {
            "method": "GET",
            "path": "/me/events",
            "skip": 1,
            "do": {"status": 429, "headers": {"Retry-After": "0"}},
        }
        self.control("POST", "faults", [plan])
        get = {"method": "GET", "url": "/me/events"}
        found = self.batch(get, get, {**get, "dependsOn": ["1"]}, get)
        self.assertEqual([found[str(x)]["status"] for x in range(4)], [200, 429, 424, 200])
        self.assertEqual(found["1"]["headers"]["Retry-After"], "0")
        self.assertEqual(found["1"]["body"]["error"]["code"], "ApplicationThrottled")

    def test_violation_in_a_part(self):
        found = self.batch({"method": "PATCH", "url": f"/me/events/{self.add()['id']}", "body": {"uid": "x"}})
        self.assertEqual(found["0"]["status"], 400)
        self.refused += 1

    def test_concurrency(self):
        self.quirk(concurrency=True)
        self.control("POST", "faults", [{"method": "GET", "count": None, "do": {"wait": 0.2}}])
        statuses = []

        def get():
            """Sends a request on a connection of its own."""
            connection = http.client.HTTPConnection(*self.server.server_address)
            connection.request("GET", "/v1.0/me/events", headers={"Authorization": f"Bearer {self.account}"})
            statuses.append(connection.getresponse().status)
            connection.close()

        threads = [threading.Thread(target=get) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIn(429, statuses)

    def test_repeated_header_lines(self):
        event = self.add()
        self.connection.putrequest("GET", f"/v1.0/me/events/{event['id']}?$select=start")
        self.connection.putheader("Authorization", f"Bearer {self.account}")
        for value in (IMMUTABLE, 'outlook.timezone="Tokyo Standard Time"'):
            self.connection.putheader("Prefer", value)
        self.connection.endheaders()
        found = json.loads(self.connection.getresponse().read())
        self.assertEqual((found["id"], found["start"]["timeZone"]), (event["id"], "Tokyo Standard Time"))

    def test_speed(self):
        event = self.add()
        begin = time.perf_counter()
        for _ in range(100):
            self.ok("GET", f"events/{event['id']}")
        self.assertLess((time.perf_counter() - begin) / 100, 0.01)
