# SPDX-License-Identifier: Apache-2.0
"""All issuers of the program, and which of them answers an address."""

import re
import threading

import control
from endpoints import ENDPOINTS
from exchange import json_answer
from issuer import Issuer
from metadata import authorization_server, openid_configuration, protected_resource
from protected import check, proxy

NAME = r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)"
ROUTES = [(re.compile(pattern), kind) for pattern, kind in (
    (rf"/-/{NAME}/check", "check"),
    (rf"/-/{NAME}(?:/(?P<rest>[a-z-]+))?", "control"),
    (rf"/dav/{NAME}(?:/.*)?", "dav"),
    (rf"/\.well-known/oauth-authorization-server/{NAME}", "metadata"),
    # OpenID Connect Discovery §4 puts the suffix after the issuer; RFC 8414 §5 permits it before, too.
    (rf"/\.well-known/openid-configuration/{NAME}", "openid"),
    (rf"/{NAME}/\.well-known/openid-configuration", "openid"),
    (rf"/\.well-known/oauth-protected-resource(?P<rest>/(?:dav/|-/)?{NAME}(?:/.*)?)", "resource"),
    (rf"/{NAME}/jwks", "keys"),
    (rf"/{NAME}/(?P<rest>[a-z]+)", "endpoint"),
)]


class World:
    """The issuers by name."""

    def __init__(self, base):
        """`base` is the address of the program, without a slash at the end."""
        self.base = base
        self._issuers = {}
        # The name of the issuer of each code and token.
        self._owners = {}
        self._lock = threading.Lock()

    def issuer(self, name):
        """The issuer with this name, made at its first use."""
        with self._lock:
            if name not in self._issuers:
                self._issuers[name] = Issuer(name, self.base, self._owners)
            return self._issuers[name]

    def forget(self, name):
        """Removes an issuer with all it has issued."""
        with self._lock:
            self._issuers.pop(name, None)

    def answer(self, request):
        """Answers a request."""
        for pattern, kind in ROUTES:
            match = pattern.fullmatch(request.path)
            if match:
                return self._answer(request, kind, match)
        return json_answer({"error": "not found"}, 404)

    def _answer(self, request, kind, match):
        """Answers a request of one kind."""
        name, rest = match["name"], match.groupdict().get("rest")
        issuer = self.issuer(name)
        if kind == "control":
            if rest is None and request.method == "DELETE":
                self.forget(name)
                return json_answer({})
            return control.answer(issuer, request, rest)
        if kind == "endpoint" and rest not in ENDPOINTS:
            return json_answer({"error": "not found"}, 404)
        if kind == "dav":
            return issuer.exchange(request, lambda one: proxy(issuer, one))
        act = {
            "check": lambda one: check(issuer, one),
            "metadata": lambda one: authorization_server(issuer),
            "openid": lambda one: openid_configuration(issuer),
            "resource": lambda one: protected_resource(issuer, rest),
            "keys": lambda one: json_answer({"keys": []}),
            "endpoint": lambda one: ENDPOINTS[rest](issuer, one),
        }[kind]
        return issuer.exchange(request, lambda one: issuer.locked(one, act))

    def shown_time(self, request):
        """The time of the Date header for a request, or None for the true one."""
        for pattern, kind in ROUTES:
            match = pattern.fullmatch(request.path)
            if match:
                return self.issuer(match["name"]).shown_time()
        return None
