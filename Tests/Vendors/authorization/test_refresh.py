# SPDX-License-Identifier: Apache-2.0
"""Refresh, rotation, lifetimes, revocation and faults: RFC 6749 §6, RFC 7009, RFC 9700 §4.14.2."""

import email.utils
import json
import threading
import time

import requests

from scene import REDIRECT, SCOPE, Scene, fields_of


class RefreshTests(Scene):
    """The life of refresh tokens."""

    def test_rotation(self):
        """Each refresh gives a new token; the reuse of an old one revokes the family."""
        session = self.sign_in()
        first = session.token["refresh_token"]
        second = session.refresh_token(self.issuer + "/token")["refresh_token"]
        self.assertNotEqual(first, second)
        third = self.refresh(second).json()
        self.assertEqual(self.check(third["access_token"]), 200)
        self.assert_error(self.refresh(first), "invalid_grant")
        self.assert_error(self.refresh(third["refresh_token"]), "invalid_grant")
        self.assertEqual(self.check(third["access_token"]), 401)

    def test_grace(self):
        """In the grace time the token just before works again, until its successor is used."""
        self.set(rotation_grace=60)
        first = self.sign_in().token["refresh_token"]
        second = self.refresh(first).json()["refresh_token"]
        again = self.refresh(first).json()["refresh_token"]
        self.assertNotEqual(second, again)
        self.assertEqual(self.refresh(again).status_code, 200)
        self.assert_error(self.refresh(first), "invalid_grant")

    def test_grace_ends(self):
        """After the grace time the reuse revokes the family."""
        self.set(rotation_grace=60)
        first = self.sign_in().token["refresh_token"]
        second = self.refresh(first).json()["refresh_token"]
        self.control("advance", {"seconds": 61})
        self.assert_error(self.refresh(first), "invalid_grant")
        self.assert_error(self.refresh(second), "invalid_grant")

    def test_without_rotation(self):
        """Without rotation no new token comes; with `keep-old` the old ones stay valid."""
        self.set(rotation=False)
        first = self.sign_in().token["refresh_token"]
        for _ in range(2):
            self.assertNotIn("refresh_token", self.refresh(first).json())
        self.set(rotation="keep-old")
        self.assertEqual(len({self.refresh(first).json()["refresh_token"] for _ in range(3)}), 3)

    def test_two_at_once(self):
        """Of two refreshes at once the later one finds a used token, and the family ends; grace lets both pass."""
        for grace, expected in ((0, [200, 400]), (10, [200, 200])):
            self.set(rotation_grace=grace)
            token, statuses = self.sign_in().token["refresh_token"], []
            threads = [threading.Thread(target=lambda value=token: statuses.append(requests.post(
                self.issuer + "/token", timeout=5, data={
                    "grant_type": "refresh_token", "client_id": "epact", "refresh_token": value}).status_code))
                for _ in range(2)]
            self.control("faults", [{"path": "/token$", "count": 2, "do": {"delay-before": 0.1}}])
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(statuses), expected)

    def test_scope(self):
        """A refresh may ask for less and not for more; the refresh token keeps its scope (RFC 6749 §6)."""
        first = self.sign_in().token["refresh_token"]
        less = self.refresh(first, scope="calendars.read").json()
        self.assertEqual(less["scope"], "calendars.read")
        whole = self.refresh(less["refresh_token"]).json()
        self.assertEqual(whole["scope"], SCOPE)
        self.assert_error(self.refresh(whole["refresh_token"], scope=SCOPE + " mail"), "invalid_scope")

    def test_client(self):
        """A refresh token is its client's alone, and an access token is none."""
        token = self.sign_in().token
        form = {"grant_type": "refresh_token", "client_secret": "not-a-secret"}
        answer = self.token(**{**form, "client_id": "desktop", "refresh_token": token["refresh_token"]})
        self.assert_error(answer, "invalid_grant")
        self.assert_error(self.refresh(token["access_token"]), "invalid_grant")
        self.assert_error(self.token(grant_type="password", username="a", password="b"), "unsupported_grant_type")
        self.assertEqual(self.refresh(token["refresh_token"]).status_code, 200)
        self.violations = ["a secret of the kind access as refresh_token"]

    def test_lifetimes(self):
        """Access tokens end after their lifetime; refresh tokens seven days after the consent."""
        self.set(token_lifetime=60, refresh_lifetime=604800)
        token = self.sign_in().token
        self.assertEqual(token["expires_in"], 60)
        self.control("advance", {"seconds": 61})
        self.assertEqual(self.check(token["access_token"]), 401)
        self.control("advance", {"seconds": 604000})
        refreshed = self.refresh(token["refresh_token"]).json()
        self.control("advance", {"seconds": 800})
        self.assert_error(self.refresh(refreshed["refresh_token"]), "invalid_grant")
        self.set(refresh_lifetime_from="issue")
        self.assertEqual(self.refresh(refreshed["refresh_token"]).status_code, 200)

    def test_announced_lifetime(self):
        """The announced lifetime is another number, text or absent."""
        for value, expected in ((10, 10), ("3599", "3599"), ("absent", None)):
            self.set(announced_lifetime=value)
            token = self.sign_in().token["refresh_token"]
            self.assertEqual(self.refresh(token).json().get("expires_in"), expected)

    def test_clock(self):
        """The Date header shows the offset of the clock."""
        self.set(clock_offset=-7200)
        shown = email.utils.parsedate_to_datetime(self.http.get(self.issuer + "/activate").headers["Date"]).timestamp()
        self.assertAlmostEqual(shown, time.time() - 7200, delta=5)

    def test_expire_and_revoke_all(self):
        """`expire` ends access tokens only, `revoke-all` ends all."""
        token = self.sign_in().token
        self.control("expire", {})
        self.assertEqual(self.check(token["access_token"]), 401)
        refreshed = self.refresh(token["refresh_token"]).json()
        self.assertEqual(self.check(refreshed["access_token"]), 200)
        self.control("revoke-all", {})
        self.assertEqual(self.check(refreshed["access_token"]), 401)
        self.assert_error(self.refresh(refreshed["refresh_token"]), "invalid_grant")
        location, verifier = self.authorize(self.session())
        self.control("revoke-all", {})
        self.assert_error(self.token(grant_type="authorization_code", code=fields_of(location)["code"],
                                     redirect_uri=REDIRECT, code_verifier=verifier), "invalid_grant")


