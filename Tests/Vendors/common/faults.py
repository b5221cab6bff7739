# SPDX-License-Identifier: Apache-2.0
"""Faults that a test plans: which requests they hit, and what happens to these.

A fault is an object
`{"method": "POST"|null, "path": "regex"|null, "skip": n, "count": k, "do": ACTION}`.
The expression is searched in the path with its query. The first `skip` requests that fit pass
unharmed, the next `count` (one if absent, every one if null) are hit. ACTION is one of

- `{"status": 429, "headers": {...}, "body": {...}}`: this answer, and nothing is done. Without
  `body` the vendor's usual error follows; with null nothing does.
- `{"lose": true}`: the request is done, then the connection is closed without an answer.
- `{"drop": true}`: the connection is closed at once; nothing is done.
- `{"cut": true}`: the request is done, half of the answer's body is sent, the connection is closed.

Each may have `"wait": SECONDS`, which delays the request before anything else; alone it does
nothing but delay. In a batch, `lose` and `cut` hit the answer of the whole batch, whose other parts
are done; `drop` ends the batch before the part that it hits.
"""

import re

ACTIONS = {"status", "lose", "drop", "cut", "wait"}


class Fault:
    """A planned fault and how often it has hit."""

    def __init__(self, plan):
        """Raises ValueError if the plan is no fault."""
        unknown = set(plan) - {"method", "path", "skip", "count", "do"}
        if unknown or not isinstance(plan.get("do"), dict) or not ACTIONS & set(plan["do"]):
            raise ValueError(f"no fault: {plan!r}")
        self.method = plan.get("method")
        self.path = re.compile(plan["path"]) if plan.get("path") else None
        self.skip = plan.get("skip") or 0
        self.count = plan.get("count", 1)
        self.action = plan["do"]

    def hits(self, method, target):
        """Whether the fault hits this request; counts the request."""
        if self.method and self.method != method:
            return False
        if self.path and not self.path.search(target):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.count is None:
            return True
        if self.count <= 0:
            return False
        self.count -= 1
        return True

    def rest(self):
        """The fault as a plan for what is left of it."""
        return {
            "method": self.method,
            "path": self.path.pattern if self.path else None,
            "skip": self.skip,
            "count": self.count,
            "do": self.action,
        }


class Faults:
    """The faults of an account, in order; the first that hits counts."""

    def __init__(self):
        """No faults."""
        self.faults = []

    def add(self, plans):
        """Adds planned faults."""
        self.faults += [Fault(plan) for plan in plans]

    def clear(self):
        """Removes all faults."""
        self.faults = []

    def action(self, method, target):
        """The action for a request, or none."""
        for fault in self.faults:
            if fault.hits(method, target):
                return fault.action
        return None

    def rest(self):
        """What is left of the faults."""
        return [fault.rest() for fault in self.faults if fault.count is None or fault.count > 0]
