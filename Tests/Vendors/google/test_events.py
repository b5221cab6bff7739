# SPDX-License-Identifier: Apache-2.0
"""Tests of times, rules and quirks, and of random histories."""

import random
import unittest

import rules
import times
from common.messages import Refusal
from inside import EVENTS, Inside, event

DAILY = ["RRULE:FREQ=DAILY;COUNT=5"]


def starts(lines, start="1997-09-02T09:00:00", zone="America/New_York", count=20):
    """The starts of the first instances on the clocks of their zone."""
    kept = times.normalize({"dateTime": start, "timeZone": zone}, "start", None, True)
    found = []
    for original in rules.originals({"start": kept, "end": kept, "recurrence": lines}):
        found.append(times.to_local(original).strftime("%m%dT%H"))
        if len(found) == count:
            break
    return found


class RuleTests(unittest.TestCase):
    """Rules with the examples of RFC 5545, section 3.8.5.3."""

    def test_examples(self):
        cases = [
            ("RRULE:FREQ=DAILY;UNTIL=19970905T130000Z", ["0902T09", "0903T09", "0904T09", "0905T09"]),
            ("RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=TU,TH;WKST=SU", ["0902T09", "0904T09", "0916T09"]),
            ("RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", ["0902T09", "0904T09", "1007T09", "1106T09"]),
            ("RRULE:FREQ=MONTHLY;COUNT=3;BYMONTHDAY=-1", ["0902T09", "0930T09", "1031T09", "1130T09"]),
        ]
        for line, expected in cases:
            self.assertEqual(starts([line]), expected, line)

    def test_dates(self):
        lines = ["RRULE:FREQ=DAILY;COUNT=4", "EXDATE;TZID=Europe/Berlin:19970903T150000", "EXDATE:19970904T130000Z"]
        self.assertEqual(starts(lines + ["RDATE;TZID=America/New_York:19970910T120000"]), ["0902T09", "0905T09", "0910T12"])

    def test_end_of_summer_time(self):
        self.assertEqual(starts(["RRULE:FREQ=DAILY;COUNT=3"], "1997-10-25T09:00:00"), ["1025T09", "1026T09", "1027T09"])

    def test_membership(self):
        start = {"dateTime": "1997-10-25T13:00:00Z", "timeZone": "America/New_York"}
        master = {"start": start, "end": start, "recurrence": ["RRULE:FREQ=DAILY"]}
        for text, expected in [("1997-10-26T14:00:00Z", True), ("1997-10-26T13:00:00Z", False)]:
            self.assertEqual(rules.has_original(master, {"dateTime": text}), expected, text)
        self.assertFalse(rules.has_original(master, {"date": "1997-10-26"}))

    def test_wrong_lines(self):
        for line in ("", "RRULE:", "RRULE:COUNT=2", "DTSTART:19970902", "EXDATE:tomorrow", "RRULE:FREQ=DAILY;BYEASTER=0"):
            with self.assertRaises(Refusal, msg=line):
                rules.check([line])


class TimeTests(unittest.TestCase):
    """Times as they are kept and shown."""

    def test_kept_and_shown(self):
        cases = [
            ({"dateTime": "2026-07-01T10:00:00", "timeZone": "Asia/Kolkata"}, "2026-07-01T06:30:00+02:00"),
            ({"dateTime": "2026-07-01t10:00:00.75z"}, "2026-07-01T12:00:00+02:00"),
            ({"dateTime": "2026-03-29T02:30:00", "timeZone": "Europe/Berlin"}, "2026-03-29T03:30:00+02:00"),
            ({"dateTime": "2026-10-25T02:30:00", "timeZone": "Europe/Berlin"}, "2026-10-25T02:30:00+02:00"),
            ({"dateTime": "2026-10-25T02:30:00+01:00"}, "2026-10-25T02:30:00+01:00"),
        ]
        for value, expected in cases:
            kept = times.normalize(value, "start", None, False)
            self.assertEqual(times.shown(kept, "Europe/Berlin")["dateTime"], expected)
        self.assertEqual(times.shown(kept, "UTC")["dateTime"], "2026-10-25T01:30:00Z")

    def test_instance_ids(self):
        for original in ({"date": "2026-11-02"}, {"dateTime": "2026-11-02T09:00:05Z"}):
            self.assertEqual(times.split_instance_id(times.instance_id("a_b", original)), ("a_b", original))
        for text in ("abc", "abc_2026110", "abc_20261302", "abc_20261102T250000Z"):
            self.assertEqual(times.split_instance_id(text), (None, None))


