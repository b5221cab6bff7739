# SPDX-License-Identifier: Apache-2.0
"""Protected resources: the check of a token, and a reverse proxy that puts a token in front of a server."""

import base64
import http.client
import urllib.parse

from authlib.oauth2 import OAuth2Error

from exchange import Answer, AuthlibRequest, json_answer
from violations import check_resource

# The headers that concern one connection (RFC 9110 §7.6.1), and those that the proxy writes itself.
HOP_BY_HOP = {"connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
              "trailer", "transfer-encoding", "upgrade", "content-length", "authorization", "expect"}


def challenges(issuer, path, parameters):
    """The headers WWW-Authenticate (RFC 6750 §3, RFC 9728 §5.1)."""
    rule = issuer.settings["challenge"]
    fields = [] if rule == "bare" else [
        ("resource_metadata", f"{issuer.base}/.well-known/oauth-protected-resource{path}")]
    fields += parameters or ([] if fields else [("realm", "calendars")])
    bearer = "Bearer " + ", ".join(f'{name}="{value}"' for name, value in fields)
    basic = 'Basic realm="calendars", charset="UTF-8"'
    return [("WWW-Authenticate", value) for value in {
        "basic-bearer": [f"{basic}, {bearer}"], "bearer-basic": [bearer, basic]}.get(rule, [bearer])]


def admit(issuer, request, scope):
    """The access token of the request and None, or None and the answer that refuses the request."""
    check_resource(issuer, request)
    try:
        token = issuer.server.protector.validate_request([scope] if scope else None, AuthlibRequest(request))
        return token, None
    except OAuth2Error as error:
        # RFC 6750 §3.1: without a token there is no error code.
        known = error.error in ("invalid_token", "insufficient_scope")
        parameters = [("error", error.error), ("error_description", error.get_error_description())] if known else []
        status = 403 if error.error == "insufficient_scope" else 401
        parameters += [("scope", scope)] if scope else []
        return None, json_answer(dict(parameters), status, challenges(issuer, request.path, parameters))


def check(issuer, request):
    """Answers with the scope of the token. The parameter `scope` of the query is required then."""
    token, refusal = admit(issuer, request, (request.args.get("scope") or [None])[0])
    if refusal:
        return refusal
    return json_answer({"client_id": token.consent.client_id, "scope": token.scope, "scopes": token.scope.split(),
                        "expires_in": round(token.expires_at() - issuer.now(), 3)})


def proxy(issuer, request):
    """Answers from the CalDAV server behind, as the user of the settings."""
    _, refusal = issuer.locked(request, lambda one: admit(issuer, one, issuer.settings["dav-scope"]))
    if refusal:
        return refusal
    if issuer.settings["upstream"] is None:
        return json_answer({"error": "the setting `upstream` is not set"}, 502)
    try:
        return _forward(issuer, request)
    except (OSError, http.client.HTTPException) as error:
        return json_answer({"error": f"upstream: {error}"}, 502)


def _forward(issuer, request):
    """Sends the request to the server behind and returns its answer."""
    upstream = urllib.parse.urlsplit(issuer.settings["upstream"])
    prefix = f"/dav/{issuer.name}"
    connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=30)
    try:
        path = upstream.path.rstrip("/") + (request.path[len(prefix):] or "/")
        target = path + (f"?{request.query}" if request.query else "")
        connection.putrequest(request.method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.items():
            if name.lower() not in HOP_BY_HOP:
                connection.putheader(name, value)
        connection.putheader("Authorization", _credentials(issuer))
        # Radicale writes this prefix before each address in its answers, and takes it from those in requests.
        connection.putheader("X-Script-Name", prefix)
        connection.putheader("Content-Length", str(len(request.body)))
        connection.endheaders(request.body)
        received = connection.getresponse()
        # The length in an answer to HEAD is that of a body which does not come (RFC 9110 §8.6).
        dropped = (HOP_BY_HOP | {"date", "server"}) - ({"content-length"} if request.method == "HEAD" else set())
        headers = [(name, value) for name, value in received.getheaders() if name.lower() not in dropped]
        return Answer(received.status, headers, _readdressed(received.read(), issuer, request, upstream.path, prefix))
    finally:
        connection.close()


def _credentials(issuer):
    """The credentials for the server behind: a token of its own, or a user and a password."""
    if issuer.settings["upstream-token"] is not None:
        return "Bearer " + issuer.settings["upstream-token"]
    pair = f"{issuer.settings['upstream-user']}:{issuer.settings['upstream-password']}"
    return "Basic " + base64.b64encode(pair.encode()).decode()


def _readdressed(body, issuer, request, path, prefix):
    """The body, in which links to a server with tokens of its own lead through the proxy, such as `@odata.nextLink`."""
    if issuer.settings["upstream-token"] is None:
        return body
    root = f"http://{request.headers.get('Host')}"
    return body.replace(f"{root}{path.rstrip('/')}/".encode(), f"{root}{prefix}/".encode())
