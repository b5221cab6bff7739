# SPDX-License-Identifier: Apache-2.0
"""Google Calendar's REST API v3 as a double: authorization, methods, batches and checks."""

import copy
import time

import calendars
import events
import listing
import multipart
import partial
import times
from call import Call
from common.messages import Answer, Refusal
from common.vendor import Vendor
from contract import Contract, read_document
from errors import error_answer, forbidden, invalid, missing_scope, usual_answer
from quirks import QUIRKS
from render import build
from state import Event, State

METHODS = {
    "calendarList.delete": calendars.delete_entry,
    "calendarList.get": calendars.get_entry,
    "calendarList.insert": calendars.insert_entry,
    "calendarList.list": calendars.list_entries,
    "calendarList.patch": calendars.change_entry,
    "calendarList.update": calendars.change_entry,
    "calendars.clear": calendars.clear,
    "calendars.delete": calendars.delete,
    "calendars.get": calendars.get,
    "calendars.insert": calendars.insert,
    "calendars.patch": calendars.change,
    "calendars.update": calendars.change,
    "colors.get": calendars.colors,
    "events.delete": events.delete,
    "events.get": events.get,
    "events.import": events.import_event,
    "events.insert": events.insert,
    "events.instances": listing.list_instances,
    "events.list": listing.list_events,
    "events.move": events.move,
    "events.patch": events.change,
    "events.update": events.change,
}


