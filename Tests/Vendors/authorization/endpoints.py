# SPDX-License-Identifier: Apache-2.0
"""The endpoints of an issuer: what surrounds Authlib's decisions, and the settings that change its answers."""

import json

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error

import errors
import pages
from exchange import Answer, AuthlibRequest, json_answer
from storage import USER
from violations import check_authorization, check_form


def authorize(issuer, request):
    """The authorization endpoint (RFC 6749 §3.1): the page, and the redirect after the decision."""
    check_authorization(issuer, request)
    oauth_request = AuthlibRequest(request, from_query=True)
    try:
        grant = issuer.server.get_consent_grant(oauth_request, end_user=USER)
    except OAuth2Error as error:
        return _refusal(issuer, error)
    except ValueError as error:
        # Authlib puts the redirect address into the description, and fails at characters that RFC 6749 §5.2 forbids.
        return pages.message("Bad request", f"invalid_request: {error}", 400)
    client, decision = grant.client.client_id, issuer.settings["decide"]
    blocked = issuer.settings["admin-consent-required"]
    if blocked == "page":
        return pages.message("Need admin approval", errors.ADMIN_CONSENT.format(client=client))
    if blocked == "redirect":
        state = [("state", oauth_request.payload.state)] if oauth_request.payload.state else []
        parameters = errors.admin_consent(client, issuer.now()) + state
        return _altered(issuer, Answer(302, [("Location", add_params_to_uri(grant.redirect_uri, parameters))]))
    if request.method == "POST":
        decision = (request.form.get("decision") or [""])[0]
        if decision not in ("allow", "refuse"):
            return pages.message("Bad request", "There is no decision.", 400)
    if decision == "ask":
        return pages.consent(client, oauth_request.scope, f"{request.path}?{request.query}")
    if decision == "never":
        return pages.waiting(client)
    user = USER if decision == "allow" else None
    return _altered(issuer, issuer.server.create_authorization_response(oauth_request, user, grant))


def _refusal(issuer, error):
    """The answer to a request that is not valid: a redirect, or a page if the address is not trusted."""
    answer = issuer.server.handle_error_response(None, error)
    if answer.header("Location"):
        return _altered(issuer, answer)
    return pages.message("Bad request", f"{error.error}: {error.get_error_description()}", 400)


def _altered(issuer, answer):
    """The redirect with `state` and `iss` as the settings want them."""
    location = answer.header("Location")
    if location is None:
        return answer
    state = issuer.settings["state"]
    if state != "as-sent":
        head, _, query = location.partition("?")
        parts = [part for part in query.split("&") if not part.startswith("state=")]
        parts += ["state=altered"] if state == "altered" else []
        location = f"{head}?{'&'.join(parts)}"
    address = {"present": issuer.address, "wrong": issuer.base + "/another"}.get(issuer.settings["iss"])
    if address:
        location = add_params_to_uri(location, [("iss", address)])
    answer.replace("Location", location)
    # RFC 9700 §4.2.4: nothing of the redirect may leak.
    answer.headers += [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
    return answer


def token(issuer, request):
    """The token endpoint (RFC 6749 §3.2)."""
    check_form(issuer, request)
    oauth_request = AuthlibRequest(request)
    if issuer.settings["admin-consent-required"] == "token":
        return errors.not_consented(oauth_request.payload.client_id, issuer.now())
    answer = issuer.server.create_token_response(oauth_request)
    body = json.loads(answer.body)
    if answer.status == 200:
        _announce(issuer, oauth_request, body)
    elif issuer.settings["device-errors"] == "microsoft" and "device_code" in request.form:
        body["error"] = _microsoft_error(body)
    return Answer(answer.status, answer.headers, json.dumps(body).encode())


def _announce(issuer, oauth_request, body):
    """Changes the lifetime and the scope in an answer as the settings want them."""
    announced = issuer.settings["announced-lifetime"]
    if announced == "absent":
        body.pop("expires_in", None)
    elif announced is not None:
        body["expires_in"] = announced
    if issuer.settings["refresh-token"] == "offline-access":
        body["scope"] = " ".join(one for one in body.get("scope", "").split() if one != "offline_access")
    # A scope other than the requested one must be named (RFC 6749 §5.1).
    asked = _asked_scope(oauth_request)
    if not issuer.settings["scope-in-answer"] and body.get("scope") == asked:
        body.pop("scope", None)


def _asked_scope(oauth_request):
    """The scope that an answer may leave out, or None if it must name it."""
    if oauth_request.refresh_token:
        return oauth_request.payload.scope or oauth_request.refresh_token.scope
    if oauth_request.credential:
        return oauth_request.credential.consent.asked
    return oauth_request.authorization_code.consent.asked


def _microsoft_error(body):
    """The vendor's code of an error of the device flow."""
    if body["error"] == "invalid_request" and "device_code" in body.get("error_description", ""):
        return "bad_verification_code"
    return {"access_denied": "authorization_declined"}.get(body["error"], body["error"])


def device(issuer, request):
    """The device authorization endpoint (RFC 8628 §3.1)."""
    if issuer.settings["device-flow"] == "absent":
        return json_answer({"error": "not found"}, 404)
    check_form(issuer, request)
    scope = (request.form.get("scope") or [issuer.settings["default-scope"]])[0]
    if request.method != "POST" or scope is None:
        error = "invalid_request" if request.method != "POST" else "invalid_scope"
        return json_answer({"error": error}, 400)
    answer = issuer.server.create_endpoint_response("device_authorization", AuthlibRequest(request))
    if answer.status == 200 and not issuer.settings["verification-uri-complete"]:
        body = json.loads(answer.body)
        del body["verification_uri_complete"]
        answer.body = json.dumps(body).encode()
    return answer


def activate(issuer, request):
    """The verification page of devices (RFC 8628 §3.3)."""
    fields = request.form if request.method == "POST" else request.args
    if "user_code" not in fields:
        return pages.user_code_form(request.path)
    found = issuer.store.device_of(fields["user_code"][0])
    if found is None or found.is_expired() or found.approved is not None:
        return pages.user_code_form(request.path, "That code is not valid.")
    decision = issuer.settings["decide"]
    if request.method == "POST":
        decision = (fields.get("decision") or [""])[0]
    if decision == "ask":
        return pages.device_consent(found, request.path)
    if decision not in ("allow", "refuse"):
        return pages.waiting(found.client_id)
    issuer.decide_device(found, decision == "allow")
    done = "Connected" if decision == "allow" else "Refused"
    return pages.message(done, "You can close this page and go back to your device.")


def revoke(issuer, request):
    """The revocation endpoint (RFC 7009)."""
    if issuer.settings["revocation"] == "absent":
        return json_answer({"error": "not found"}, 404)
    check_form(issuer, request)
    if request.method != "POST":
        return json_answer({"error": "invalid_request"}, 400)
    return issuer.server.create_endpoint_response("revocation", AuthlibRequest(request))


ENDPOINTS = {"authorize": authorize, "token": token, "device": device, "activate": activate, "revoke": revoke}
