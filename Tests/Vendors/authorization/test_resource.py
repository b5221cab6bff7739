# SPDX-License-Identifier: Apache-2.0
"""Metadata, protected resources, CalDAV behind a token, and the browser."""

import http.server
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

from authlib.oauth2 import rfc9207
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

from scene import HERE, SCOPE, Scene, fields_of, start

PROPFIND = """<?xml version="1.0"?>
<propfind xmlns="DAV:"><prop><resourcetype/><current-user-principal/></prop></propfind>"""


class MetadataTests(Scene):
    """RFC 8414, RFC 9207 and RFC 9728."""

    def metadata(self):
        """The metadata of the issuer."""
        return self.http.get(self.base + get_well_known_url(self.issuer)).json()

    def test_issuer(self):
        """Authlib accepts the metadata, except that its addresses are without TLS."""
        found = self.metadata()
        self.assertEqual(found["issuer"], self.issuer)
        secure = {name: value.replace("http:", "https:") if isinstance(value, str) else value
                  for name, value in found.items()}
        AuthorizationServerMetadata(secure).validate(metadata_classes=[rfc9207.AuthorizationServerMetadata])
        for address in (f"{self.base}/.well-known/openid-configuration/{self.name}",
                        f"{self.issuer}/.well-known/openid-configuration"):
            other = self.http.get(address).json()
            self.assertEqual({name: other[name] for name in found}, found)
        self.assertEqual(self.http.get(other["jwks_uri"]).json(), {"keys": []})

    def test_settings(self):
        """The metadata follows the settings, and single fields can be replaced."""
        self.set(iss="absent", device_flow="absent", revocation="absent", metadata_override={
            "issuer": "https://another.example", "code_challenge_methods_supported": None})
        found = self.metadata()
        self.assertEqual(found["issuer"], "https://another.example")
        for name in ("authorization_response_iss_parameter_supported", "device_authorization_endpoint",
                     "revocation_endpoint", "code_challenge_methods_supported"):
            self.assertNotIn(name, found)
        self.set(iss="missing")
        self.assertTrue(self.metadata()["authorization_response_iss_parameter_supported"])

    def test_resource(self):
        """The challenge leads to metadata that names the requested address and the issuer."""
        for path in (f"/-/{self.name}/check", f"/dav/{self.name}/alice/work/"):
            answer = self.http.get(self.base + path)
            self.assertEqual(answer.status_code, 401)
            address = f"{self.base}/.well-known/oauth-protected-resource{path}"
            self.assertEqual(answer.headers["WWW-Authenticate"], f'Bearer resource_metadata="{address}"')
            found = self.http.get(address).json()
            self.assertEqual((found["resource"], found["authorization_servers"]), (self.base + path, [self.issuer]))
        self.set(resource_metadata="prefix")
        self.assertEqual(self.http.get(address).json()["resource"], f"{self.base}/dav/{self.name}/")
        self.set(resource_metadata="wrong", resource_metadata_override={"authorization_servers": None})
        self.assertEqual(self.http.get(address).json()["resource"], "https://another.example" + path)
        self.set(resource_metadata="absent")
        self.assertEqual(self.http.get(address).status_code, 404)
        short = f"{self.base}/.well-known/oauth-protected-resource/{self.name}"
        self.set(resource_metadata="exact")
        self.assertEqual(self.http.get(short).json()["resource"], self.issuer)

    def test_challenges(self):
        """Challenges come bare, with Basic in one header, and with Basic in two."""
        for rule, count in (("bare", 1), ("basic-bearer", 1), ("bearer-basic", 2)):
            self.set(challenge=rule)
            found = self.http.get(f"{self.base}/-/{self.name}/check").raw.headers.getlist("WWW-Authenticate")
            self.assertEqual(len(found), count)
            self.assertEqual("resource_metadata" in found[0], rule != "bare")
            self.assertEqual("Basic" in " ".join(found), rule != "bare")

    def test_check(self):
        """A wrong token and a missing scope are named in the challenge."""
        address = f"{self.base}/-/{self.name}/check"
        answer = self.http.get(address, headers={"Authorization": "Bearer wrong"})
        self.assertEqual(answer.status_code, 401)
        self.assertIn('error="invalid_token"', answer.headers["WWW-Authenticate"])
        token = self.sign_in().token["access_token"]
        self.assertEqual(self.check(token, params={"scope": "calendars.read"}), 200)
        self.assertEqual(self.check(token, params={"scope": "mail"}), 403)
        self.assertEqual(self.http.get(address, params={"access_token": token}).status_code, 401)
        self.assertEqual(self.check(self.sign_in().token["refresh_token"]), 401)
        self.violations = ["access_token in the query", "a secret of the kind refresh as access_token"]


