# SPDX-License-Identifier: Apache-2.0
"""The double of Microsoft Graph as the shared server runs it."""

import datetime

from common.vendor import Vendor

from . import batch, changes, contract, errors, mailbox, parse, query, quirks, routes

READ = {"Calendars.Read", "Calendars.ReadWrite"}
WRITE = {"Calendars.ReadWrite"}
PROFILE = {"User.Read", "User.ReadWrite", "User.ReadBasic.All"}
BATCH = "/v1.0/$batch"


class Graph(Vendor):
    """Microsoft Graph v1.0, its calendars only."""

    quirks = quirks.QUIRKS

    def make_state(self, name):
        """A mailbox with its default calendar."""
        mailbox.COUNTERS.pop(name, None)
        return mailbox.Mailbox(name)

    def authorize(self, account, scopes, request):
        """Refuses a token without the scope that the request needs (docs concepts/permissions-reference)."""
        if scopes is None:
            return
        me = request.path.rstrip("/") == "/v1.0/me"
        needed = PROFILE if me else READ if request.method == "GET" else WRITE
        if not {scope.lower() for scope in needed} & {scope.lower() for scope in scopes}:
            raise errors.fail(
                403,
                "Authorization_RequestDenied" if me else None,
                "Insufficient privileges to complete the operation." if me else None,
            )

    def error(self, status):
        """The usual error of a status."""
        if status == 401:
            return errors.unauthorized()
        headers = {"Retry-After": "1"} if status in (429, 503) else {}
        return errors.error_answer(status, headers=headers)

    def expire(self, account):
        """Makes all tokens of events/delta invalid."""
        account.state.valid_from = account.state.number()

    def before(self, account, request):
        """429 while too many requests are under way."""
        limit = account.quirk("concurrency")
        if limit and account.in_flight > (4 if limit is True else limit):
            return self.error(429)
        return None

    def is_batch(self, request):
        """Whether a request is a batch."""
        return request.path.replace("%24", "$") == BATCH and not request.in_batch

    def batch(self, account, request, dispatch):
        """Answers a batch."""
        if request.method != "POST":
            raise errors.fail(405)
        _check_content_type(request)
        return batch.answer(account, request, dispatch)

    def answer(self, account, request):
        """Answers a request."""
        if account.quirk("demand-immutable-ids"):
            if query.preferences(request).get("idtype", "").lower() != "immutableid":
                raise errors.violation('Prefer: IdType="ImmutableId" is missing')
        if request.method in ("POST", "PATCH"):
            _check_content_type(request)
        return routes.answer(account, request)

    def check(self, account, request, answer):
        """Records violations by an answer of the double."""
        kind = getattr(answer, "schema", None)
        if kind is None:
            return
        for fault in contract.answer_faults(kind, answer.body, account.quirk("beta-properties")):
            account.violate(request, fault, "answer")

    def extra_control(self, account, name, method, body):
        """POST events ← a list of events of the user that are there at once, each as a client posts it.

        POST received ← an event with `organizer` {name, address}: an invitation by somebody else.
        With `occurrences`, the days of the only occurrences of the series that the user is invited to.
        No document says how the service shows them; here they are exceptions whose master is not there.
        """
        if name == "events" and method == "POST":
            calendar = account.state.default_calendar()
            for event in body:
                parse.check_body("event", event, "create")
            return {"keys": [changes.create(account, calendar, event).key for event in body]}
        if name == "received" and method == "POST":
            organizer, days = body.pop("organizer"), body.pop("occurrences", [])
            parse.check_body("event", body, "create")
            calendar = account.state.default_calendar()
            event = changes.create(account, calendar, body, organizer)
            if days:
                event.hidden = True
                event.exceptions = {datetime.date.fromisoformat(day): {} for day in days}
                account.state.changed(event, list(event.exceptions))
            return {"key": event.key}
        return None


def _check_content_type(request):
    """Refuses a body that is not declared as JSON."""
    if request.header("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise errors.violation("Content-Type must be application/json")
