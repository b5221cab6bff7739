# SPDX-License-Identifier: Apache-2.0
"""Control addresses, `/-/ACCOUNT/NAME`, by which a test plans faults and reads what happened.

GET|DELETE log, GET|DELETE violations, GET|DELETE mails, GET|POST|DELETE faults,
GET|POST|DELETE quirks, POST expire, POST snapshot, POST restore; DELETE `/-/ACCOUNT` forgets an
account; GET `/-/quirks` describes all quirks.
"""

from .messages import Answer

LISTS = ("log", "violations", "mails")


class Control:
    """Answers requests to control addresses."""

    def __init__(self, vendor, accounts):
        """The vendor and its accounts."""
        self.vendor = vendor
        self.accounts = accounts

    def answer(self, request):
        """The answer to a request whose path begins with `/-/`."""
        parts = request.segments()[1:]
        if parts == ["quirks"]:
            return Answer(200, self.vendor.quirks)
        if len(parts) == 1 and request.method == "DELETE":
            self.accounts.forget(parts[0])
            return Answer(200, {})
        if len(parts) != 2:
            return Answer(404, {"error": "no such control address"})
        account = self.accounts.get(parts[0])
        try:
            body = request.json() if request.body else None
            with account.lock:
                value = self._control(account, parts[1], request.method, body)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return Answer(400, {"error": str(error)})
        if value is None:
            return Answer(404, {"error": "no such control address"})
        return Answer(200, value)

    def _control(self, account, name, method, body):
        """The value of a control address, or none if there is none."""
        if name in LISTS and method in ("GET", "DELETE"):
            return self._list(getattr(account, name), method)
        if name == "faults":
            return self._faults(account, method, body)
        if name == "quirks":
            return self._quirks(account, method, body)
        if method == "POST" and name == "expire":
            self.vendor.expire(account)
            return {}
        if method == "POST" and name in ("snapshot", "restore"):
            getattr(account, name)()
            if name == "restore":
                self.vendor.restored(account)
            return {}
        return self.vendor.extra_control(account, name, method, body)

    def _list(self, entries, method):
        """A list; DELETE empties it and returns what was in it."""
        found = list(entries)
        if method == "DELETE":
            entries.clear()
        return found

    def _faults(self, account, method, body):
        """Plans, shows and removes faults."""
        if method == "POST":
            account.faults.add(body)
        elif method == "DELETE":
            account.faults.clear()
        return account.faults.rest()

    def _quirks(self, account, method, body):
        """Sets, shows and removes quirks."""
        if method == "POST":
            unknown = set(body) - set(self.vendor.quirks)
            if unknown:
                raise ValueError(f"no such quirk: {', '.join(sorted(unknown))}")
            account.quirks.update(body)
        elif method == "DELETE":
            account.quirks.clear()
        return account.quirks
