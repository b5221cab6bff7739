# SPDX-License-Identifier: Apache-2.0
"""Authlib's authorization server over the storage of one issuer.

Authlib decides about clients, codes, PKCE, refreshes, devices and revocation. This file answers its questions about
what is stored, and nothing more.
"""

import json

from authlib.oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import InvalidRequestError, ResourceProtector
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc6750 import BearerTokenGenerator, BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant

from exchange import Answer
from storage import USER, Client, Code, Device, Token

METHODS = ["client_secret_basic", "client_secret_post", "none"]
# A poll may come this many seconds early: clocks and networks are not exact.
TOLERANCE = 0.05


class CodeGrant(AuthorizationCodeGrant):
    """The grant by authorization code (RFC 6749 §4.1)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def generate_authorization_code(self):
        """A new code."""
        return self.server.issuer.new_secret("4/0", 48)

    def save_authorization_code(self, code, request):
        """Stores the code with what the user has granted."""
        issuer = self.server.issuer
        data = request.payload.data
        consent = issuer.new_consent(request.client.client_id, request.scope, data)
        issuer.store.codes[code] = Code(
            code, data.get("redirect_uri"), data.get("code_challenge"), data.get("code_challenge_method"),
            issuer.now() + issuer.settings["code-lifetime"], consent)

    def query_authorization_code(self, code, client):
        """The code, if it is the client's, in time and unused. A second use revokes its tokens (RFC 6749 §4.1.2)."""
        issuer = self.server.issuer
        found = issuer.store.codes.get(code)
        if found is None or found.consent.client_id != client.client_id:
            return None
        if found.used:
            found.consent.revoked = True
        return None if found.consent.revoked or found.expires_at <= issuer.now() else found

    def delete_authorization_code(self, authorization_code):
        """Marks the code as used."""
        authorization_code.used = True

    def authenticate_user(self, authorization_code):
        """The user."""
        return USER

    def generate_token(self, **options):
        """A token without a refresh token where the consent has none."""
        offline = self.request.authorization_code.consent.offline
        return super().generate_token(**{**options, "include_refresh_token": offline})


class Challenge(CodeChallenge):
    """PKCE (RFC 7636), refused already at the authorization endpoint where it is missing (§4.4.1)."""

    def __init__(self, issuer):
        """Reads the permitted transformations from the settings."""
        super().__init__(required=True)
        self.issuer = issuer

    def validate_code_challenge(self, grant, redirect_uri):
        """Requires a challenge of public clients, and a permitted method of all."""
        data = grant.request.payload.data
        if grant.request.client.secret is None and not data.get("code_challenge"):
            raise InvalidRequestError("code challenge required")
        super().validate_code_challenge(grant, redirect_uri)
        method = data.get("code_challenge_method") or self.DEFAULT_CODE_CHALLENGE_METHOD
        if data.get("code_challenge") and method not in self.issuer.settings["pkce-methods"]:
            raise InvalidRequestError("transform algorithm not supported")


class RefreshGrant(RefreshTokenGrant):
    """The grant by refresh token (RFC 6749 §6), with rotation (RFC 9700 §4.14.2)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    @property
    def INCLUDE_NEW_REFRESH_TOKEN(self):  # noqa: N802, the name is Authlib's
        """Whether refresh tokens rotate."""
        return self.server.issuer.settings["rotation"] is not False

    def authenticate_refresh_token(self, refresh_token):
        """The token, if it is valid. The reuse of a used one revokes its family."""
        issuer = self.server.issuer
        token = issuer.store.tokens.get(refresh_token)
        if token is None or token.kind != "refresh" or token.is_expired() or token.is_revoked():
            return None
        if token.used_at is None or issuer.settings["rotation"] is not True:
            return token
        in_time = issuer.now() - token.used_at < issuer.settings["rotation-grace"]
        if in_time and (token.successor is None or token.successor.used_at is None):
            return token
        if token.check_client(self.client):
            token.consent.revoked = True
        return None

    def authenticate_user(self, refresh_token):
        """The user."""
        return USER

    def revoke_old_credential(self, refresh_token):
        """Marks the token as used, for the first time."""
        if refresh_token.used_at is None:
            refresh_token.used_at = self.server.issuer.now()


class DeviceGrant(DeviceCodeGrant):
    """The grant by device code (RFC 8628 §3.4)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def query_device_credential(self, device_code):
        """The device; counts the poll and notes whether it comes too early."""
        issuer = self.server.issuer
        device = issuer.store.devices.get(device_code)
        if device is None or device.used:
            return None
        now, device.polls = issuer.now(), device.polls + 1
        wait = 0 if device.last_poll is None else device.last_poll + device.interval - now
        device.early = issuer.settings["enforce-interval"] and wait > TOLERANCE
        device.last_poll = now
        if device.early:
            issuer.violate(f"poll {wait:.2f} s before the interval of {device.interval} s is over (RFC 8628 §3.5)")
        after = issuer.settings["device-decides-after"]
        if after is not None and device.polls > after and device.approved is None:
            issuer.decide_device(device, issuer.settings["decide"] != "refuse")
        return device

    def query_user_grant(self, user_code):
        """The user and the decision, or None before the decision."""
        device = self.server.issuer.store.device_of(user_code)
        return None if device.approved is None else (USER, device.approved)

    def should_slow_down(self, credential):
        """Whether to answer `slow_down`; the interval grows by five seconds then."""
        issuer = self.server.issuer
        forced = (issuer.settings["slow-down"] or 0) > 0
        if forced:
            issuer.settings["slow-down"] -= 1
        if forced or credential.early:
            credential.interval += 5
        return forced or credential.early

    def generate_token(self, **options):
        """A token without a refresh token where the consent has none."""
        offline = self.request.credential.consent.offline
        return super().generate_token(**{**options, "include_refresh_token": offline})


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    """The device authorization endpoint (RFC 8628 §3.1)."""

    CLIENT_AUTH_METHODS = METHODS

    @property
    def EXPIRES_IN(self):  # noqa: N802, the name is Authlib's
        """The lifetime of the codes in seconds."""
        return self.server.issuer.settings["device-lifetime"]

    @property
    def INTERVAL(self):  # noqa: N802, the name is Authlib's
        """Seconds between polls."""
        return self.server.issuer.settings["interval"]

    def get_verification_uri(self):
        """The page for the user."""
        return self.server.issuer.address + "/activate"

    def save_device_credential(self, client_id, scope, data):
        """Stores the device."""
        issuer = self.server.issuer
        issuer.store.devices[data["device_code"]] = Device(
            client_id, scope or issuer.settings["default-scope"] or "", data["device_code"], data["user_code"],
            issuer.now() + data["expires_in"], data["interval"], issuer.now)
        issuer.own(data["device_code"])


