# SPDX-License-Identifier: Apache-2.0
"""Tests of series: patterns, instances, exceptions."""

from .testing import STASH, GraphTests, at, expand, weekly

ALL = "exceptionOccurrences,cancelledOccurrences,subject,originalStart"


class SeriesTests(GraphTests):
    """Series."""

    def master(self, series):
        """The master with its exceptions and deletions."""
        return self.ok("GET", f"events/{series['id']}?$select={ALL}&$expand=exceptionOccurrences")

    def test_instances(self):
        series = self.series()
        self.assertEqual(series["type"], "seriesMaster")
        self.assertEqual(series["recurrence"]["range"]["recurrenceTimeZone"], "W. Europe Standard Time")
        self.assertEqual(series["recurrence"]["range"]["endDate"], "0001-01-01")
        self.assertEqual(series["recurrence"]["pattern"]["month"], 0)
        found = self.instances(series)
        self.assertEqual(
            [x["start"]["dateTime"][:16] for x in found],
            [
                "2026-12-01T11:00",
                "2026-12-08T11:00",
                "2026-12-15T11:00",
                "2026-12-22T11:00",
                "2026-12-29T11:00",
            ],
        )
        self.assertEqual({x["type"] for x in found}, {"occurrence"})
        self.assertEqual({x["seriesMasterId"] for x in found}, {series["id"]})
        self.assertEqual(found[1]["originalStart"], "2026-12-08T11:00:00Z")
        self.assertEqual({x["@odata.etag"] for x in found}, {series["@odata.etag"]})
        uids = {x["iCalUId"] for x in self.instances(series, "iCalUId")} | {series["iCalUId"]}
        self.assertEqual(len(uids), 6)

    def test_summer_time(self):
        series = self.series(
            recurrence=weekly(type="endDate", startDate="2026-03-24", endDate="2026-03-31"),
            start=at("2026-03-24T12:00:00", "Europe/Berlin"),
            end=at("2026-03-24T13:00:00", "Europe/Berlin"),
        )
        self.assertEqual([x["start"]["dateTime"][11:16] for x in self.instances(series)], ["11:00", "10:00"])

    def test_patterns(self):
        cases = [
            ({"type": "daily", "interval": 3}, ["12-01", "12-04", "12-07"]),
            ({"type": "absoluteMonthly", "interval": 1, "dayOfMonth": 31}, ["12-31", "01-31", "02-28"]),
            (
                {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["friday"], "index": "last"},
                ["12-25", "01-29", "02-26"],
            ),
            (
                {"type": "relativeMonthly", "interval": 1, "daysOfWeek": ["saturday", "sunday"]},
                ["12-05", "01-02", "02-06"],
            ),
            ({"type": "absoluteYearly", "interval": 1, "dayOfMonth": 24, "month": 12}, ["12-24"] * 3),
            (
                {"type": "relativeYearly", "interval": 1, "daysOfWeek": ["sunday"], "month": 1},
                ["01-03", "01-02", "01-07"],
            ),
        ]
        for pattern, days in cases:
            limits = {"type": "numbered", "startDate": "2026-12-01", "numberOfOccurrences": 3}
            series = self.add(recurrence={"pattern": pattern, "range": limits})
            path = f"events/{series['id']}/instances?startDateTime=2026-01-01&endDateTime=2036-01-01&$select=start"
            found = self.ok("GET", path)["value"]
            self.assertEqual([x["start"]["dateTime"][5:10] for x in found], days, pattern)

    def test_refused_recurrences(self):
        good = weekly()
        body = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-01T13:00:00")}
        for pattern in (
            {"firstDayOfWeek": None},
            {"daysOfWeek": []},
            {"interval": 0},
            {"month": 0},
            {"type": "hourly"},
            {"type": "absoluteMonthly"},
            {"dayOfMonth": 3},
        ):
            wrong = {**good["pattern"], **pattern}
            wrong = {name: value for name, value in wrong.items() if value is not None}
            self.refuse("POST", "events", {**body, "recurrence": {**good, "pattern": wrong}})
        for limits in (
            {"type": "numbered", "startDate": "2026-12-01"},
            {"type": "noEnd", "startDate": "2026-12-02"},
            {"type": "endDate", "startDate": "2026-12-01", "endDate": "2026-11-30"},
            {"type": "noEnd", "startDate": "2026-12-01", "endDate": "2026-12-30"},
        ):
            self.refuse("POST", "events", {**body, "recurrence": {**good, "range": limits}})
        none = {"type": "endDate", "startDate": "2026-12-02", "endDate": "2026-12-03"}
        code = self.refuse(
            "POST",
            "events",
            {
                "start": at("2026-12-02T12:00:00"),
                "end": at("2026-12-02T13:00:00"),
                "recurrence": {**good, "range": none},
            },
        )
        self.assertEqual(code, "ErrorRecurrenceHasNoOccurrence")

    def test_exception(self):
        series = self.series(singleValueExtendedProperties=[{"id": STASH, "value": "1"}])
        second = self.instances(series)[1]
        changed = self.ok(
            "PATCH",
            f"events/{second['id']}",
            {"subject": "Moved", "start": at("2026-12-09T11:00:00"), "end": at("2026-12-09T12:00:00")},
        )
        self.assertEqual((changed["type"], changed["id"]), ("exception", second["id"]))
        master = self.master(series)
        self.assertNotEqual(master["@odata.etag"], series["@odata.etag"])
        own = master["exceptionOccurrences"]
        self.assertEqual(
            [(x["id"], x["subject"], x["originalStart"]) for x in own],
            [(second["id"], "Moved", "2026-12-08T11:00:00Z")],
        )
        self.ok("PATCH", f"events/{series['id']}", {"subject": "All", "importance": "high"})
        found = self.instances(series, "subject,importance,start")
        self.assertEqual([x["subject"] for x in found], ["All", "Moved", "All", "All", "All"])
        self.assertEqual({x["importance"] for x in found}, {"high"})
        path = f"events/{second['id']}?$expand={expand(STASH)}"
        self.assertNotIn("singleValueExtendedProperties", self.ok("GET", path))
        self.quirk(inherits_extended_properties=True)
        self.assertIn("singleValueExtendedProperties", self.ok("GET", path))
        self.refuse("PATCH", f"events/{second['id']}", {"recurrence": weekly()})

    def test_crossing(self):
        series = self.series()
        second = self.instances(series)[1]
        for day in ("2026-12-01", "2026-12-15", "2026-12-20"):
            status, body, _ = self.call(
                "PATCH",
                f"events/{second['id']}",
                {"start": at(f"{day}T22:00:00"), "end": at(f"{day}T22:30:00")},
            )
            self.assertEqual((status, body["error"]["code"]), (400, "ErrorOccurrenceCrossingBoundary"))
        self.ok(
            "PATCH",
            f"events/{second['id']}",
            {"start": at("2026-12-14T10:00:00"), "end": at("2026-12-14T10:30:00")},
        )

    def test_delete_instance(self):
        series = self.series()
        third = self.instances(series)[2]
        self.assertEqual(self.call("DELETE", f"events/{third['id']}")[0], 204)
        self.assertEqual(self.call("GET", f"events/{third['id']}")[0], 404)
        self.assertEqual(len(self.instances(series)), 4)
        self.assertEqual(self.master(series)["cancelledOccurrences"], [f"OID.{series['id']}.2026-12-15"])
        self.assertNotIn("cancelledOccurrences", self.ok("GET", f"events/{series['id']}"))
        self.assertEqual(self.call("GET", f"events/{third['id'][:-1]}A")[0], 400)

    def test_rule_change_drops_exceptions(self):
        for keeps in (False, True):
            self.quirk(keeps_exceptions=keeps)
            series = self.series()
            found = self.instances(series)
            self.ok("PATCH", f"events/{found[1]['id']}", {"subject": "B"})
            self.ok("DELETE", f"events/{found[2]['id']}")
            self.ok("PATCH", f"events/{series['id']}", {"subject": "C"})
            self.assertEqual(len(self.master(series)["exceptionOccurrences"]), 1)
            self.ok(
                "PATCH",
                f"events/{series['id']}",
                {
                    "start": at("2026-12-01T13:00:00", "Europe/Berlin"),
                    "end": at("2026-12-01T14:00:00", "Europe/Berlin"),
                },
            )
            master = self.master(series)
            counts = len(master["exceptionOccurrences"]), len(master["cancelledOccurrences"])
            self.assertEqual(counts, (1, 1) if keeps else (0, 0))

    def test_range_change_keeps_what_fits(self):
        series = self.series()
        found = self.instances(series)
        self.ok("PATCH", f"events/{found[1]['id']}", {"subject": "B"})
        self.ok("PATCH", f"events/{found[4]['id']}", {"subject": "E"})
        self.ok(
            "PATCH",
            f"events/{series['id']}",
            {"recurrence": weekly(type="endDate", startDate="2026-12-01", endDate="2026-12-15")},
        )
        self.assertEqual([x["subject"] for x in self.master(series)["exceptionOccurrences"]], ["B"])
        single = self.ok("PATCH", f"events/{series['id']}", {"recurrence": None})
        self.assertEqual((single["type"], single["recurrence"]), ("singleInstance", None))

    def test_move_of_the_series(self):
        series = self.series()
        moved = self.ok(
            "PATCH",
            f"events/{series['id']}",
            {
                "start": at("2026-12-08T12:00:00", "Europe/Berlin"),
                "end": at("2026-12-08T13:00:00", "Europe/Berlin"),
            },
        )
        self.assertEqual(moved["recurrence"]["range"]["startDate"], "2026-12-08")
        self.refuse("PATCH", f"events/{series['id']}", {"recurrence": weekly()})

    def test_all_day_series(self):
        series = self.series(
            isAllDay=True,
            start=at("2026-12-01T00:00:00", "Pacific Standard Time"),
            end=at("2026-12-02T00:00:00", "Pacific Standard Time"),
        )
        found = self.instances(series, "start,end", 'outlook.timezone="Tokyo Standard Time"')
        self.assertEqual(found[1]["start"]["dateTime"][:16], "2026-12-08T00:00")
        self.assertEqual(found[1]["end"]["dateTime"][:16], "2026-12-09T00:00")

    def test_expand_rules(self):
        series = self.series()
        self.refuse("GET", f"events/{series['id']}?$expand=exceptionOccurrences")
        self.refuse("GET", "events?$select=exceptionOccurrences&$expand=exceptionOccurrences")
        single = self.ok("GET", f"events/{self.add()['id']}?$select={ALL}&$expand=exceptionOccurrences")
        self.assertNotIn("exceptionOccurrences", single)
        self.quirk(beta_properties=True)
        second = self.ok("GET", f"events/{self.instances(series)[1]['id']}?$select=occurrenceId,uid")
        self.assertEqual(second["occurrenceId"], f"OID.{series['id']}.2026-12-08")

    def test_outlook_limits(self):
        long = {"start": at("2026-12-01T12:00:00"), "end": at("2026-12-09T12:00:00"), "recurrence": weekly()}
        self.ok("POST", "events", long)
        self.quirk(outlook_limits=True)
        self.assertEqual(self.refuse("POST", "events", long), "ErrorOccurrenceTimeSpanTooBig")

    def test_exception_ids_change(self):
        self.quirk(exception_ids_change=True)
        series = self.series()
        second = self.instances(series)[1]["id"]
        self.assertEqual(second, f"OID.{series['id']}.2026-12-08")
        changed = self.ok("PATCH", f"events/{second}", {"subject": "x"})
        self.assertNotIn("OID", changed["id"])
        for identifier in (second, changed["id"]):
            self.assertEqual(self.ok("GET", f"events/{identifier}")["subject"], "x")

    def test_zone_of_the_range(self):
        rule = weekly(
            type="numbered", startDate="2026-12-01", numberOfOccurrences=2, recurrenceTimeZone="Europe/Berlin"
        )
        series = self.add(start=at("2026-11-30T23:30:00"), end=at("2026-12-01T00:30:00"), recurrence=rule)
        starts = [x["start"]["dateTime"][:16] for x in self.instances(series)]
        self.assertEqual(starts, ["2026-11-30T23:30", "2026-12-07T23:30"])
        self.assertEqual(series["originalStartTimeZone"], "UTC")
