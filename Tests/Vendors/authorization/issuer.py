# SPDX-License-Identifier: Apache-2.0
"""One issuer: its settings, store, log, faults and clock. Issuers share nothing."""

import copy
import threading
import time

from exchange import Answer
from faults import status_answer
from grants import Server, clients
from settings import DEFAULTS
from storage import Consent, Store, new_secret

SECRET_FIELDS = ("code", "code_verifier", "refresh_token", "client_secret", "device_code", "token")


class Issuer:
    """The state of one issuer."""

    def __init__(self, name, base, owners):
        """Starts with the default settings. `base` is this program's address, `owners` names the issuer of secrets."""
        self.name = name
        self.base = base
        self.owners = owners
        self.address = f"{base}/{name}"
        self.lock = threading.RLock()
        self.settings = copy.deepcopy(DEFAULTS)
        self.store = Store()
        self.faults = []
        self.log = []
        self.violations = []
        self.advance = 0.0
        self._clients = clients(self.settings)
        self.server = Server(self)
        self._request = None

    def reset_settings(self):
        """Restores the default settings."""
        self.settings.update(copy.deepcopy(DEFAULTS))

    def now(self):
        """The time of the issuer in seconds."""
        return time.time() + self.advance

    def shown_time(self):
        """The time in the Date header: as if the clock of the client were right and this one were wrong."""
        return self.now() + self.settings["clock-offset"]

    def client(self, client_id):
        """The client with this identifier, or None."""
        return self._clients.get(client_id)

    def new_secret(self, prefix, length):
        """A new random value, which is kept among the secrets."""
        value = new_secret(prefix, length, self.settings["awkward-tokens"] and prefix != "at.")
        self.own(value)
        return value

    def own(self, value):
        """Keeps a new secret, so that it is found at another issuer."""
        self.store.secrets.append(value)
        self.owners[value] = self.name

    def violate(self, reason, request=None):
        """Notes a violation of the contract by a request."""
        request = request or self._request
        self.violations.append({"method": request.method, "path": request.path, "reason": reason})

    def granted(self, scope):
        """The part of a scope that the user grants."""
        limit = self.settings["granted-scope"]
        return scope if limit is None else " ".join(one for one in scope.split() if one in limit)

    def new_consent(self, client_id, scope, data):
        """Stores a decision of the user for the client; `data` is the authorization request."""
        first = all(one.client_id != client_id or one.revoked for one in self.store.consents)
        rule, granted = self.settings["refresh-token"], self.granted(scope)
        offline = {
            "always": True, "never": False, "offline-access": "offline_access" in granted.split(),
            "access-type-offline": data.get("access_type") == "offline"
            and (first or "consent" in data.get("prompt", "").split()),
        }[rule]
        consent = Consent(client_id, scope, granted, self.now(), offline)
        self.store.consents.append(consent)
        return consent

    def decide_device(self, device, approved):
        """Stores the decision of the user about a device."""
        device.approved = approved
        if approved:
            device.consent = self.new_consent(device.client_id, device.scope, {"access_type": "offline"})

    def fault_for(self, request):
        """The action of the first fault that hits the request, or an empty one."""
        with self.lock:
            return next((fault.do for fault in self.faults if fault.hits(request)), {})

    def exchange(self, request, act):
        """Answers a request by `act`, under the faults, and logs it."""
        do = self.fault_for(request)
        time.sleep(do.get("delay-before", 0))
        if "status" in do:
            answer = status_answer(do)
        elif "drop" in do:
            answer = Answer(0, ending="close")
        else:
            answer = act(request)
        self._note(request, answer, do)
        time.sleep(do.get("delay", 0))
        if "lose" in do:
            answer.ending = "close"
        if "cut" in do:
            answer.ending = "cut"
        return answer

    def locked(self, request, act):
        """Runs `act` alone, so that two requests at once are decided one after the other."""
        with self.lock:
            self._request = request
            return act(request)

    def _note(self, request, answer, do):
        """Puts the request into the log, with all secrets as they were sent."""
        form = request.form
        entry = {
            "method": request.method, "path": request.path, "query": request.query,
            "headers": dict(request.headers.items()), "form": {name: values[0] for name, values in form.items()},
            "body": request.body.decode("utf-8", "replace"), "status": answer.status or None,
        }
        if request.headers.get("X-Client"):
            entry["client"] = request.headers["X-Client"]
        if do:
            entry["fault"] = do
        with self.lock:
            self.log.append(entry)
            self.store.secrets += [form[name][0] for name in SECRET_FIELDS if name in form]
