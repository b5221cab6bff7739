# SPDX-License-Identifier: Apache-2.0
"""What an issuer remembers, in memory: clients, consents, codes, tokens and devices.

A consent is the family of all tokens that come from one decision of the user. It is revoked as a whole.
"""

import dataclasses
import secrets
import urllib.parse

from authlib.common.security import generate_token
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceCredentialMixin

USER = "alice"
LOOPBACK = ("127.0.0.1", "localhost")
# Each kind of character that may be in a refresh token or a code (RFC 6749 §A.11, §A.17), for broken encodings.
AWKWARD = "+/=&%20;~\"\\ #?"


@dataclasses.dataclass(frozen=True)
class Client(ClientMixin):
    """A registered client."""

    client_id: str
    # None for a public client. That of a desktop program is no secret (RFC 8252 §8.5), as Google's.
    secret: str | None
    settings: dict

    def get_client_id(self):
        """The identifier."""
        return self.client_id

    def get_default_redirect_uri(self):
        """None: each request names its redirect address, whose port is free."""
        return None

    def get_allowed_scope(self, scope):
        """The scope as asked, or the default one, or None to refuse (RFC 6749 §3.3)."""
        return scope or self.settings["default-scope"]

    def check_redirect_uri(self, redirect_uri):
        """Whether the address is a loopback one, with any port (RFC 8252 §7.3) and no fragment (RFC 6749 §3.1.2)."""
        try:
            parts = urllib.parse.urlsplit(redirect_uri)
            port = parts.port
        except ValueError:
            return False
        paths = self.settings["redirect-paths"]
        return (parts.scheme == "http" and parts.hostname in LOOPBACK and "@" not in parts.netloc and port != 0
                and "#" not in redirect_uri and (paths is None or parts.path in paths))

    def check_client_secret(self, client_secret):
        """Whether the secret is right."""
        return self.secret is not None and secrets.compare_digest(self.secret, client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        """Public clients authenticate with nothing, others with their secret."""
        return (method == "none") == (self.secret is None)

    def check_response_type(self, response_type):
        """Only codes are given at the authorization endpoint."""
        return response_type == "code"

    def check_grant_type(self, grant_type):
        """Whether the client may use the grant."""
        return grant_type in ("authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE)


@dataclasses.dataclass
class Consent:
    """A decision of the user: the family of the tokens that come from it."""

    client_id: str
    # What the client asked for, and what the user granted.
    asked: str
    scope: str
    made_at: float
    # Whether a refresh token goes with it.
    offline: bool
    revoked: bool = False


@dataclasses.dataclass
class Code(AuthorizationCodeMixin):
    """An authorization code."""

    code: str
    redirect_uri: str
    code_challenge: str | None
    code_challenge_method: str | None
    expires_at: float
    consent: Consent
    used: bool = False

    def get_redirect_uri(self):
        """The redirect address of the authorization request."""
        return self.redirect_uri

    def get_scope(self):
        """The granted scope."""
        return self.consent.scope


@dataclasses.dataclass
class Token(TokenMixin):
    """An access token or a refresh token."""

    kind: str
    value: str
    scope: str
    consent: Consent
    issued_at: float
    # Returns the time of the issuer.
    now: object
    settings: dict
    lifetime: float | None = None
    revoked: bool = False
    used_at: float | None = None
    successor: object = None

    def check_client(self, client):
        """Whether the token was issued to the client."""
        return self.consent.client_id == client.client_id

    def get_scope(self):
        """The scope of the token."""
        return self.scope

    def get_expires_in(self):
        """The lifetime at the issue, in seconds."""
        return self.lifetime

    def expires_at(self):
        """The time of the end, or None."""
        if self.kind == "access":
            return self.issued_at + self.lifetime
        lifetime = self.settings["refresh-lifetime"]
        by_issue = self.settings["refresh-lifetime-from"] == "issue"
        return None if lifetime is None else (self.issued_at if by_issue else self.consent.made_at) + lifetime

    def is_expired(self):
        """Whether the lifetime is over."""
        end = self.expires_at()
        return end is not None and end <= self.now()

    def is_revoked(self):
        """Whether the token or its consent was revoked."""
        return self.revoked or self.consent.revoked

    def get_user(self):
        """The user."""
        return USER


@dataclasses.dataclass
class Device(DeviceCredentialMixin):
    """A device that waits for the user."""

    client_id: str
    scope: str
    device_code: str
    user_code: str
    expires_at: float
    interval: float
    now: object
    # None while the user has not decided.
    approved: bool | None = None
    used: bool = False
    polls: int = 0
    last_poll: float | None = None
    early: bool = False
    consent: Consent | None = None

    def get_client_id(self):
        """The client that asked."""
        return self.client_id

    def get_scope(self):
        """The granted scope, or the requested one before the decision."""
        return self.consent.scope if self.consent else self.scope

    def get_user_code(self):
        """The code that the user types."""
        return self.user_code

    def is_expired(self):
        """Whether the time to decide is over."""
        return self.expires_at <= self.now()


class Store:
    """All that one issuer has issued."""

    def __init__(self):
        """Starts empty."""
        self.consents = []
        self.codes = {}
        self.tokens = {}
        self.devices = {}
        # States and code challenges that were used, to find those that are used twice.
        self.seen = set()
        # Every secret that was issued or received.
        self.secrets = []

    def device_of(self, user_code):
        """The device with a user code. Letters in any case and other characters do not matter (RFC 8628 §6.1)."""
        def plain(code):
            """The letters of a code."""
            return "".join(character for character in code.upper() if character.isalnum())
        return next((one for one in self.devices.values() if plain(one.user_code) == plain(user_code)), None)

    def find(self, value):
        """The kind of the secret with this value, or None."""
        if value in self.tokens:
            return self.tokens[value].kind
        return "code" if value in self.codes else "device" if value in self.devices else None


def new_secret(prefix, length, awkward):
    """A random value; the prefixes `4/0` and `1//0` look like those of Google."""
    return prefix + generate_token(length) + (AWKWARD if awkward else "")
