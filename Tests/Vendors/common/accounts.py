# SPDX-License-Identifier: Apache-2.0
"""Accounts, each apart from the others and made on its first use."""

import functools
import json
import pickle
import threading
import urllib.parse

from .faults import Faults


class Account:
    """The state of an account and what a test may plan for it and read of it."""

    def __init__(self, name, state):
        """`state` is the vendor's own, and can be pickled."""
        self.name = name
        self.state = state
        self.lock = threading.RLock()
        self.log = []
        self.faults = Faults()
        self.quirks = {}
        self.violations = []
        self.mails = []
        self.saved = None
        self.in_flight = 0  # requests under way, those that wait for the lock among them
        self.count_lock = threading.Lock()

    def quirk(self, name):
        """The value of a quirk, false if it is off."""
        return self.quirks.get(name, False)

    def snapshot(self):
        """Stores the vendor's state."""
        self.saved = pickle.dumps(self.state)

    def restore(self):
        """Puts the stored state back; raises ValueError if there is none."""
        if self.saved is None:
            raise ValueError("no snapshot")
        self.state = pickle.loads(self.saved)

    def violate(self, request, reason, side="request"):
        """Records a violation of the contract by a request or by the answer to it."""
        self.violations.append(
            {
                "method": request.method,
                "path": request.path,
                "query": _query(request),
                "body": _readable(request.body),
                "side": side,
                "reason": reason,
            }
        )

    def record(self, request, status, fault=None):
        """Adds a request to the log."""
        entry = {
            "method": request.method,
            "path": request.path,
            "query": _query(request),
            "headers": request.headers,
            "body": _readable(request.body),
            "status": status,
        }
        if request.in_batch:
            entry["in-batch"] = True
        if request.header("x-client"):
            entry["client"] = request.header("x-client")
        if fault:
            entry["fault"] = fault
        self.log.append(entry)


def _query(request):
    """The query as it would be written."""
    return _written(tuple(request.query))


@functools.lru_cache(maxsize=1024)
def _written(pairs):
    """The text of a query; the parts of batches have the same one."""
    return urllib.parse.urlencode(pairs)


def _readable(body):
    """The body as JSON, else as text."""
    if not body:
        return None
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


class Accounts:
    """All accounts of a double."""

    def __init__(self, make_state):
        """`make_state` makes the vendor's state for an account's name."""
        self.make_state = make_state
        self.lock = threading.Lock()
        self.accounts = {}

    def get(self, name):
        """The account with a name."""
        with self.lock:
            account = self.accounts.get(name)
            if account is None:
                account = self.accounts[name] = Account(name, self.make_state(name))
            return account

    def forget(self, name):
        """Removes an account with all its state."""
        with self.lock:
            self.accounts.pop(name, None)
