# SPDX-License-Identifier: Apache-2.0
"""Random changes, and a mirror that follows them by events/delta alone."""

import random

from .testing import GraphTests, at, weekly

SHOWN = "$select=subject,type,start,end,recurrence,changeKey"


class MirrorTests(GraphTests):
    """A mirror that applies each round of delta has what the calendar has."""

    def change(self, random_source):
        """Makes a random change."""
        events = self.ok("GET", f"events?$top=100&{SHOWN}")["value"]
        kind = random_source.choice(["add", "series", "change", "delete", "instance", "instance", "move"])
        if kind == "add" or not events:
            return self.add(subject=str(random_source.random()))
        if kind == "series":
            return self.series(subject=str(random_source.random()))
        event = random_source.choice(events)
        if kind == "change":
            return self.ok("PATCH", f"events/{event['id']}", {"subject": str(random_source.random())})
        if kind == "delete":
            return self.ok("DELETE", f"events/{event['id']}")
        if kind == "move" and event["type"] == "singleInstance":
            body = {
                "recurrence": weekly(),
                "start": at("2026-12-01T12:00:00"),
                "end": at("2026-12-01T13:00:00"),
            }
            return self.ok("PATCH", f"events/{event['id']}", body)
        if kind == "move":
            rule = weekly(
                type="endDate",
                startDate="2026-12-01",
                endDate=random_source.choice(["2026-12-15", "2027-01-15"]),
            )
            rule["pattern"]["interval"] = random_source.choice([1, 1, 2])
            return self.ok("PATCH", f"events/{event['id']}", {"recurrence": rule})
        if event["type"] == "seriesMaster":
            self.change_instance(random_source, event)
        return None

    def change_instance(self, random_source, event):
        """Changes or deletes a random instance of a series."""
        instances = self.instances(event)
        if not instances:
            return self.ok("DELETE", f"events/{event['id']}")
        path = f"events/{random_source.choice(instances)['id']}"
        if random_source.random() < 0.3:
            return self.ok("DELETE", path)
        return self.ok("PATCH", path, {"subject": str(random_source.random())})

    def truth(self, exceptions):
        """Change keys by identifiers, as GET tells them."""
        found = {}
        for event in self.ok("GET", f"events?$top=100&{SHOWN}")["value"]:
            found[event["id"]] = event["changeKey"]
            if exceptions and event["type"] == "seriesMaster":
                select = "$select=subject,exceptionOccurrences,changeKey&$expand=exceptionOccurrences"
                for own in self.ok("GET", f"events/{event['id']}?{select}")["exceptionOccurrences"]:
                    found[own["id"]] = None
        return found

    def follow(self, quirks, seed):
        """Follows random changes; `seed` is in the message of a failure."""
        random_source = random.Random(seed)
        self.control("DELETE", "quirks")
        self.quirk(**quirks)
        exceptions = quirks.get("delta_lists_exceptions", False)
        mirror, link = {}, None
        for _ in range(12):
            for _ in range(random_source.randrange(6)):
                self.change(random_source)
            items, link = self.delta(link, f"odata.maxpagesize={random_source.randrange(1, 8)}")
            for item in items:
                if "@removed" in item:
                    mirror.pop(item["id"], None)
                else:
                    mirror[item["id"]] = None if item["type"] == "exception" else item["changeKey"]
            self.assertEqual(mirror, self.truth(exceptions), f"seed {seed}")

    def test_masters(self):
        self.follow({}, 1)
        self.follow({"delta_replays": True, "delta_empty_pages": True}, 2)

    def test_exceptions(self):
        self.follow({"delta_lists_exceptions": True}, 3)
        self.follow({"exception_ids_change": True}, 4)
