# SPDX-License-Identifier: Apache-2.0
"""What a vendor's double provides, and the way of a request through it."""

import time
import traceback

from .messages import Answer, Refusal


class Lost(Exception):
    """Ends the connection of a request; `cut` is an answer that is sent by half."""

    def __init__(self, cut=None):
        """Without `cut` nothing is sent."""
        super().__init__("connection closed")
        self.cut = cut


class Vendor:
    """Base of a vendor's double.

    A subclass gives `quirks`, `make_state`, `answer`, `error`, `expire`; for batches `is_batch` and
    `batch`. All methods but `make_state` and `before` are called with the account's lock held.
    """

    quirks = {}  # name → what it does, and its source

    def make_state(self, name):
        """The state of a new account."""
        raise NotImplementedError

    def authorize(self, account, scopes, request):
        """Raises Refusal if the scopes (none: all) do not permit the request."""

    def answer(self, account, request):
        """Does a request that is no batch, and returns its Answer or raises Refusal."""
        raise NotImplementedError

    def error(self, status):
        """The vendor's usual Answer for a status, for faults and for broken tokens."""
        return Answer(status, {"error": {"code": status}})

    def expire(self, account):
        """Makes all sync tokens given so far invalid."""

    def restored(self, account):
        """Called after a snapshot is put back; versions and tokens made since may be known to clients."""

    def before(self, account, request):
        """An Answer that replaces all else, as a throttle's; called without the lock."""

    def is_batch(self, request):
        """Whether a request is a batch."""
        return False

    def batch(self, account, request, dispatch):
        """Answers a batch; `dispatch(part)` does a part, a Request with `in_batch`."""
        raise NotImplementedError

    def check(self, account, request, answer):
        """Records violations of the contract by an answer."""

    def extra_control(self, account, name, method, body):
        """The value of a further control address, or none if there is no such address."""


class Dispatcher:
    """Leads requests through log, faults, authorization and the vendor."""

    def __init__(self, vendor, accounts):
        """The vendor and its accounts."""
        self.vendor = vendor
        self.accounts = accounts

    def handle(self, request):
        """Answers a whole request; raises Lost if the connection is to be closed."""
        name, scopes, valid = read_token(request.bearer())
        account = self.accounts.get(name)
        with account.count_lock:
            account.in_flight += 1
        try:
            return self._whole(account, request, scopes if valid else False)
        finally:
            with account.count_lock:
                account.in_flight -= 1

    def _whole(self, account, request, scopes):
        """Does a request with its fault."""
        action = self._plan(account, request)
        if "drop" in action:
            with account.lock:
                account.record(request, None, "drop")
            raise Lost()
        early = self.vendor.before(account, request)
        with account.lock:
            if early is not None:
                account.record(request, early.status)
                return early
            entry = len(account.log)
            lost = []
            answer = self._do(account, request, (scopes, action, lost))
            if self.vendor.is_batch(request):
                account.log.insert(entry, account.log.pop())
        if "lose" in action or "lose" in lost:
            raise Lost()
        if "cut" in action or "cut" in lost:
            raise Lost(answer)
        return answer

    def _plan(self, account, request):
        """The fault's action for a request, after its delay."""
        target = request.path
        if request.query:
            target += "?" + "&".join(f"{name}={value}" for name, value in request.query)
        with account.lock:
            action = account.faults.action(request.method, target) or {}
        if action.get("wait"):
            time.sleep(action["wait"])
        return action

    def _do(self, account, request, context):
        """Answers a request and logs it; `context` is scopes, action and what parts lost."""
        scopes, action, lost = context
        if "status" in action:
            answer = self._planned(action)
            account.record(request, answer.status, "status")
            return answer
        try:
            answer = self._permitted(account, request, scopes, lost)
        except Refusal as refusal:
            if refusal.violation:
                account.violate(request, refusal.violation)
            answer = refusal.answer
        except Lost:
            account.record(request, None, "drop")
            raise
        except Exception:
            # A test that tries again after 500 would not see a defect of the double otherwise.
            account.violate(request, traceback.format_exc(), "answer")
            answer = self.vendor.error(500)
        account.record(request, answer.status, next((x for x in ("lose", "cut") if x in action), None))
        self.vendor.check(account, request, answer)
        return answer

    def _permitted(self, account, request, scopes, lost):
        """Answers a request if its token is valid and permits it."""
        if scopes is False:
            raise Refusal(self.vendor.error(401))
        if not self.vendor.is_batch(request) or request.in_batch:
            self.vendor.authorize(account, scopes, request)
            return self.vendor.answer(account, request)

        def dispatch(part):
            """Does a part of the batch."""
            action = self._plan(account, part)
            if "drop" in action:
                account.record(part, None, "drop")
                raise Lost()
            lost.extend(name for name in ("lose", "cut") if name in action)
            _, part_scopes, valid = read_token(part.bearer())
            return self._do(account, part, (part_scopes if valid else False, action, lost))

        return self.vendor.batch(account, request, dispatch)

    def _planned(self, action):
        """The answer of a fault with a status."""
        usual = self.vendor.error(action["status"])
        body = action["body"] if "body" in action else usual.body
        return Answer(action["status"], body, {**usual.headers, **(action.get("headers") or {})})


def read_token(token):
    """The account, the scopes (none: all) and whether the token is valid.

    `ACCOUNT`, `ACCOUNT.SCOPE+SCOPE`; `expired` and `ACCOUNT.expired` are invalid.
    """
    if not token:
        return "nobody", None, False
    name, _, scopes = token.partition(".")
    if name == "expired" or scopes == "expired":
        return name, None, False
    return name, set(scopes.split("+")) if scopes else None, True
