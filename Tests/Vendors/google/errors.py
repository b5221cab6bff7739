# SPDX-License-Identifier: Apache-2.0
"""Errors in the form and the words of https://developers.google.com/workspace/calendar/api/guides/errors."""

from common.messages import Answer, Refusal

SYNC_GONE = "Sync token is no longer valid, a full sync is required."

# status → domain, reason, message, and where the error is, if that is told
USUAL = {
    400: ("global", "badRequest", "Bad Request"),
    401: ("global", "authError", "Invalid Credentials", "header", "Authorization"),
    403: ("usageLimits", "rateLimitExceeded", "Rate Limit Exceeded"),
    404: ("global", "notFound", "Not Found"),
    409: ("global", "duplicate", "The requested identifier already exists."),
    410: ("calendar", "fullSyncRequired", SYNC_GONE, "parameter", "syncToken"),
    412: ("global", "conditionNotMet", "Precondition Failed", "header", "If-Match"),
    429: ("usageLimits", "rateLimitExceeded", "Rate Limit Exceeded"),
    500: ("global", "backendError", "Backend Error"),
    503: ("global", "backendError", "Backend Error"),
}

CHALLENGE = 'Bearer realm="https://accounts.google.com/", error='


def error_answer(status, domain, reason, message, place=()):
    """The Answer for an error; `place` is the location's type and the location."""
    error = {"domain": domain, "reason": reason, "message": message}
    if place:
        error["locationType"], error["location"] = place
    answer = Answer(status, {"error": {"errors": [error], "code": status, "message": message}})
    if status == 401:
        answer.headers["WWW-Authenticate"] = CHALLENGE + '"invalid_token"'
    return answer


def usual_answer(status):
    """The usual Answer for a status."""
    domain, reason, message, *place = USUAL.get(status, ("global", "backendError", "Backend Error"))
    return error_answer(status, domain, reason, message, tuple(place))


def usual(status):
    """A Refusal with the usual answer for a status; no violation."""
    return Refusal(usual_answer(status))


def invalid(reason, message, place=()):
    """A Refusal with 400 for a request that breaks the contract."""
    domain = "calendar" if reason == "timeRangeEmpty" else "global"
    return Refusal(error_answer(400, domain, reason, message, place), f"{reason}: {message}")


def deleted():
    """A Refusal for the deletion of what is deleted already."""
    return Refusal(error_answer(410, "global", "deleted", "Resource has been deleted"))


def forbidden(reason, message, domain="calendar"):
    """A Refusal with 403."""
    return Refusal(error_answer(403, domain, reason, message))


def missing_scope(scopes):
    """A Refusal for a token that does not permit the method; `scopes` are those that would."""
    message = "Request had insufficient authentication scopes."
    answer = error_answer(403, "global", "insufficientPermissions", message)
    answer.body["error"]["status"] = "PERMISSION_DENIED"
    answer.body["error"]["details"] = [
        {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
            "domain": "googleapis.com",
        }
    ]
    answer.headers["WWW-Authenticate"] = f'{CHALLENGE}"insufficient_scope", scope="{" ".join(scopes)}"'
    return Refusal(answer)
