# SPDX-License-Identifier: Apache-2.0
"""What the tests of the authorization server share: the running program, and clients that are not ours."""

import itertools
import os
import pathlib
import subprocess
import sys
import unittest
import urllib.parse

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

HERE = pathlib.Path(__file__).parent
REDIRECT = "http://127.0.0.1:49152/callback"
SCOPE = "calendars.read calendars.write"
_numbers = itertools.count(1)


def start(*arguments):
    """Starts the server; returns the process and the port."""
    process = subprocess.Popen([sys.executable, HERE / "server.py", "--port", "0", *arguments], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    word, port = process.stdout.readline().split()
    assert word == "ready", word
    return process, int(port)


def fields_of(address):
    """The parameters in the query of an address."""
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))


class Scene(unittest.TestCase):
    """A test with an issuer of its own. Authlib's client is used, or plain requests."""

    @classmethod
    def setUpClass(cls):
        """Starts the server."""
        os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
        cls.process, port = start("--lifeline")
        cls.base = f"http://127.0.0.1:{port}"

    @classmethod
    def tearDownClass(cls):
        """Ends the server by closing its standard input."""
        cls.process.stdin.close()
        assert cls.process.wait(5) == 0
        cls.process.stdout.close()

    def setUp(self):
        """Takes a new issuer whose user allows all."""
        self.name = f"issuer{next(_numbers)}"
        self.issuer = f"{self.base}/{self.name}"
        self.http = requests.Session()
        self.http.trust_env = False
        self.addCleanup(self.http.close)
        self.violations = []
        self.set(decide="allow")

    def tearDown(self):
        """Expects exactly the violations that the test has announced."""
        found = [one["reason"] for one in self.control("violations")]
        self.assertEqual(len(found), len(self.violations), found)
        for reason, expected in zip(found, self.violations):
            self.assertIn(expected, reason)

    def control(self, name, value=None, method=None):
        """Reads a control address, or sends it a JSON value."""
        method = method or ("GET" if value is None else "POST")
        answer = self.http.request(method, f"{self.base}/-/{self.name}/{name}", json=value)
        self.assertEqual(answer.status_code, 200, answer.text)
        return answer.json()

    def set(self, **settings):
        """Changes settings; underscores stand for hyphens."""
        self.control("settings", {name.replace("_", "-"): value for name, value in settings.items()})

    def fault(self, do, **where):
        """Sets one fault."""
        self.control("faults", [{"do": do, **where}])

    def session(self, **options):
        """A client of Authlib, public and with PKCE."""
        options = {"client_id": "epact", "scope": SCOPE, "redirect_uri": REDIRECT, "code_challenge_method": "S256",
                   "token_endpoint_auth_method": "none", **options}
        session = OAuth2Session(**options)
        session.trust_env = False
        self.addCleanup(session.close)
        return session

    def authorize(self, session, **parameters):
        """Asks for authorization; returns the address that the browser ends at, and the verifier."""
        verifier = generate_token(64)
        address, _ = session.create_authorization_url(self.issuer + "/authorize", code_verifier=verifier, **parameters)
        answer = self.http.get(address, allow_redirects=False)
        self.assertEqual(answer.status_code, 302, answer.text)
        return answer.headers["Location"], verifier

    def sign_in(self, **parameters):
        """A client that has tokens."""
        session = self.session()
        location, verifier = self.authorize(session, **parameters)
        session.fetch_token(self.issuer + "/token", authorization_response=location, code_verifier=verifier)
        return session

    def token(self, **form):
        """Sends a form to the token endpoint by requests."""
        return self.http.post(self.issuer + "/token", data={"client_id": "epact", **form})

    def refresh(self, refresh_token, **form):
        """Refreshes by requests."""
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **form)

    def check(self, access_token, **options):
        """The status of a protected resource."""
        return self.http.get(f"{self.base}/-/{self.name}/check",
                             headers={"Authorization": f"Bearer {access_token}"}, **options).status_code

    def assert_error(self, answer, error, status=400):
        """Expects an error of the token endpoint."""
        self.assertEqual((answer.status_code, answer.json().get("error")), (status, error), answer.text)
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