class Echo(http.server.BaseHTTPRequestHandler):
    """A server behind the proxy that notes requests."""

    def do_PUT(self):
        """Answers with an ETag."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.found.append((self.path, dict(self.headers), body))
        self.send_response(201)
        self.send_header("ETag", '"1"')
        self.end_headers()

    def log_message(self, format, *args):  # noqa: A002, the name is the library's
        """Writes nothing."""


class ProxyTests(Scene):
    """CalDAV behind a token."""

    def test_forwarding(self):
        """The request arrives whole, with Basic in place of the token, also when it came in chunks."""
        with http.server.HTTPServer(("127.0.0.1", 0), Echo) as behind:
            behind.found = []
            threading.Thread(target=behind.serve_forever, args=(0.02,), daemon=True).start()
            token = self.sign_in().token["access_token"]
            headers = {"Authorization": f"Bearer {token}", "If-None-Match": "*"}
            address = f"{self.base}/dav/{self.name}/alice/a%20b.ics?x=1"
            self.assertEqual(self.http.put(address, b"x", headers=headers).status_code, 502)
            self.set(upstream=f"http://127.0.0.1:{behind.server_port}")
            for body in (b"BEGIN", iter([b"BE", b"GIN"])):
                answer = self.http.put(address, body, headers=headers)
                self.assertEqual((answer.status_code, answer.headers["ETag"]), (201, '"1"'))
                path, found, received = behind.found.pop()
                self.assertEqual((path, received), ("/alice/a%20b.ics?x=1", b"BEGIN"))
                self.assertEqual(found["Authorization"], "Basic YWxpY2U6czNjcmV0")
                self.assertEqual((found["If-None-Match"], found["X-Script-Name"]), ("*", f"/dav/{self.name}"))
                self.assertNotIn(token, str(found))
            self.set(upstream_token="inner")
            self.http.put(address, b"x", headers=headers)
            self.assertEqual(behind.found.pop()[1]["Authorization"], "Bearer inner")
            self.set(dav_scope="mail")
            answer = self.http.put(address, b"x", headers=headers)
            self.assertEqual(answer.status_code, 403)
            self.assertIn('error="insufficient_scope"', answer.headers["WWW-Authenticate"])
            self.assertIn('scope="mail"', answer.headers["WWW-Authenticate"])
            behind.shutdown()

    def test_radicale(self):
        """Radicale answers through the proxy with addresses that lead through the proxy again."""
        with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
            free.close()
            users = os.path.join(folder, "users")
            with open(users, "w", encoding="utf-8") as file:
                file.write("alice:s3cret\n")
            process = subprocess.Popen(
                [sys.executable, "-m", "radicale", "--config", "", "--server-hosts", f"127.0.0.1:{port}",
                 "--storage-filesystem-folder", folder, "--auth-type", "htpasswd", "--auth-htpasswd-filename", users,
                 "--auth-htpasswd-encryption", "plain"], stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.terminate)
            self.set(upstream=f"http://127.0.0.1:{port}")
            token = self.sign_in().token["access_token"]
            root = f"{self.base}/dav/{self.name}"

            def send(method, path, **options):
                """Sends a request with the token."""
                options["headers"] = {"Authorization": f"Bearer {token}", **options.get("headers", {})}
                return self.http.request(method, root + path, **options)
            self.wait_for(lambda: send("PROPFIND", "/").status_code != 502)
            found = send("PROPFIND", "/", data=PROPFIND, headers={"Depth": "0"})
            self.assertEqual(found.status_code, 207)
            self.assertIn(f"<href>/dav/{self.name}/alice/</href>", found.text)
            self.assertEqual(send("MKCALENDAR", "/alice/work/").status_code, 201)
            event = "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test", "BEGIN:VEVENT", "UID:1",
                                 "DTSTAMP:20270101T000000Z", "DTSTART:20270101T120000Z", "END:VEVENT",
                                 "END:VCALENDAR", ""])
            self.assertEqual(send("PUT", "/alice/work/1.ics", data=event).status_code, 201)
            moved = send("MOVE", "/alice/work/1.ics", headers={"Destination": f"{root}/alice/work/2.ics"})
            self.assertEqual(moved.status_code, 201)
            text = send("GET", "/alice/work/2.ics")
            self.assertIn("UID:1", text.text)
            head = send("HEAD", "/alice/work/2.ics", headers={"Accept-Encoding": "identity"})
            self.assertEqual(head.headers["Content-Length"], str(len(text.content)))
            self.assertEqual(send("GET", "/alice/work/1.ics").status_code, 404)

    def wait_for(self, ready):
        """Waits until the condition holds."""
        for _ in range(100):
            if ready():
                return
            time.sleep(0.05)
        self.fail("not ready in five seconds")


class Callback(http.server.BaseHTTPRequestHandler):
    """The client's loopback address."""

    def do_GET(self):
        """Notes the address."""
        self.server.found.append(self.path)
        body = b"<p>You can close this page.</p>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):  # noqa: A002, the name is the library's
        """Writes nothing."""


