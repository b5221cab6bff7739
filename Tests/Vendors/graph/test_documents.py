# SPDX-License-Identifier: Apache-2.0
"""The examples of Graph's documents, sent to the double as they stand."""

from .testing import GraphTests, at

ADELE = {
    "emailAddress": {"address": "adelev@contoso.onmicrosoft.com", "name": "Adele Vance"},
    "type": "required",
}
LUNCH = {  # docs api/calendar-post-events.md, example 1
    "subject": "Let's go for lunch",
    "body": {"contentType": "HTML", "content": "Does mid month work for you?"},
    "start": at("2019-03-15T12:00:00", "Pacific Standard Time"),
    "end": at("2019-03-15T14:00:00", "Pacific Standard Time"),
    "location": {"displayName": "Harry's Bar"},
    "attendees": [ADELE],
    "transactionId": "7E163156-7762-4BEB-A1C6-729EA81755A7",
}
ANSWER = {
    "categories": [],
    "originalStartTimeZone": "Pacific Standard Time",
    "originalEndTimeZone": "Pacific Standard Time",
    "reminderMinutesBeforeStart": 15,
    "isReminderOn": True,
    "hasAttachments": False,
    "hideAttendees": False,
    "subject": "Let's go for lunch",
    "bodyPreview": "Does mid month work for you?",
    "importance": "normal",
    "sensitivity": "normal",
    "isAllDay": False,
    "isCancelled": False,
    "isDraft": False,
    "isOrganizer": True,
    "responseRequested": True,
    "seriesMasterId": None,
    "transactionId": "7E163156-7762-4BEB-A1C6-729EA81755A7",
    "showAs": "busy",
    "type": "singleInstance",
    "onlineMeetingUrl": None,
    "isOnlineMeeting": False,
    "onlineMeetingProvider": "unknown",
    "onlineMeeting": None,
    "recurrence": None,
    "responseStatus": {"response": "organizer", "time": "0001-01-01T00:00:00Z"},
    "start": at("2019-03-15T12:00:00.0000000", "Pacific Standard Time"),
    "end": at("2019-03-15T14:00:00.0000000", "Pacific Standard Time"),
    "attendees": [{**ADELE, "status": {"response": "none", "time": "0001-01-01T00:00:00Z"}}],
}
VARYING = {
    "@odata.context",
    "@odata.etag",
    "id",
    "createdDateTime",
    "lastModifiedDateTime",
    "changeKey",
    "iCalUId",
}
VARYING |= {"webLink", "body", "location", "locations", "organizer", "allowNewTimeProposals"}


class DocumentTests(GraphTests):
    """Examples of the documents."""

    def test_create(self):
        event = self.ok("POST", "calendar/events", LUNCH, 'outlook.timezone="Pacific Standard Time"')
        self.assertEqual({name: event[name] for name in event if name not in VARYING}, ANSWER)
        self.assertEqual(event["body"]["contentType"], "html")
        self.assertIn("<body>\r\nDoes mid month work for you?\r\n</body>", event["body"]["content"])

    def test_filter_by_subject(self):
        """Docs api/calendar-list-events.md, example 2."""
        event = self.add(subject="All APIs Testing")
        self.add()
        found = self.ok("GET", "calendar/events?$filter=startsWith(subject,'All')")["value"]
        self.assertEqual([x["id"] for x in found], [event["id"]])

    def test_several_locations(self):
        """Docs api/user-post-events.md, example 2."""
        names = ["Fourth Coffee", "Home Office"]
        event = self.add(locations=[{"displayName": name} for name in names])
        self.assertEqual([place["displayName"] for place in event["locations"]], names)
        self.assertEqual(event["location"]["displayName"], "Fourth Coffee; Home Office")

    def test_several_changed_instances_mail_once_each(self):
        """Docs api/event-update.md: one mail for the series, one for each changed instance."""
        series = self.series(attendees=[ADELE])
        for number in (1, 2):
            self.ok("PATCH", f"events/{self.instances(series)[number]['id']}", {"subject": "x"})
        before = len(self.control("GET", "mails"))
        self.ok("PATCH", f"events/{series['id']}", {"subject": "y"})
        self.assertEqual(len(self.control("GET", "mails")) - before, 3)