class QuirkTests(Inside):
    """What each quirk does."""

    def patch(self, made, body, status=200):
        """Patches an event."""
        return self.call("PATCH", f"{EVENTS}/{made['id']}", body, status)

    def test_fields(self):
        made = self.insert()
        self.assertNotIn("transparency", made)
        self.quirk(defaults_shown=True, insert_keeps_uid=True)
        made = self.insert(iCalUID="u@example.org")
        self.assertEqual((made["transparency"], made["iCalUID"]), ("opaque", "u@example.org"))
        start = {"dateTime": "2026-11-02T10:00:00Z"}
        self.assertNotIn("timeZone", self.insert(start=start, end=start)["start"])
        self.quirk(zone_filled=True)
        self.assertEqual(self.insert(start=start, end=start)["start"]["timeZone"], "Europe/Berlin")
        self.quirk(refuse_zero_length=True, description_limit=3, recurrence_limit=20)
        self.insert(400, start=start, end=start)
        self.insert(400, description="four")
        self.insert(400, recurrence=DAILY)
        self.insert(description="now")

    def test_what_insert_does_not_set(self):
        self.insert(recurringEventId="abcde", iCalUID="u@example.org", id="fghij")
        reasons = [violation["reason"].partition(":")[0] for violation in self.account.violations]
        self.assertEqual(reasons, ["recurringEventId", "id and iCalUID"])

    def test_versions(self):
        made = self.insert()
        self.assertNotEqual(self.patch(made, {"summary": "Event"})["etag"], made["etag"])
        self.quirk(unchanged_keeps_etag=True)
        same = self.patch(made, {"summary": "Event"})
        self.assertEqual(self.patch(made, {"summary": "Event"})["etag"], same["etag"])
        self.patch(made, {"start": {"dateTime": "2026-11-02T09:00:00Z"}, "end": {"dateTime": "2026-11-02T12:00:00Z"}})
        moved = self.patch(made, {"start": {"dateTime": "2026-11-02T08:00:00Z"}})
        self.assertEqual(moved["sequence"], 2)
        self.quirk(sequence_required=True)
        self.patch(made, {"summary": "x"}, 400)
        self.patch(made, {"summary": "x", "sequence": 2})

    def test_reminders_and_sync(self):
        made = self.insert()
        _, token = self.listing()
        body = {"reminders": {"useDefault": False}}
        self.patch(made, body)
        self.assertEqual(len(self.listing(syncToken=token)[0]), 1)
        _, token = self.listing()
        self.quirk(reminders_silent=True)
        self.patch(made, {"reminders": {"useDefault": True}})
        self.assertEqual(self.listing(syncToken=token)[0], [])

    def test_deleted_events(self):
        made = self.insert()
        self.call("DELETE", f"{EVENTS}/{made['id']}", status=204)
        self.quirk(revive_forbidden=True)
        self.patch(made, {"status": "confirmed"}, 403)
        _, token = self.listing()
        self.control("POST", "purge")
        self.call("GET", f"{EVENTS}/{made['id']}", status=404)
        self.insert(409, id=made["id"])
        self.call("GET", f"{EVENTS}?syncToken={token}", status=410)

    def test_exceptions_of_a_deleted_master(self):
        for vanish, count in ((False, 2), (True, 1)):
            self.quirk(exceptions_vanish=vanish)
            made = self.insert(recurrence=DAILY)
            self.call("PATCH", f"{EVENTS}/{made['id']}_20261103T090000Z", {"summary": "other"})
            _, token = self.listing()
            self.call("DELETE", f"{EVENTS}/{made['id']}", status=204)
            self.assertEqual(len(self.listing(syncToken=token)[0]), count)

    def test_mails(self):
        guests = [{"email": "cy@example.org"}]
        self.call("POST", EVENTS + "?sendUpdates=none", event(attendees=guests))
        self.assertEqual(self.control("GET", "mails"), [])
        self.call("POST", EVENTS + "?sendNotifications=true", event(attendees=guests))
        self.assertEqual(len(self.control("DELETE", "mails")), 1)
        self.quirk(mails_regardless=True)
        self.call("POST", EVENTS + "?sendUpdates=none", event(attendees=guests))
        self.assertEqual(len(self.control("GET", "mails")), 1)

    def test_listing(self):
        self.insert(extendedProperties={"private": {"a": "1"}})
        query = "?privateExtendedProperty=a%3D1&privateExtendedProperty=b%3D2"
        self.assertEqual(self.call("GET", EVENTS + query)["items"], [])
        self.quirk(properties_any=True, updated_min_gone=True)
        self.assertEqual(len(self.call("GET", EVENTS + query)["items"]), 1)
        self.call("GET", EVENTS + "?updatedMin=2020-01-01T00:00:00Z", status=410)

    def test_quota(self):
        self.quirk(quota_per_minute=1, quota_status=429)
        self.insert()
        self.insert(429)

    def test_single_events(self):
        made = self.insert(recurrence=DAILY)
        third = f"{made['id']}_20261104T090000Z"
        items, token = self.listing(singleEvents="true", maxResults=2)
        self.assertEqual(len(items), 5)
        self.call("DELETE", f"{EVENTS}/{third}", status=204)
        items, _ = self.listing(singleEvents="true", maxResults=2, syncToken=token)
        self.assertEqual([(item["id"], item["status"]) for item in items], [(third, "cancelled")])
        self.assertEqual(len(self.listing(singleEvents="true")[0]), 4)

    def test_client_is_named_in_the_log(self):
        self.call("POST", EVENTS, event(), X_Client="person")
        self.assertEqual(self.control("GET", "log")[0]["client"], "person")

    def test_events_of_others_at_once(self):
        given = [{"event": event(summary=str(number), iCalUID=f"{number}@x.example")} for number in range(3)]
        made = self.control("POST", "events", given)
        items = self.listing()[0]
        self.assertEqual([item["summary"] for item in items], ["0", "1", "2"])
        self.assertEqual([item["iCalUID"] for item in items], ["0@x.example", "1@x.example", "2@x.example"])
        self.assertEqual(made, items)
        self.assertNotIn("POST", [entry["method"] for entry in self.control("GET", "log")])