class BrowserTests(Scene):
    """The browser of tests."""

    def setUp(self):
        """Listens at a loopback address, as a client does, and lets the pages ask."""
        super().setUp()
        self.set(decide="ask")
        self.client = http.server.HTTPServer(("127.0.0.1", 0), Callback)
        self.client.found = []
        threading.Thread(target=self.client.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(self.client.server_close)
        self.addCleanup(self.client.shutdown)
        session = self.session(redirect_uri=f"http://127.0.0.1:{self.client.server_port}/cb")
        self.address, self.state = session.create_authorization_url(
            self.issuer + "/authorize", code_verifier="v" * 43)

    def browse(self, *options, address=None):
        """The exit status and the output of the browser, and what came to the client."""
        done = subprocess.run([HERE / "browser.py", *options, address or self.address], capture_output=True, text=True,
                              timeout=10, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout, [fields_of(one) for one in self.client.found]

    def test_allow(self):
        """The browser presses Allow and shows the page of the client."""
        status, text, (found,) = self.browse()
        self.assertEqual((status, found["state"]), (0, self.state))
        self.assertIn("code", found)
        self.assertIn("You can close this page.", text)

    def test_refuse_and_wrong_state(self):
        """The browser presses Refuse, and brings another state."""
        _, _, (found,) = self.browse("--refuse", "--wrong-state")
        self.assertEqual((found["error"], found["state"]), ("access_denied", "wrong"))

    def test_never(self):
        """The browser opens the page and does nothing."""
        self.assertEqual(self.browse("--never"), (0, "", []))
        self.assertEqual([one["method"] for one in self.control("log")], ["GET"])

    def test_paste(self):
        """The browser prints the address for pasting, and where nobody listens, too."""
        status, text, found = self.browse("--paste")
        self.assertEqual((status, found), (0, []))
        self.assertIn("code", fields_of(text.removeprefix("address: ")))
        self.client.server_close()
        session = self.session(redirect_uri="http://127.0.0.1:1/cb")
        address, _ = session.create_authorization_url(self.issuer + "/authorize", code_verifier="w" * 43)
        status, text, _ = self.browse(address=address)
        self.assertEqual(status, 1)
        self.assertIn("This page cannot be opened", text)

    def test_device(self):
        """The browser types the code of a device and presses Allow."""
        device = self.http.post(self.issuer + "/device", data={"client_id": "epact", "scope": SCOPE}).json()
        _, text, _ = self.browse("--user-code", device["user_code"], address=device["verification_uri"])
        self.assertIn("Connected", text)


class ProgramTests(Scene):
    """The program itself."""

    def test_end(self):
        """SIGTERM ends the program with status 0, without a lifeline, too."""
        process, _ = start()
        process.terminate()
        self.assertEqual(process.wait(5), 0)
        process.stdin.close()
        process.stdout.close()

    def test_speed(self):
        """A refresh takes a few milliseconds at most."""
        self.set(rotation=False)
        token = self.sign_in().token["refresh_token"]
        begin = time.monotonic()
        for _ in range(100):
            self.refresh(token)
        self.assertLess((time.monotonic() - begin) / 100, 0.02)
