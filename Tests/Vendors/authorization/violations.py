# SPDX-License-Identifier: Apache-2.0
"""The rules that a client breaks without an error from the server. Tests expect that none is broken.

Authlib rejects what must not work. These rules are about what works and must not be done.
"""

from exchange import FORM_TYPE

SECRETS = ("client_secret", "code", "code_verifier", "refresh_token", "device_code", "token", "access_token")


def check_form(issuer, request):
    """Notes what is wrong with a request of an endpoint that takes a form."""
    for name in SECRETS:
        if name in request.args:
            issuer.violate(f"{name} in the query (RFC 6749 §2.3.1)")
    if request.method != "POST":
        issuer.violate("not a POST (RFC 6749 §3.2)")
    if request.media_type != FORM_TYPE:
        issuer.violate(f"the body is {request.media_type or 'of no type'} (RFC 6749 §3.2)")
    form = request.form
    for name, values in form.items():
        if len(values) > 1:
            issuer.violate(f"{name} more than once (RFC 6749 §3.2)")
    if request.headers.get("Authorization") and "client_secret" in form:
        issuer.violate("two ways of authentication (RFC 6749 §2.3)")
    for name in ("code", "refresh_token", "device_code", "token"):
        for value in form.get(name, ()):
            _check_home(issuer, request, value, name)


def check_authorization(issuer, request):
    """Notes what is wrong with an authorization request."""
    if request.method != "GET":
        return
    args = request.args
    for name in ("client_secret", "code_verifier", "refresh_token", "access_token"):
        if name in args:
            issuer.violate(f"{name} in an authorization request (RFC 6749 §4.1.1)")
    if "state" not in args:
        issuer.violate("no state (RFC 6749 §4.1.1, §10.12)")
    if "code_challenge" not in args or args.get("code_challenge_method") != ["S256"]:
        issuer.violate("no code challenge with S256 (RFC 9700 §2.1.1)")
    for name in ("state", "code_challenge"):
        for value in args.get(name, ()):
            if (name, value) in issuer.store.seen:
                issuer.violate(f"{name} used before (RFC 9700 §2.1, §2.1.1)")
            issuer.store.seen.add((name, value))


def check_resource(issuer, request):
    """Notes what is wrong with a request for a protected resource."""
    if "access_token" in request.args:
        issuer.violate("access_token in the query (RFC 9700 §4.3.2)", request)
    kind, _, value = (request.headers.get("Authorization") or "").partition(" ")
    if kind.lower() == "bearer":
        _check_home(issuer, request, value.strip(), "access_token")


def _check_home(issuer, request, value, name):
    """Notes a secret that belongs to another issuer or that is of another kind than its place."""
    owner = issuer.owners.get(value, issuer.name)
    if owner != issuer.name:
        issuer.violate(f"{name} of the issuer {owner} (RFC 9700 §2.3, §4.4)", request)
    kind = issuer.store.find(value)
    expected = {"code": ("code",), "device_code": ("device",), "refresh_token": ("refresh",),
                "access_token": ("access",), "token": ("access", "refresh")}[name]
    if kind and kind not in expected:
        issuer.violate(f"a secret of the kind {kind} as {name}", request)
