# SPDX-License-Identifier: Apache-2.0
"""The device flow: RFC 8628."""

from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE

from scene import SCOPE, Scene


class DeviceTests(Scene):
    """From the request of a device to its tokens."""

    def start(self, **form):
        """The answer to the request of a device."""
        answer = self.http.post(self.issuer + "/device", data={"client_id": "epact", "scope": SCOPE, **form})
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()

    def poll(self, device):
        """Polls once."""
        return self.token(grant_type=DEVICE_CODE_GRANT_TYPE, device_code=device["device_code"])

    def test_flow(self):
        """Polls are pending until the user has allowed; a code is used once; Authlib's client takes the token."""
        device = self.start()
        self.assertEqual((device["interval"], device["expires_in"]), (5, 900))
        self.assert_error(self.poll(device), "authorization_pending")
        self.assertIn("Connected", self.http.get(device["verification_uri_complete"]).text)
        self.control("advance", {"seconds": 5})
        session = self.session()
        token = session.fetch_token(self.issuer + "/token", grant_type=DEVICE_CODE_GRANT_TYPE,
                                    device_code=device["device_code"])
        self.assertEqual((token["scope"], self.check(token["access_token"])), (SCOPE, 200))
        self.assertEqual(self.refresh(token["refresh_token"]).status_code, 200)
        self.assertEqual(self.poll(device).status_code, 400)

    def test_form(self):
        """The page takes the code in small letters and without a hyphen, and its buttons decide."""
        self.set(decide="ask")
        device = self.start()
        page = self.http.get(device["verification_uri"])
        self.assertIn("user_code", page.text)
        typed = device["user_code"].lower().replace("-", "")
        asked = self.http.get(device["verification_uri"], params={"user_code": typed})
        self.assertIn("calendars.read", asked.text)
        refused = self.http.post(device["verification_uri"], data={"user_code": typed, "decision": "refuse"})
        self.assertIn("Refused", refused.text)
        self.assert_error(self.poll(device), "access_denied")
        self.assertIn("not valid", self.http.get(device["verification_uri"], params={"user_code": "x"}).text)

    def test_slow_down(self):
        """An early poll is answered with `slow_down`, is a violation, and adds five seconds."""
        device = self.start()
        self.assert_error(self.poll(device), "authorization_pending")
        self.assert_error(self.poll(device), "slow_down")
        self.control("advance", {"seconds": 6})
        self.assert_error(self.poll(device), "slow_down")
        self.control("advance", {"seconds": 16})
        self.assert_error(self.poll(device), "authorization_pending")
        self.violations = ["poll", "poll"]

    def test_forced_slow_down(self):
        """`slow_down` comes as often as the setting says, for polls in time, too."""
        self.set(slow_down=1, interval=0)
        device = self.start()
        self.assert_error(self.poll(device), "slow_down")
        self.control("advance", {"seconds": 5})
        self.assert_error(self.poll(device), "authorization_pending")

    def test_decision_without_page(self):
        """The user decides after some polls."""
        for decide, status in (("allow", 200), ("refuse", 400)):
            self.set(decide=decide, device_decides_after=2, enforce_interval=False)
            device = self.start()
            for _ in range(2):
                self.assert_error(self.poll(device), "authorization_pending")
            self.assertEqual(self.poll(device).status_code, status)

    def test_expiry(self):
        """A code that nobody allowed in time is expired."""
        device = self.start()
        self.control("advance", {"seconds": 901})
        self.assert_error(self.poll(device), "expired_token")
        self.assertIn("not valid", self.http.get(device["verification_uri_complete"]).text)

    def test_vendor(self):
        """The codes and fields of a vendor: another word for a refusal, no complete address, no endpoint."""
        self.set(device_errors="microsoft", verification_uri_complete=False, decide="refuse",
                 refresh_token="offline-access")
        device = self.start()
        self.assertNotIn("verification_uri_complete", device)
        self.http.get(device["verification_uri"], params={"user_code": device["user_code"]})
        self.assert_error(self.poll(device), "authorization_declined")
        self.assert_error(self.poll({"device_code": "unknown"}), "bad_verification_code")
        self.set(device_flow="absent")
        self.assertEqual(self.http.post(self.issuer + "/device", data={"client_id": "epact"}).status_code, 404)

    def test_unknown_client(self):
        """A client that is not registered gets no code."""
        answer = self.http.post(self.issuer + "/device", data={"client_id": "nobody", "scope": SCOPE})
        self.assert_error(answer, "invalid_client")
