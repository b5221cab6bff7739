# SPDX-License-Identifier: Apache-2.0
"""Starts doubles of Google Calendar and Microsoft Graph on loopback, with a calendar that is seeded directly.

The doubles are those of Tests/Vendors. Events are seeded by a control address, and read back by the
vendor's own interface, as another program of the user does.
"""

import datetime
import json
import pathlib
import re
import subprocess
import urllib.parse
import urllib.request

from events import event

VENDORS = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/Vendors"
ACCOUNT = "seed"
UTC = datetime.timezone.utc


def fields(text):
    """The properties of an event by their names."""
    lines = text.decode().replace("\r\n ", "").split("\r\n")
    return {name: re.sub(r"\\(.)", r"\1", value) for name, _, value in (x.partition(":") for x in lines)}


def spelled(form, time):
    """A UTC time of an event in the form of a vendor."""
    return datetime.datetime.strptime(time, "%Y%m%dT%H%M%SZ").strftime(form)


def lines(uid, start, end, title, place):
    """What is compared of an event, as lines of iCalendar; times are those of ISO 8601."""
    times = [
        datetime.datetime.fromisoformat(time).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        for time in (start, end)]
    return "\r\n".join([
        f"UID:{uid}", f"DTSTART:{times[0]}", f"DTEND:{times[1]}", f"SUMMARY:{title}",
        f"LOCATION:{place}"]).encode()


class Double:
    """A double of a vendor with one account, whose primary calendar is measured."""

    def __init__(self, kind, programs, folder, items):
        self.kind = kind
        self.process = subprocess.Popen(
            [pathlib.Path(programs) / "python", VENDORS / self.program, "--lifeline"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        words = self.process.stdout.readline().split()
        if not words:
            raise SystemExit(f"the double of {kind} does not start")
        self.port = int(words[1])
        self.control("POST", "events", [self.seed(fields(text)) for text in items.values()])

    def remote(self, address, _):
        """The lines of a configuration that name the account."""
        return f'kind = "{self.kind}"\nurl = "{address}"\ntoken-command = ["echo", "{ACCOUNT}"]'

    def warm(self):
        """Lets the double fill its caches."""
        self.items()

    def edit(self, number, revision):
        """Changes the title of an event, as another program does."""
        wanted = fields(event(number))["SUMMARY"]
        identifier = next(
            name for name, text in self.items().items()
            if re.fullmatch(rf"{wanted}( moved \d+)?", fields(text)["SUMMARY"]))
        self.ask(
            "PATCH", f"{self.events}/{identifier}",
            {self.title: fields(event(number, revision))["SUMMARY"]})

    def note(self, run):
        """Says of a run how many writes took effect, and how many requests the vendor counts.

        The double logs the parts of a batch as requests.
        """
        log = [x for x in self.control("DELETE", "log") if x.get("client") != "person"]
        written = [x for x in log if x["method"] != "GET" and not x["path"].endswith("/$batch")]
        run.writes = sum(x["status"] is not None and x["status"] < 300 for x in written)
        run.counted = len(log)
        for name in ("violations", "mails"):
            if found := self.control("GET", name):
                raise SystemExit(f"wrong answer: {name} at {self.kind}: {json.dumps(found)[:2000]}")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def control(self, method, name, body=None):
        return self.ask(method, f"/-/{ACCOUNT}/{name}", body)

    def ask(self, method, target, body=None, prefer=""):
        """The JSON that a request is answered with."""
        url = urllib.parse.urljoin(f"http://127.0.0.1:{self.port}/", target)
        headers = {
            "Authorization": f"Bearer {ACCOUNT}", "X-Client": "person",
            "Content-Type": "application/json", "Prefer": prefer}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=600) as answer:
            return json.loads(answer.read() or b"null")


class Google(Double):
    """The double of Google Calendar; events have the UIDs of the seed, as after an import."""

    program, path, title = "google/double.py", "/calendar/v3/", "summary"
    events = "/calendar/v3/calendars/primary/events"

    def seed(self, event):
        start, end = (
            {"dateTime": spelled("%Y-%m-%dT%H:%M:%SZ", event[name]), "timeZone": "UTC"}
            for name in ("DTSTART", "DTEND"))
        return {"event": {
            "iCalUID": event["UID"], "summary": event["SUMMARY"], "location": event["LOCATION"],
            "description": event["DESCRIPTION"], "start": start, "end": end}}

    def items(self):
        """What the calendar holds, by the ids of events."""
        found, target = {}, f"{self.events}?maxResults=2500"
        while target:
            page = self.ask("GET", target)
            for event in page["items"]:
                own = event.get("extendedProperties", {}).get("private", {})
                found[event["id"]] = lines(
                    own.get("epact-uid", event["iCalUID"]), event["start"]["dateTime"],
                    event["end"]["dateTime"], event["summary"], event["location"])
            token = page.get("nextPageToken")
            target = token and f"{self.events}?maxResults=2500&pageToken={urllib.parse.quote(token)}"
        return found


class Graph(Double):
    """The double of Microsoft Graph, which gives each event a UID."""

    program, path, title = "graph", "/v1.0/", "subject"
    events = "/v1.0/me/events"
    # The extended property with the UID of an event that epact added.
    uid = "String {8ec3f0a4-2b7d-4c56-9a1e-5d0e7c3b9f21} Name epact-uid"

    def seed(self, event):
        start, end = (
            {"dateTime": spelled("%Y-%m-%dT%H:%M:%S", event[name]), "timeZone": "UTC"}
            for name in ("DTSTART", "DTEND"))
        return {
            "subject": event["SUMMARY"], "location": {"displayName": event["LOCATION"]},
            "body": {"contentType": "text", "content": event["DESCRIPTION"]}, "start": start,
            "end": end}

    def items(self):
        """What the calendar holds, by the ids of events."""
        own = urllib.parse.quote(f"singleValueExtendedProperties($filter=id eq '{self.uid}')")
        found, target = {}, f"{self.events}?$top=1000&$expand={own}"
        while target:
            page = self.ask("GET", target, prefer='IdType="ImmutableId", outlook.timezone="UTC"')
            for event in page["value"]:
                own = event.get("singleValueExtendedProperties", [{"value": event["iCalUId"]}])
                start, end = (f"{event[name]['dateTime'][:19]}+00:00" for name in ("start", "end"))
                found[event["id"]] = lines(
                    own[0]["value"], start, end, event["subject"], event["location"]["displayName"])
            target = page.get("@odata.nextLink")
        return found


KINDS = {"google": Google, "graph": Graph}
