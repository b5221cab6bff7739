# SPDX-License-Identifier: Apache-2.0
"""An authorization server for tests, on Authlib, with a protected resource in front of a CalDAV server.

usage: server.py [--port N] [--lifeline]

It listens on 127.0.0.1 and prints `ready PORT`. Issuers are made at their first use and share nothing.

    /ISSUER/authorize, /token, /device, /activate (the page for devices), /revoke
    /.well-known/oauth-authorization-server/ISSUER, /.well-known/openid-configuration/ISSUER,
    /ISSUER/.well-known/openid-configuration
    /.well-known/oauth-protected-resource/PATH      for each PATH below /ISSUER, /-/ISSUER/check and /dav/ISSUER
    /dav/ISSUER/…                                   the CalDAV server of the setting `upstream`, behind a token
    /-/ISSUER/check                                 a protected resource: 200 with the scope, or 401
    /-/ISSUER                                       DELETE forgets the issuer
    /-/ISSUER/{log,violations,faults,settings,decide,revoke-all,expire,advance,secrets}     see control.py

Clients: `epact` (public, PKCE required) and `desktop` with the secret `not-a-secret`.
"""

import argparse
import email.utils
import http.server
import os
import signal
import sys
import threading

# Authlib refuses addresses without TLS otherwise. The server is reached at a loopback address only.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from exchange import Request  # noqa: E402
from world import World  # noqa: E402

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PROPPATCH", "REPORT", "MKCALENDAR",
           "MKCOL", "MOVE", "COPY", "ACL", "LOCK", "UNLOCK")


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads requests from one connection and writes their answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def exchange(self):
        """Reads one request and answers it."""
        request = Request(self.command, self.path, self.headers, self._read_body())
        answer = self.server.world.answer(request)
        if answer.ending == "close":
            self.close_connection = True
            return
        self._write_head(request, answer)
        body = b"" if self.command == "HEAD" or answer.status in (204, 304) else answer.body
        if answer.ending == "cut":
            self.close_connection = True
            body = body[:len(body) // 2]
        self.wfile.write(body)
        self.wfile.flush()

    def handle_expect_100(self):
        """Asks for the body, without waiting for the buffer to fill."""
        super().handle_expect_100()
        self.wfile.flush()
        return True

    def _write_head(self, request, answer):
        """Writes the status line and the headers."""
        now = self.server.world.shown_time(request)
        self.send_response_only(answer.status)
        self.send_header("Date", email.utils.formatdate(now, usegmt=True))
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status not in (204, 304) and answer.header("Content-Length") is None:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()

    def _read_body(self):
        """The body of the request, by its length or in chunks (RFC 9112 §7.1)."""
        if "chunked" not in (self.headers.get("Transfer-Encoding") or "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline() not in (b"\r\n", b"\n", b""):
            pass
        return body

    def log_message(self, format, *args):  # noqa: A002, the name is the library's
        """Writes nothing: the log is read by its address."""


for name in METHODS:
    setattr(Handler, f"do_{name}", Handler.exchange)


class Program(http.server.ThreadingHTTPServer):
    """The listening program."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port):
        """Listens on the port, or on a free one for 0."""
        super().__init__(("127.0.0.1", port), Handler)
        self.world = World(f"http://127.0.0.1:{self.server_address[1]}")

    def handle_error(self, request, client_address):
        """Reports errors of this program, and not connections that a client has closed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    """Serves until SIGTERM, or until standard input closes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--port", type=int, default=0, help="listen on this port; 0 takes a free one")
    parser.add_argument("--lifeline", action="store_true", help="end when standard input closes")
    options = parser.parse_args()
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    program = Program(options.port)
    threading.Thread(target=program.serve_forever, daemon=True).start()
    if options.lifeline:
        threading.Thread(target=lambda: (sys.stdin.buffer.read(), over.set()), daemon=True).start()
    print(f"ready {program.server_address[1]}", flush=True)
    over.wait()


if __name__ == "__main__":
    main()