class RevocationTests(Scene):
    """The revocation endpoint."""

    def revoke(self, **form):
        """Sends a form to the revocation endpoint."""
        return self.http.post(self.issuer + "/revoke", data=form).status_code

    def test_revocation(self):
        """A refresh token takes its access tokens with it; an unknown token is no error (RFC 7009 §2.2)."""
        session = self.sign_in()
        token = dict(session.token)
        answer = session.revoke_token(self.issuer + "/revoke", token=token["refresh_token"],
                                      token_type_hint="refresh_token")
        self.assertEqual(answer.status_code, 200)
        self.assertEqual(self.check(token["access_token"]), 401)
        self.assert_error(self.refresh(token["refresh_token"]), "invalid_grant")
        self.assertEqual(self.revoke(client_id="epact", token="unknown"), 200)

    def test_access_token(self):
        """An access token is revoked alone."""
        token = self.sign_in().token
        self.assertEqual(self.revoke(client_id="epact", token=token["access_token"]), 200)
        self.assertEqual(self.check(token["access_token"]), 401)
        self.assertEqual(self.refresh(token["refresh_token"]).status_code, 200)

    def test_without_client(self):
        """A client is required, unless the setting says otherwise; the endpoint can be absent."""
        token = self.sign_in().token
        self.assertEqual(self.revoke(token=token["access_token"]), 401)
        self.set(revocation="without-client")
        self.assertEqual(self.revoke(token=token["access_token"]), 200)
        self.assert_error(self.refresh(token["refresh_token"]), "invalid_grant")
        self.set(revocation="absent")
        self.assertEqual(self.revoke(client_id="epact", token="x"), 404)


