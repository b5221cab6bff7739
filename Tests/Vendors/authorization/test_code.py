# SPDX-License-Identifier: Apache-2.0
"""The grant by authorization code: RFC 6749 §4.1, RFC 7636, RFC 8252 and RFC 9207."""

import requests
from authlib.oauth2.rfc6749 import MismatchingStateException

from scene import REDIRECT, SCOPE, Scene, fields_of


class CodeTests(Scene):
    """From the authorization request to the tokens."""

    def test_public_client(self):
        """A public client with PKCE gets tokens that open the resource."""
        session = self.sign_in()
        self.assertEqual(session.token["token_type"], "Bearer")
        self.assertEqual(session.token["expires_in"], 3600)
        self.assertEqual(session.token["scope"], SCOPE)
        self.assertEqual(session.get(f"{self.base}/-/{self.name}/check").json()["scopes"], SCOPE.split())

    def test_desktop_client(self):
        """A client with a secret gets tokens by both ways of authentication, with PKCE and without."""
        for method, challenge in (("client_secret_post", "S256"), ("client_secret_basic", None)):
            session = self.session(client_id="desktop", client_secret="not-a-secret", token_endpoint_auth_method=method,
                                   code_challenge_method=challenge)
            location, verifier = self.authorize(session)
            session.fetch_token(self.issuer + "/token", authorization_response=location,
                                **({"code_verifier": verifier} if challenge else {}))
            self.assertIn("refresh_token", session.token)
        self.violations = ["no code challenge"]
        wrong = self.session(client_id="desktop", client_secret="wrong",
                             token_endpoint_auth_method="client_secret_post")
        location, verifier = self.authorize(wrong)
        form = {"client_id": "desktop", "client_secret": "wrong", "grant_type": "authorization_code",
                "code": fields_of(location)["code"], "redirect_uri": REDIRECT, "code_verifier": verifier}
        self.assert_error(self.token(**form), "invalid_client", 401)

    def test_pkce(self):
        """A wrong, missing or short verifier is refused, and so is a request without a challenge."""
        location, verifier = self.authorize(self.session())
        form = {"grant_type": "authorization_code", "code": fields_of(location)["code"], "redirect_uri": REDIRECT}
        self.assert_error(self.token(**form), "invalid_request")
        self.assert_error(self.token(**form, code_verifier="short"), "invalid_request")
        self.assert_error(self.token(**form, code_verifier="x" * 64), "invalid_grant")
        self.assertEqual(self.token(**form, code_verifier=verifier).status_code, 200)
        location, _ = self.authorize(self.session(code_challenge_method=None))
        self.assertEqual(fields_of(location)["error"], "invalid_request")
        location, _ = self.authorize(self.session(code_challenge_method=None), code_challenge="x" * 43,
                                     code_challenge_method="plain")
        self.assertEqual(fields_of(location)["error_description"], "transform algorithm not supported")
        self.violations = ["no code challenge", "no code challenge"]

    def test_code_twice(self):
        """The second use of a code revokes the tokens of the first (RFC 6749 §4.1.2)."""
        location, verifier = self.authorize(self.session())
        form = {"grant_type": "authorization_code", "code": fields_of(location)["code"], "redirect_uri": REDIRECT,
                "code_verifier": verifier}
        tokens = self.token(**form).json()
        self.assertEqual(self.check(tokens["access_token"]), 200)
        self.assert_error(self.token(**form), "invalid_grant")
        self.assertEqual(self.check(tokens["access_token"]), 401)

    def test_code_is_bound(self):
        """A code is bound to its redirect address and its lifetime."""
        location, verifier = self.authorize(self.session())
        form = {"grant_type": "authorization_code", "code": fields_of(location)["code"], "code_verifier": verifier}
        self.assert_error(self.token(**form, redirect_uri=REDIRECT + "x"), "invalid_grant")
        self.control("advance", {"seconds": 601})
        self.assert_error(self.token(**form, redirect_uri=REDIRECT), "invalid_grant")

    def test_redirect_addresses(self):
        """Loopback addresses are good with any port; others get a page and no redirect."""
        for address, status in (("http://127.0.0.1:1/", 302), ("http://127.0.0.1:65535/cb", 302),
                                ("http://localhost:8080", 302), ("http://127.0.0.1/cb", 302),
                                ("https://127.0.0.1:80/", 400), ("http://127.0.0.1.example:80/", 400),
                                ("http://127.0.0.1:80/#a", 400), ("http://user@127.0.0.1:80/", 400),
                                ("http://192.0.2.1:80/", 400), ("urn:ietf:wg:oauth:2.0:oob", 400),
                                ("http://192.0.2.1/\u00e4\"", 400)):
            session = self.session(redirect_uri=address)
            url, _ = session.create_authorization_url(self.issuer + "/authorize", code_verifier="v" * 43 + address[-1])
            self.assertEqual(self.http.get(url, allow_redirects=False).status_code, status, address)
        self.control("violations", method="DELETE")
        self.set(redirect_paths=["/callback"])
        url, _ = self.session(redirect_uri="http://127.0.0.1:80/").create_authorization_url(self.issuer + "/authorize")
        self.assertEqual(self.http.get(url, allow_redirects=False).status_code, 400)
        self.violations = ["no code challenge"]

    def test_form(self):
        """The page names the client and the scopes; its buttons decide."""
        self.set(decide="ask")
        url, state = self.session().create_authorization_url(self.issuer + "/authorize", code_verifier="v" * 43)
        page = self.http.get(url)
        for text in ("epact", "calendars.read", "calendars.write", "Allow", "Refuse"):
            self.assertIn(text, page.text)
        allowed = self.http.post(url, data={"decision": "allow"}, allow_redirects=False).headers["Location"]
        self.assertEqual(fields_of(allowed)["state"], state)
        self.assertIn("code", fields_of(allowed))
        refused = self.http.post(url, data={"decision": "refuse"}, allow_redirects=False).headers["Location"]
        self.assertEqual((fields_of(refused)["error"], fields_of(refused)["state"]), ("access_denied", state))
        self.assertEqual(self.http.post(url, data={}, allow_redirects=False).status_code, 400)

    def test_never(self):
        """A user who does not decide gets a page without a form; `decide` is set in the query, too."""
        self.control("decide?decide=never", method="POST")
        url, _ = self.session().create_authorization_url(self.issuer + "/authorize", code_verifier="v" * 43)
        page = self.http.get(url)
        self.assertEqual((page.status_code, "form" in page.text), (200, False))

    def test_state_and_issuer(self):
        """The redirect has the state and the issuer, unless a setting changes them, in errors too."""
        location, verifier = self.authorize(self.session())
        self.assertEqual(fields_of(location)["iss"], self.issuer)
        self.set(state="altered", iss="wrong")
        session = self.session()
        location, verifier = self.authorize(session)
        self.assertEqual(fields_of(location)["iss"], f"{self.base}/another")
        with self.assertRaises(MismatchingStateException):
            session.fetch_token(self.issuer + "/token", authorization_response=location, code_verifier=verifier,
                                state=session.state or "expected")
        for rule in ("missing", "absent"):
            self.set(state="absent", iss=rule, decide="refuse")
            location, _ = self.authorize(self.session())
            self.assertEqual(set(fields_of(location)), {"error", "error_description"})

    def test_scopes(self):
        """The user grants less than was asked; an unknown scope is refused; a missing one, too."""
        self.set(granted_scope=["calendars.read"])
        self.assertEqual(self.sign_in().token["scope"], "calendars.read")
        self.set(scopes_supported=["calendars.read"])
        location, _ = self.authorize(self.session())
        self.assertEqual(fields_of(location)["error"], "invalid_scope")
        self.set(scopes_supported=None)
        location, _ = self.authorize(self.session(scope=None))
        self.assertEqual(fields_of(location)["error"], "invalid_scope")

    def test_scope_left_out(self):
        """An answer leaves the scope out only if it is the one that was asked (RFC 6749 §5.1)."""
        self.set(scope_in_answer=False)
        self.assertNotIn("scope", self.sign_in().token)
        self.set(granted_scope=["calendars.write"])
        self.assertEqual(self.sign_in().token["scope"], "calendars.write")

    def test_refresh_token_missing(self):
        """A refresh token is missing always, or without what a vendor asks for."""
        self.set(refresh_token="never")
        self.assertNotIn("refresh_token", self.sign_in().token)
        self.control("revoke-all", {})
        self.set(refresh_token="access-type-offline")
        self.assertNotIn("refresh_token", self.sign_in().token)
        self.control("revoke-all", {})
        self.assertIn("refresh_token", self.sign_in(access_type="offline").token)
        self.assertNotIn("refresh_token", self.sign_in(access_type="offline").token)
        self.assertIn("refresh_token", self.sign_in(access_type="offline", prompt="consent").token)
        self.set(refresh_token="offline-access")
        self.assertNotIn("refresh_token", self.sign_in().token)
        session = self.session(scope="calendars.read offline_access")
        location, verifier = self.authorize(session)
        session.fetch_token(self.issuer + "/token", authorization_response=location, code_verifier=verifier)
        self.assertEqual((session.token["scope"], "refresh_token" in session.token), ("calendars.read", True))
        self.assertEqual(self.refresh(session.token["refresh_token"], scope="offline_access").status_code, 200)

    def test_awkward_values(self):
        """Codes and refresh tokens with each permitted character survive an exact encoding."""
        self.set(awkward_tokens=True)
        session = self.sign_in()
        self.assertIn(" #", session.token["refresh_token"])
        self.assertEqual(self.refresh(session.token["refresh_token"]).status_code, 200)

    def test_administrator(self):
        """Where only an administrator consents, the page, the redirect or the token endpoint says so."""
        self.set(admin_consent_required="redirect")
        location, _ = self.authorize(self.session())
        self.assertEqual(fields_of(location)["error"], "access_denied")
        self.assertIn("AADSTS90094: ", fields_of(location)["error_description"])
        self.set(admin_consent_required="page")
        url, _ = self.session().create_authorization_url(self.issuer + "/authorize", code_verifier="v" * 43)
        self.assertIn("AADSTS90094: ", self.http.get(url).text)
        self.set(admin_consent_required="token")
        answer = self.refresh("any")
        self.assert_error(answer, "invalid_grant")
        self.assertEqual((answer.json()["error_codes"], answer.json()["suberror"]), ([65001], "consent_required"))

    def test_violations(self):
        """What works and must not be done is noted."""
        session = self.sign_in()
        other = requests.post(f"{self.base}/other-{self.name}/token?client_secret=x", json={},
                              headers={"Authorization": f"Bearer {session.token['access_token']}"}, timeout=5)
        self.assertEqual(other.status_code, 400)
        self.name = f"other-{self.name}"
        self.assertEqual(self.check(session.token["access_token"]), 401)
        requests.post(f"{self.base}/{self.name}/token", timeout=5, data={
            "grant_type": "refresh_token", "client_id": "epact", "refresh_token": session.token["refresh_token"]})
        self.violations = ["client_secret in the query", "the body is application/json", "access_token of the issuer",
                           "refresh_token of the issuer"]

    def test_repeated_values(self):
        """A state or a challenge that is used again is noted, and so is a missing state."""
        url, _ = self.session().create_authorization_url(self.issuer + "/authorize", code_verifier="v" * 43)
        for address in (url, url, url.replace("state=", "x=")):
            self.http.get(address, allow_redirects=False)
        self.violations = ["state used before", "code_challenge used before", "no state", "code_challenge used"]
