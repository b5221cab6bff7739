# SPDX-License-Identifier: Apache-2.0
"""The addresses `/-/ISSUER/…` by which a test controls an issuer. They ask for no authorization and are not logged."""

from exchange import json_answer
from faults import Fault
from settings import merged


def log(issuer, request):
    """The requests since the start; DELETE empties the list."""
    if request.method == "DELETE":
        issuer.log.clear()
    return json_answer(issuer.log)


def violations(issuer, request):
    """The violations of the contract; DELETE empties the list."""
    if request.method == "DELETE":
        issuer.violations.clear()
    return json_answer(issuer.violations)


def faults(issuer, request):
    """The faults that are set; POST replaces them, DELETE removes them."""
    if request.method == "POST":
        issuer.faults[:] = [Fault(one) for one in request.json()]
    elif request.method == "DELETE":
        issuer.faults.clear()
    return json_answer([{**one.description, "skip": one.skip, "count": one.count} for one in issuer.faults])


def settings(issuer, request):
    """The settings; POST changes those that it names, DELETE restores the defaults."""
    if request.method == "POST":
        issuer.settings.update(merged(issuer.settings, request.json()))
    elif request.method == "DELETE":
        issuer.reset_settings()
    return json_answer(issuer.settings)


def decide(issuer, request):
    """Sets the decision of the user, by `?decide=` or as JSON."""
    value = (request.args.get("decide") or [None])[0] or (request.json() or {}).get("decide")
    if value is not None:
        issuer.settings.update(merged(issuer.settings, {"decide": value}))
    return json_answer({"decide": issuer.settings["decide"]})


def revoke_all(issuer, request):
    """Ends all consents: each token and code is invalid from now on."""
    for consent in issuer.store.consents:
        consent.revoked = True
    return json_answer({"revoked": len(issuer.store.consents)})


def expire(issuer, request):
    """Ends all access tokens. Refresh tokens stay valid."""
    for token in issuer.store.tokens.values():
        token.revoked = token.revoked or token.kind == "access"
    return json_answer({})


def advance(issuer, request):
    """Moves the clock of the issuer on by `seconds`, for lifetimes that a test cannot wait for."""
    issuer.advance += float(request.json()["seconds"])
    return json_answer({"advance": issuer.advance})


def secrets(issuer, request):
    """Every secret that was issued or received, so that a test can search for them where they must not be."""
    return json_answer(sorted(set(issuer.store.secrets)))


ADDRESSES = {
    "log": (log, {"GET", "DELETE"}), "violations": (violations, {"GET", "DELETE"}),
    "faults": (faults, {"GET", "POST", "DELETE"}), "settings": (settings, {"GET", "POST", "DELETE"}),
    "quirks": (settings, {"GET", "POST", "DELETE"}), "decide": (decide, {"GET", "POST"}),
    "revoke-all": (revoke_all, {"POST"}), "expire": (expire, {"POST"}), "advance": (advance, {"POST"}),
    "secrets": (secrets, {"GET"}),
}


def answer(issuer, request, name):
    """The answer of one control address."""
    act, methods = ADDRESSES.get(name, (None, ()))
    if act is None:
        return json_answer({"error": f"there is no {name}"}, 404)
    if request.method not in methods:
        return json_answer({"error": "method not allowed"}, 405, [("Allow", ", ".join(sorted(methods)))])
    try:
        return issuer.locked(request, lambda one: act(issuer, one))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return json_answer({"error": str(error)}, 400)