class FaultTests(Scene):
    """Faults and the log."""

    def test_status(self):
        """A fault answers in place of the server, after those that it skips; nothing is done."""
        token = self.sign_in().token["refresh_token"]
        self.control("log", method="DELETE")
        self.fault({"status": 503, "headers": {"Retry-After": "0"}, "body": {"error": "temporarily_unavailable"}},
                   path="/token$", form="grant_type=refresh_token", skip=1, count=2)
        second = self.refresh(token).json()["refresh_token"]
        for _ in range(2):
            answer = self.refresh(second)
            self.assertEqual((answer.status_code, answer.headers["Retry-After"]), (503, "0"))
        self.assertEqual(self.refresh(second).status_code, 200)
        self.assertEqual([one["status"] for one in self.control("log")], [200, 503, 503, 200])

    def test_lost_answer(self):
        """A refresh whose answer is lost has rotated: the old token ends the family, without grace."""
        for grace, status in ((0, 400), (60, 200)):
            self.set(rotation_grace=grace)
            token = self.sign_in().token["refresh_token"]
            self.fault({"lose": True}, path="/token$")
            with self.assertRaises(requests.ConnectionError):
                self.refresh(token)
            self.assertEqual(self.refresh(token).status_code, status)
        self.assertEqual(self.control("log")[-2]["fault"], {"lose": True})

    def test_dropped_request(self):
        """A dropped request has done nothing."""
        token = self.sign_in().token["refresh_token"]
        self.fault({"drop": True}, method="POST")
        with self.assertRaises(requests.ConnectionError):
            self.refresh(token)
        self.assertEqual(self.refresh(token).status_code, 200)

    def test_cut_answer(self):
        """An answer breaks off in the middle of its body."""
        self.fault({"cut": True})
        with self.assertRaises((requests.exceptions.ChunkedEncodingError, requests.ConnectionError)):
            self.http.get(self.issuer + "/activate")

    def test_delay(self):
        """An answer comes late."""
        self.fault({"delay": 0.3})
        start = time.monotonic()
        self.http.get(self.issuer + "/activate")
        self.assertGreater(time.monotonic() - start, 0.29)

    def test_log_and_secrets(self):
        """The log has fields as sent; the secrets are listed for searches."""
        session = self.sign_in()
        entry = next(one for one in self.control("log") if one["path"] == f"/{self.name}/token")
        self.assertEqual((entry["method"], entry["form"]["grant_type"]), ("POST", "authorization_code"))
        secrets = self.control("secrets")
        for value in (session.token["access_token"], session.token["refresh_token"], entry["form"]["code"],
                      entry["form"]["code_verifier"]):
            self.assertIn(value, secrets)

    def test_wrong_controls(self):
        """Unknown settings, values, faults and addresses are errors, which a test sees."""
        for name, value in (("settings", {"unknown": 1}), ("settings", {"rotation": 1}), ("faults", [{"do": {}}]),
                            ("faults", [{"do": {"status": 500}, "pth": "x"}]), ("decide", {"decide": "perhaps"})):
            answer = self.http.post(f"{self.base}/-/{self.name}/{name}", data=json.dumps(value))
            self.assertEqual(answer.status_code, 400, (name, value))
        self.assertEqual(self.http.get(f"{self.base}/-/{self.name}/nothing").status_code, 404)

    def test_apart(self):
        """Issuers share nothing, and one can be forgotten."""
        session = self.sign_in()
        self.assertEqual(self.http.get(f"{self.base}/-/{self.name}x/secrets").json(), [])
        self.assertEqual(self.http.delete(f"{self.base}/-/{self.name}").status_code, 200)
        self.assertEqual(self.check(session.token["access_token"]), 401)
