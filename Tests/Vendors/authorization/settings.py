# SPDX-License-Identifier: Apache-2.0
"""The settings of an issuer: how it differs from a plain reading of the RFCs, each with its source.

A value of `DEFAULTS` is what the RFCs and RFC 9700 ask for. `ALLOWED` holds the permitted values: a tuple of values, or
a check.
"""


def is_number(value):
    """Whether the value is a number (and no boolean)."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value):
    """Whether the value is None or an integer from 0."""
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def is_text(value):
    """Whether the value is None or text."""
    return value is None or isinstance(value, str)


def is_names(value):
    """Whether the value is None or a list of texts."""
    return value is None or (isinstance(value, list) and all(isinstance(name, str) for name in value))


def is_object(value):
    """Whether the value is a JSON object."""
    return isinstance(value, dict)


def is_upstream(value):
    """Whether the value is None or an HTTP address of this machine."""
    return value is None or (isinstance(value, str) and value.startswith(("http://127.0.0.1:", "http://localhost:")))


# Name, default, permitted values. The comment above an entry is its meaning and its source.
_TABLE = (
    # The user at the pages: "ask" shows the form, "allow" and "refuse" answer at once, "never" shows a page that leads
    # nowhere.
    ("decide", "ask", ("ask", "allow", "refuse", "never")),
    # Lifetime of an access token in seconds.
    ("token-lifetime", 3600, is_number),
    # The `expires_in` in answers, where it is not the lifetime: another number, text, or "absent". RFC 6749 §5.1: the
    # field is only RECOMMENDED, and a number.
    ("announced-lifetime", None, lambda value: value is None or is_number(value) or isinstance(value, str)),
    # Lifetime of a refresh token in seconds, None for no limit. 604800 is a Google project whose consent screen has
    # the status "Testing": https://developers.google.com/identity/protocols/oauth2#expiration, as cited in
    # https://github.com/jobisoft/google-4-tbsync/wiki/_history, whose users do not all see it.
    ("refresh-lifetime", None, lambda value: value is None or is_number(value)),
    # What the lifetime of a refresh token is counted from: the consent, or the issue of the token (Microsoft, 90 days:
    # https://learn.microsoft.com/en-us/answers/questions/1665481). For Google's seven days this was not found.
    ("refresh-lifetime-from", "consent", ("consent", "issue")),
    # Lifetime of a code in seconds. RFC 6749 §4.1.2: at most ten minutes.
    ("code-lifetime", 600, is_number),
    # Rotation of refresh tokens. True: a used token is dead (RFC 9700 §4.14.2). False: no new one is issued (§6: MAY).
    # "keep-old": a new one each time, and the old one stays valid
    # (https://learn.microsoft.com/entra/identity-platform/refresh-tokens#token-lifetime).
    ("rotation", True, (True, False, "keep-old")),
    # Seconds in which a used refresh token may be used again, while its successor is unused. 0: each reuse revokes the
    # family (RFC 9700 §4.14.2). Grace in use: https://connect2id.com/blog/connect2id-server-14-2 and, for the limit to
    # the token just before, https://github.com/django-oauth/django-oauth-toolkit/issues/1617.
    ("rotation-grace", 0, is_number),
    # Whether a refresh token is issued. "access-type-offline": only with `access_type=offline`, and after the first
    # consent of a client only with `prompt=consent` (https://github.com/googleapis/google-api-php-client/issues/2591,
    # https://github.com/pdobsan/oama/issues/36, https://github.com/pimutils/vdirsyncer/issues/1053). "offline-access":
    # only with the scope `offline_access` (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code),
    # which answers do not name (https://learn.microsoft.com/en-us/answers/questions/806413).
    ("refresh-token", "always", ("always", "never", "access-type-offline", "offline-access")),
    # Seconds by which the clock of the server is ahead of the clock of the client: the Date header shows it.
    ("clock-offset", 0, is_number),
    # The scopes that the user allows at most; None for all that are asked. RFC 6749 §3.3, and "granular permissions":
    # https://developers.google.com/identity/protocols/oauth2/resources/granular-permissions
    ("granted-scope", None, is_names),
    # The scopes that exist; another one is `invalid_scope`. None: each scope exists.
    ("scopes-supported", None, is_names),
    # The scope of a request without one; None refuses such a request (RFC 6749 §3.3 permits both).
    ("default-scope", None, is_text),
    # Whether the answer names the scope although it is the one that was asked. RFC 6749 §5.1: OPTIONAL if identical.
    ("scope-in-answer", True, (True, False)),
    # The transformations of a code verifier. RFC 7636 §4.2 requires S256; "plain" is for clients that cannot hash.
    ("pkce-methods", ["S256"], is_names),
    # The state in the redirect: another value, or none. RFC 6749 §4.1.2 requires it as sent.
    ("state", "as-sent", ("as-sent", "altered", "absent")),
    # The parameter `iss` in the redirect (RFC 9207). "absent": neither announced nor sent; "missing": announced and not
    # sent, which a client must reject (§2.4); "wrong": another issuer.
    ("iss", "present", ("present", "absent", "missing", "wrong")),
    # An organization where only an administrator may consent. "page": a page that leads nowhere; "redirect": an error
    # for the client; "token": an error at the token endpoint. Source of the texts: errors.py.
    ("admin-consent-required", False, (False, "page", "redirect", "token")),
    # The paths of redirect addresses; None for any. RFC 8252 §7.3: only the port is free.
    ("redirect-paths", None, is_names),
    # The endpoint of the device flow. "absent" for issuers without one.
    ("device-flow", "present", ("present", "absent")),
    # Lifetime of a device code in seconds. 900:
    # https://learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code
    ("device-lifetime", 900, is_number),
    # Seconds between polls (RFC 8628 §3.2).
    ("interval", 5, is_number),
    # Whether polls that come too early are answered with `slow_down` and are violations (RFC 8628 §3.5).
    ("enforce-interval", True, (True, False)),
    # The number of next polls that are answered with `slow_down`, however late they come.
    ("slow-down", 0, is_count),
    # The number of polls after which the user has decided without a page: "allow", or "refuse" if `decide` is that.
    ("device-decides-after", None, is_count),
    # Whether the answer has `verification_uri_complete`. Microsoft's has not: see `device-lifetime`.
    ("verification-uri-complete", True, (True, False)),
    # The error codes of the device flow. "microsoft": `authorization_declined` for `access_denied`, and
    # `bad_verification_code` for an unknown code: see `device-lifetime`.
    ("device-errors", "rfc8628", ("rfc8628", "microsoft")),
    # Revocation. "without-client": a token is enough, and its whole consent ends (Google:
    # https://zenn.dev/gz/articles/a613367afc1fee). "absent": there is no endpoint for a single token (Microsoft:
    # https://learn.microsoft.com/en-us/answers/questions/1158831).
    ("revocation", "rfc7009", ("rfc7009", "without-client", "absent")),
    # The challenge of protected resources. "bare": without `resource_metadata`; "basic-bearer": both, in one header;
    # "bearer-basic": both, in two headers (RFC 9110 §11.6.1 permits both forms).
    ("challenge", "bearer", ("bearer", "bare", "basic-bearer", "bearer-basic")),
    # The `resource` of the metadata of protected resources. "exact": the address that was asked for (RFC 9728 §3.3);
    # "prefix": the root of the CalDAV server for each address below it; "wrong": another host.
    ("resource-metadata", "exact", ("exact", "prefix", "wrong", "absent")),
    # Fields to replace in the metadata of the issuer and of protected resources; null removes a field.
    ("metadata-override", {}, is_object),
    ("resource-metadata-override", {}, is_object),
    # Refresh tokens and codes with each kind of character that RFC 6749 appendix A permits.
    ("awkward-tokens", False, (True, False)),
    # The scope that CalDAV requires (403 `insufficient_scope` without it, RFC 6750 §3.1); None for any.
    ("dav-scope", None, is_text),
    # The server behind /dav/ISSUER/, and its user: a name with a password, or a token, as the double of a vendor.
    ("upstream", None, is_upstream),
    ("upstream-user", "alice", is_text),
    ("upstream-password", "s3cret", is_text),
    ("upstream-token", None, is_text),
)

DEFAULTS = {name: default for name, default, _ in _TABLE}
ALLOWED = {name: allowed for name, _, allowed in _TABLE}


def is_permitted(name, value):
    """Whether the setting exists and may have the value."""
    allowed = ALLOWED.get(name, ())
    if callable(allowed):
        return allowed(value)
    return any(type(value) is type(one) and value == one for one in allowed)


def merged(settings, changes):
    """The settings with the changes; raises ValueError for an unknown setting or value."""
    for name, value in changes.items():
        if not is_permitted(name, value):
            raise ValueError(f"setting {name!r} cannot be {value!r}")
    return {**settings, **changes}
