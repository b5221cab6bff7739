# SPDX-License-Identifier: Apache-2.0
"""Faults that hit requests: answers that come from nowhere, late, in half or never."""

import json
import re

from exchange import Answer

ACTIONS = {"status", "headers", "body", "lose", "drop", "cut", "delay", "delay-before"}


class Fault:
    """One fault: what it hits, how often, and what it does."""

    def __init__(self, description):
        """Reads the JSON form; raises ValueError for an unknown key."""
        unknown = set(description) - {"method", "path", "form", "skip", "count", "do"}
        unknown |= set(description.get("do") or {}) - ACTIONS
        if unknown or not description.get("do"):
            raise ValueError(f"unknown or missing in a fault: {sorted(unknown) or 'do'}")
        self.description = description
        self.method = description.get("method")
        self.path = re.compile(description.get("path") or "")
        self.form = re.compile(description.get("form") or "")
        self.skip = description.get("skip", 0)
        self.count = description.get("count", 1)
        self.do = description["do"]

    def hits(self, request):
        """Whether the fault hits the request. Counts it."""
        if self.method not in (None, request.method) or not self.path.search(request.path):
            return False
        if self.count == 0 or not self.form.search(request.body.decode("utf-8", "replace")):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.count -= 1
        return True


def status_answer(do):
    """The answer that a fault gives in place of the server."""
    body = do.get("body")
    headers = dict(do.get("headers") or {})
    if isinstance(body, (dict, list)):
        headers.setdefault("Content-Type", "application/json")
        body = json.dumps(body)
    return Answer(do["status"], list(headers.items()), (body or "").encode())