class HistoryTests(Inside):
    """What a client keeps by sync tokens is what a full listing says."""

    def test_random_histories(self):
        for seed in range(40):
            with self.subTest(seed=seed):
                self.token = f"history{seed}"
                self.account = self.accounts.get(self.token)
                self.history(random.Random(seed))
                self.assertEqual(self.account.violations, [])

    def history(self, dice):
        """Plays a history and compares now and then."""
        self.quirk(exceptions_inherit=dice.random() < 0.5, bare_tombstones=dice.random() < 0.5)
        self.quirk(exceptions_on_reschedule=dice.choice(["keep", "drop", "drop-unmatched"]))
        size, kept, token = dice.choice([1, 3, 250]), {}, None
        for _ in range(dice.randint(20, 60)):
            self.step(dice)
            if dice.random() < 0.2:
                token = self.sync(kept, size, token)
        self.sync(kept, size, token)
        full, _ = self.listing()
        self.assertEqual({item["id"]: item for item in full}, self.shown(kept))

    def step(self, dice):
        """Does something to an event or an instance."""
        items = [item for item in self.listing()[0] if "recurringEventId" not in item]
        if not items or dice.random() < 0.3:
            self.insert(**({"recurrence": DAILY} if dice.random() < 0.5 else {}))
            return
        item = dice.choice(items)
        target = f"{EVENTS}/{item['id']}"
        if "recurrence" in item and dice.random() < 0.6:
            found = self.call("GET", f"{target}/instances?showDeleted=true")["items"]
            target = f"{EVENTS}/{dice.choice(found)['id']}"
        elif "recurrence" in item and dice.random() < 0.2:
            self.call("PATCH", target, {"recurrence": [f"RRULE:FREQ=DAILY;COUNT={dice.randint(1, 5)}"]})
            return
        if dice.random() < 0.3:
            self.assertIn(self.answer("DELETE", target).status, (204, 410))
        else:
            self.call("PATCH", target, {"summary": str(dice.random()), "status": "confirmed"})

    def sync(self, kept, size, token):
        """Brings what a client keeps up to date; returns the next token."""
        more = {"syncToken": token} if token else {}
        items, token = self.listing(maxResults=size, **more)
        for item in items:
            kept[item["id"]] = item
        return token

    def shown(self, kept):
        """What a client that follows the documents holds for true.

        Cancelled exceptions count as long as their master does; "reverted" instances, which only
        dropped exceptions leave behind, are like those that the rule gives.
        """
        live = {key for key, item in kept.items() if item["status"] != "cancelled"}
        result = {}
        for key, item in kept.items():
            if key in live or item.get("recurringEventId") in live:
                stored = self.account.state.calendars[self.account.state.email].events[key]
                if not stored.reverted:
                    result[key] = item
        return result