class Revocation(RevocationEndpoint):
    """The revocation endpoint (RFC 7009)."""

    CLIENT_AUTH_METHODS = METHODS

    def authenticate_endpoint_client(self, request):
        """The client that authenticates, or that of the token where no client is asked for."""
        issuer = self.server.issuer
        token = issuer.store.tokens.get(request.form.get("token"))
        if issuer.settings["revocation"] == "without-client" and "client_id" not in request.form and token:
            request.client = issuer.client(token.consent.client_id)
            return request.client
        return super().authenticate_endpoint_client(request)

    def query_token(self, token_string, token_type_hint):
        """The token, whatever the hint says (RFC 7009 §2.1: the search is extended across all types)."""
        return self.server.issuer.store.tokens.get(token_string)

    def revoke_token(self, token, request):
        """Revokes a refresh token with its family, or an access token alone."""
        token.revoked = True
        if token.kind == "refresh" or self.server.issuer.settings["revocation"] == "without-client":
            token.consent.revoked = True


class Validator(BearerTokenValidator):
    """The check of access tokens (RFC 6750)."""

    def __init__(self, issuer):
        """Checks tokens of one issuer."""
        super().__init__()
        self.issuer = issuer

    def authenticate_token(self, token_string):
        """The access token with this value, or None."""
        token = self.issuer.store.tokens.get(token_string)
        return token if token and token.kind == "access" else None


class Server(AuthorizationServer):
    """Authlib's server for one issuer."""

    def __init__(self, issuer):
        """Registers the grants and endpoints."""
        self.issuer = issuer
        super().__init__()
        self.register_token_generator("default", BearerTokenGenerator(
            lambda **_: issuer.new_secret("at.", 42), lambda **_: issuer.new_secret("1//0", 48),
            lambda *_: issuer.settings["token-lifetime"]))
        self.register_grant(CodeGrant, [Challenge(issuer)])
        self.register_grant(RefreshGrant)
        self.register_grant(DeviceGrant)
        self.register_endpoint(DeviceEndpoint)
        self.register_endpoint(Revocation)
        self.protector = ResourceProtector()
        self.protector.register_token_validator(Validator(issuer))

    @property
    def scopes_supported(self):
        """The scopes that exist, or None for all."""
        return self.issuer.settings["scopes-supported"]

    @scopes_supported.setter
    def scopes_supported(self, value):
        """Ignores Authlib's initial value: the setting decides."""

    def query_client(self, client_id):
        """The client with this identifier, or None."""
        return self.issuer.client(client_id)

    def create_oauth2_request(self, request):
        """The request as it is: it was made for Authlib before."""
        return request

    def handle_response(self, status, body, headers):
        """The answer as a value."""
        text = json.dumps(body) if isinstance(body, dict) else body or ""
        return Answer(status, list(headers), text.encode())

    def send_signal(self, name, *args, **kwargs):
        """Does nothing: there are no listeners."""

    def save_token(self, token, request):
        """Stores the tokens of an answer under the consent that they come from."""
        issuer = self.issuer
        source = request.authorization_code or request.credential
        consent = source.consent if source else request.refresh_token.consent
        if request.credential:
            request.credential.used = True
        access = Token("access", token["access_token"], token.get("scope", ""), consent, issuer.now(), issuer.now,
                       issuer.settings, token.get("expires_in", 0))
        issuer.store.tokens[access.value] = access
        if "refresh_token" in token:
            # RFC 6749 §6: the scope of a new refresh token is that of the old one.
            scope = request.refresh_token.scope if request.refresh_token else consent.scope
            refresh = Token("refresh", token["refresh_token"], scope, consent, issuer.now(), issuer.now,
                            issuer.settings)
            issuer.store.tokens[refresh.value] = refresh
            if request.refresh_token:
                request.refresh_token.successor = refresh


def clients(settings):
    """The clients that each issuer knows."""
    return {"epact": Client("epact", None, settings), "desktop": Client("desktop", "not-a-secret", settings)}

