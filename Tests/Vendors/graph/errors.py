# SPDX-License-Identifier: Apache-2.0
"""Answers that report errors, in the form of Graph (docs concepts/errors.md)."""

import base64
import datetime
import uuid

from common.messages import Answer, Refusal

USUAL = {
    400: ("BadRequest", "Bad request."),
    401: ("InvalidAuthenticationToken", "Lifetime validation failed, the token is expired."),
    403: ("ErrorAccessDenied", "Access is denied. Check credentials and try again."),
    404: ("ErrorItemNotFound", "The specified object was not found in the store."),
    405: ("Request_BadRequest", "Specified HTTP method is not allowed for the request target."),
    409: ("ErrorIrresolvableConflict", "The send or update operation could not be performed."),
    410: ("syncStateNotFound", "The sync state generation is not found."),
    412: (
        "ErrorIrresolvableConflict",
        "The send or update operation could not be performed because"
        " the change key passed in the request does not match the current change key for the item.",
    ),
    424: ("FailedDependency", "A request that this request depends on failed."),
    429: ("ApplicationThrottled", "Application is over its MailboxConcurrency limit."),
    500: ("ErrorInternalServerError", "An internal server error occurred. The operation failed."),
    503: ("serviceNotAvailable", "The service is temporarily unavailable."),
    504: ("UnknownError", "Gateway timeout."),
}
CHALLENGE = (
    'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize",'
    ' client_id="00000003-0000-0000-c000-000000000000"'
)


def error_answer(status, code=None, message=None, headers=None):
    """An Answer with an error."""
    usual = USUAL.get(status, ("UnknownError", ""))
    number = str(uuid.uuid4())
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {
        "error": {
            "code": code or usual[0],
            "message": message or usual[1],
            "innerError": {"date": now, "request-id": number, "client-request-id": number},
        }
    }
    answer = Answer(status, body, {"request-id": number, **(headers or {})})
    answer.schema = "oDataError"
    return answer


def fail(status, code=None, message=None, headers=None):
    """A Refusal that is no violation: a well-formed request that the state does not permit."""
    return Refusal(error_answer(status, code, message, headers))


def violation(reason, code="BadRequest"):
    """A Refusal with 400 of a request that breaks the contract."""
    return Refusal(error_answer(400, code, reason), reason)


def unauthorized():
    """The answer to an invalid token, with a challenge that asks for claims.

    Source: learn.microsoft.com/entra/identity-platform/claims-challenge.
    """
    wanted = base64.b64encode(b'{"access_token":{"nbf":{"essential":true,"value":"1700000000"}}}').decode()
    header = f'{CHALLENGE}, error="insufficient_claims", claims="{wanted}"'
    return error_answer(401, headers={"WWW-Authenticate": header})
