# SPDX-License-Identifier: Apache-2.0
"""Errors in the words of a vendor, which break the RFCs and so cannot come from Authlib."""

import datetime
import uuid

from exchange import json_answer

# An answer of the token endpoint as it came, in the article "Authenticating to SQL Azure with delegated tokens" by the
# author of https://github.com/tomasr/sql-auth-with-aad-sample (2017). The shape of each such answer is documented:
# https://learn.microsoft.com/entra/identity-platform/reference-error-codes. `suberror` is not in either; tests of other
# clients expect it. The line ends are outside the characters that RFC 6749 §5.2 permits.
NOT_CONSENTED = ("AADSTS65001: The user or administrator has not consented to use the application with ID '{client}'. "
                 "Send an interactive authorization request for this user and resource.")
# The text of the page: https://learn.microsoft.com/entra/identity/enterprise-apps/configure-risk-based-step-up-consent
# That it comes back to the client, and as `access_denied`, was not found in the vendor's documents.
ADMIN_CONSENT = ("AADSTS90094: {client} needs permission to access resources in your organization that only an admin "
                 "can grant. Request an admin to grant permission to this app before you can use it.")


def trace(now):
    """The identifiers and the time that follow each text, as fields."""
    time = datetime.datetime.fromtimestamp(now, datetime.timezone.utc)
    return {"timestamp": f"{time:%Y-%m-%d %H:%M:%SZ}", "trace_id": str(uuid.uuid4()),
            "correlation_id": str(uuid.uuid4())}


def described(text, fields):
    """The text with the identifiers and the time in lines of their own."""
    return (f"{text}\r\nTrace ID: {fields['trace_id']}\r\nCorrelation ID: {fields['correlation_id']}"
            f"\r\nTimestamp: {fields['timestamp']}")


def not_consented(client, now):
    """The answer of the token endpoint where nobody has consented."""
    fields = trace(now)
    return json_answer({
        "error": "invalid_grant", "error_description": described(NOT_CONSENTED.format(client=client), fields),
        "error_codes": [65001], **fields, "suberror": "consent_required",
    }, 400, [("Cache-Control", "no-store")])


def admin_consent(client, now):
    """The parameters of the redirect where only an administrator may consent."""
    return [("error", "access_denied"),
            ("error_description", described(ADMIN_CONSENT.format(client=client), trace(now)))]
