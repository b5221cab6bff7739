# SPDX-License-Identifier: Apache-2.0
"""Random bodies: whatever a request holds, the double answers by the contract."""

import random

from inside import EVENTS, VENDOR, Inside, event

SCHEMAS = VENDOR.contract.requests.schemas
TEXTS = ["", "x", "ä" * 50, "a@b.c", "Europe/Zurich", "2026-11-02T10:00:00", "UTC", "http://x.y"]
DATES = ["2026-11-02", "2026-11-03", "2024-02-29", "0001-01-01", "9999-12-31"]
TIMES = [
    "2026-11-02T10:00:00Z", "2026-11-02T10:00:00.123+05:30", "0001-01-01T00:00:00+10:00",
    "9999-12-31T23:59:59-10:00", "2026-03-29T02:30:00",
]  # fmt: skip
LINES = [
    "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=HOURLY", "RRULE:FREQ=DAILY;BYHOUR=25", "EXDATE:20261399",
    "RRULE:FREQ=MONTHLY;BYDAY=5MO", "EXDATE:20261102T100000Z", "RRULE:FREQ=DAILY;UNTIL=20261399",
    "RDATE;VALUE=PERIOD:20261103T100000Z/PT1H", "RRULE:FREQ=YEARLY;BYWEEKNO=60", "EXRULE:FREQ=DAILY",
    "RDATE;TZID=Nowhere:20261103T100000", "RRULE:FREQ=DAILY;UNTIL=20261105", "RRULE:FREQ=DAILY;;",
    "RRULE:FREQ=DAILY;BYMONTHDAY=0", "RRULE:FREQ=SECONDLY;BYSECOND=61", "RRULE:FREQ=DAILY;INTERVAL=99999999999",
]  # fmt: skip


def value(schema, dice):
    """A value that fits a schema of the contract, but for one in a hundred."""
    while "$ref" in schema:
        schema = SCHEMAS[schema["$ref"]]
    if dice.random() < 0.01:
        return dice.choice([None, 1, "x", [], {}, True])
    if "enum" in schema:
        return dice.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return [value(schema["items"], dice) for _ in range(dice.randint(0, 2))]
    if kind == "object":
        fields = schema.get("properties", {})
        made = {name: value(field, dice) for name, field in fields.items() if dice.random() < 0.3}
        if "additionalProperties" in schema:
            made[dice.choice("abc")] = value(schema["additionalProperties"], dice)
        return made
    if kind == "string":
        return dice.choice({"date": DATES, "date-time": TIMES}.get(schema.get("format"), TEXTS))
    return dice.choice([0, 1, -1, 40320, 2**31 - 1] if kind == "integer" else [True, False])


class BodyTests(Inside):
    """Inserts, imports and changes with random bodies."""

    def body(self, dice):
        """A random body, often with times that fit."""
        made = value({"type": "object", **SCHEMAS["Event"]}, dice)
        made = made if isinstance(made, dict) else {}
        for name in ("eventType", "attendees", "id", "colorId", "source", "reminders", "recurrence"):
            if dice.random() < 0.8:
                made.pop(name, None)
        if dice.random() < 0.7:
            made.update(event())
        if dice.random() < 0.4:
            made["recurrence"] = dice.sample(LINES, dice.randint(1, 2))
        return made

    def test_random_bodies(self):
        dice, ids = random.Random(7), []
        for _ in range(500):
            choices = [("POST", EVENTS), ("POST", EVENTS + "/import")]
            if ids:
                choices += [("PATCH", f"{EVENTS}/{dice.choice(ids)}"), ("PUT", f"{EVENTS}/{dice.choice(ids)}")]
            method, target = dice.choice(choices)
            answer = self.answer(method, target, self.body(dice))
            self.assertIn(answer.status, (200, 400, 403, 409))
            if answer.status == 200:
                ids.append(answer.body["id"])
                if "recurrence" in answer.body:
                    self.instances(dice, answer.body["id"])
        for query in ("", "?showDeleted=true", "?timeMin=2026-10-01T00:00:00Z"):
            self.call("GET", EVENTS + query)
        self.assertGreater(len(ids), 100)
        self.assertEqual([v["reason"] for v in self.account.violations if v["side"] == "answer"], [])

    def instances(self, dice, event_id):
        """Changes an instance of a series."""
        found = self.call("GET", f"{EVENTS}/{event_id}/instances?maxResults=5")["items"]
        if found:
            self.call("PATCH", f"{EVENTS}/{dice.choice(found)['id']}", {"location": "there"})
