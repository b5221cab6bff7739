# SPDX-License-Identifier: Apache-2.0
"""What the checks of client.py need: the double as a process, its control addresses, the vendor's client."""

import json
import pathlib
import subprocess
import sys
import urllib.request

import google.oauth2.credentials
import googleapiclient.discovery
import googleapiclient.errors

from contract import read_document


class Double:
    """The double as a process that ends with this one."""

    def __init__(self):
        """Starts it."""
        program = pathlib.Path(__file__).resolve().parent / "double.py"
        self.process = subprocess.Popen(
            [sys.executable, program, "--lifeline"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.root = f"http://127.0.0.1:{int(self.process.stdout.readline().split()[1])}/"

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()

    def control(self, account, name, body=None, method=None):
        """Asks a control address: GET without a body, else POST."""
        data = None if body is None else json.dumps(body).encode()
        method = method or ("GET" if body is None else "POST")
        request = urllib.request.Request(f"{self.root}-/{account}/{name}", data, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def service(self, token):
        """The vendor's client for a token, by the vendor's document with another root."""
        document = read_document()
        document["rootUrl"] = self.root
        document["baseUrl"] = self.root + document["servicePath"]
        credentials = google.oauth2.credentials.Credentials(token=token)
        return googleapiclient.discovery.build_from_document(document, credentials=credentials)


class Checks:
    """Counts checks; the first that fails ends the program."""

    def __init__(self):
        """None so far."""
        self.count = 0

    def equal(self, found, expected, what):
        """Checks that two values are the same."""
        self.count += 1
        if found != expected:
            raise SystemExit(f"error: {what}: found {found!r}, expected {expected!r}")

    def true(self, value, what):
        """Checks that something holds."""
        self.equal(bool(value), True, what)

    def fails(self, request, status, reason, what):
        """Checks that a request is answered with an error; returns its headers."""
        self.count += 1
        try:
            found = request.execute()
        except googleapiclient.errors.HttpError as error:
            details = json.loads(error.content)["error"]
            given = details["errors"][0]["reason"]
            if error.resp.status == status and given == reason and details["code"] == status:
                return error.resp
            raise SystemExit(f"error: {what}: found {error.resp.status} {given}, expected {status} {reason}")
        raise SystemExit(f"error: {what}: found {found!r}, expected {status} {reason}")


def timed(day, hour=10, **more):
    """The body of an event of an hour in a zone."""
    return {
        "summary": f"Event {day}",
        "start": {"dateTime": f"{day}T{hour:02}:00:00", "timeZone": "Europe/Zurich"},
        "end": {"dateTime": f"{day}T{hour + 1:02}:00:00", "timeZone": "Europe/Zurich"},
        **more,
    }


def listed(events, **parameters):
    """All items of a listing, by all of its pages, and the sync token."""
    items = []
    request = events.list(**parameters)
    while request is not None:
        page = request.execute()
        items += page["items"]
        request = events.list_next(request, page)
    return items, page.get("nextSyncToken")