class Google(Vendor):
    """The double; its contract is the discovery document."""

    quirks = QUIRKS

    def __init__(self):
        """Reads the contract."""
        self.contract = Contract(read_document())
        self.expired = {}  # account's name → lineage whose tokens, and earlier ones, do not hold

    def make_state(self, name):
        """The state of a new account."""
        return State(name)

    def error(self, status):
        """The usual error for a status."""
        return usual_answer(status)

    def authorize(self, account, scopes, request):
        """Raises Refusal unless a scope of the token permits the method, within the quota."""
        self._count(account)
        method, path = self.contract.find(request)
        if method is None or scopes is None:
            return
        short = {scope.rpartition("/auth/")[2] for scope in scopes}
        if not short & set(method.scopes):
            raise missing_scope(method.scopes)
        # "Make secondary Google calendars, and see, create, change, and delete events on them".
        if short & set(method.scopes) == {"calendar.app.created"} and "calendarId" in path:
            if path["calendarId"] in ("primary", account.state.email):
                raise missing_scope([scope for scope in method.scopes if scope != "calendar.app.created"])

    def _count(self, account):
        """Counts a request for the quota; raises Refusal beyond it."""
        most = account.quirk("quota-per-minute")
        if not most:
            return
        now = time.monotonic()
        recent = account.state.requests = [t for t in account.state.requests if t > now - 60]
        if len(recent) >= most:
            if account.quirk("quota-status") == 429:
                raise Refusal(usual_answer(429))
            raise forbidden("userRateLimitExceeded", "User Rate Limit Exceeded", "usageLimits")
        recent.append(now)

    def answer(self, account, request):
        """Calls a method after checks of its parameters and body."""
        method, path = self.contract.find(request)
        if method is None or method.name not in METHODS:
            name = method.name if method else "no method of the API"
            raise Refusal(usual_answer(404), f"{request.method} {request.path}: {name} is not in the double")
        reasons = self.contract.check_query(method, request)
        body = self._body(method, request, reasons)
        if reasons:
            raise invalid("invalid", "; ".join(reasons))
        mask = partial.parse(request.value("fields")) if request.value("fields") else None
        expired = self.expired.get(account.name, 0)
        call = Call(account, account.state, request, method, path, body, expired)
        answer = METHODS[method.name](call)
        if mask and answer.body is not None:
            self._check(account, request, method, answer)
            answer = Answer(answer.status, partial.apply(mask, answer.body), answer.headers)
        return answer

    def _body(self, method, request, reasons):
        """The body as JSON; adds reasons why it breaks the contract."""
        body = None
        if request.body:
            kind = request.header("content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                reasons.append(f"body: Content-Type {kind!r} is not application/json")
            try:
                body = request.json()
            except ValueError as error:
                reasons.append(f"body: {error}")
                return None
        reasons += self.contract.check_body(method, body)
        return body

    def check(self, account, request, answer):
        """Records violations by a whole answer."""
        if self.is_batch(request) or answer.status == 304 or answer.status >= 400:
            return
        method, _ = self.contract.find(request)
        if method is not None and not request.value("fields"):
            self._check(account, request, method, answer)

    def _check(self, account, request, method, answer):
        """Records violations by the answer to a method."""
        for reason in self.contract.check_answer(method, answer.body):
            account.violate(request, reason, "answer")

    def is_batch(self, request):
        """Whether a request goes to the batch address."""
        return request.method == "POST" and request.path == self.contract.batch_path

    def batch(self, account, request, dispatch):
        """Does the parts of a batch."""
        parts = multipart.read(request)
        most = account.quirk("batch-limit") or 50
        if len(parts) > most:
            raise invalid("badRequest", f"The batch has {len(parts)} parts, more than {most}.")
        answers = {}
        order = list(range(len(parts)))
        if account.quirk("batch-order") == "reversed":
            order.reverse()
        for place in order:
            part = parts[place][1]
            answers[place] = dispatch(part)
        return multipart.write([(parts[n][0], answers[n]) for n in range(len(parts))])

    def expire(self, account):
        """Makes all page and sync tokens given so far invalid."""
        self.expired[account.name] = account.state.lineage
        account.state.restored()

    def restored(self, account):
        """Begins new versions after a snapshot was put back."""
        account.state.restored()

    def extra_control(self, account, name, method, body):
        """POST events: Google itself puts an event there, or many. POST purge: deleted events disappear.

        POST calendars: sets the role of the user on a calendar. GET state: calendars and events.
        """
        if method == "POST" and name == "events":
            if isinstance(body, list):
                return [self._put(account, one) for one in body]
            return self._put(account, body)
        if method == "POST" and name == "purge":
            return self._purge(account)
        if method == "POST" and name == "calendars":
            account.state.calendar(body["id"]).role = body["role"]
            return {}
        if method == "GET" and name == "state":
            return {
                calendar.id: [
                    dict(build(account.state, event, account, calendar.zone))
                    for event in calendar.events.values()
                ]
                for calendar in account.state.calendars.values()
                if not calendar.deleted
            }
        return None

    def _put(self, account, body):
        """Puts an event on a calendar whatever a client may set, as `fromGmail` or another's invitation.

        With `recurringEventId` it is an occurrence of a series that the user was not invited to.
        """
        calendar = account.state.calendar(body.get("calendar", "primary"))
        given = copy.deepcopy(body["event"])
        now = account.state.now()
        data = {"id": account.state.new_id(), "status": "confirmed", "eventType": "default", "sequence": 0}
        data.update(created=now, updated=now, reminders={"useDefault": True}, **given)
        for field in ("start", "end", "originalStartTime"):
            if field in data:
                data[field] = times.normalize(data[field], field, None, bool(data.get("recurrence")))
        data.setdefault("iCalUID", f"{data['id']}@google.com")
        data.setdefault("organizer", {"email": account.state.email, "self": True})
        data.setdefault("creator", dict(data["organizer"]))
        revision = account.state.tick()
        event = Event(data, revision, revision, account.state.next_order())
        calendar.events[data["id"]] = event
        calendar.used_ids.add(data["id"])
        return dict(build(account.state, event, account, calendar.zone))

    def _purge(self, account):
        """Removes deleted events for good, and with them all tokens ("will eventually disappear")."""
        for calendar in account.state.calendars.values():
            for event in list(calendar.events.values()):
                master = calendar.events.get(event.data.get("recurringEventId"))
                if event.cancelled and (master is None or master.cancelled):
                    del calendar.events[event.data["id"]]
        self.expire(account)
        return {}
