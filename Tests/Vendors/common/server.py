# SPDX-License-Identifier: Apache-2.0
"""The HTTP server of a double: HTTP/1.1 with connections kept open, on 127.0.0.1 only."""

import argparse
import http
import http.server
import os
import signal
import socket
import sys
import threading
import traceback

from .accounts import Accounts
from .control import Control
from .messages import Answer, Request, parse_target
from .vendor import Dispatcher, Lost


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads requests from a connection and writes their answers."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 0
    control = None  # set by `make_server`
    dispatcher = None

    def _serve(self):
        """Serves one request."""
        path, query = parse_target(self.path)
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        request = Request(self.command, path, query, headers, self._read_body())
        try:
            if path.startswith("/-/"):
                self._send(self.control.answer(request))
            else:
                self._send(self.dispatcher.handle(request))
        except Lost as lost:
            if lost.cut is not None:
                self._send(lost.cut, half=True)
            self._close()
        except ConnectionError:
            self._close()
        except Exception:
            traceback.print_exc()
            self._send(Answer(500, {"error": {"code": 500, "message": traceback.format_exc()}}))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve

    def _read_body(self):
        """The body, by its length or in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def _send(self, answer, half=False):
        """Writes an answer in one piece; by half, only half of its body."""
        content = answer.content()
        try:
            phrase = http.HTTPStatus(answer.status).phrase
        except ValueError:
            phrase = "Status"
        lines = [f"HTTP/1.1 {answer.status} {phrase}", f"Date: {self.date_time_string()}"]
        lines += [f"{name}: {value}" for name, value in answer.all_headers().items()]
        if answer.status not in (204, 304):
            lines.append(f"Content-Length: {len(content)}")
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8")
        if half:
            content = content[: len(content) // 2]
        self.wfile.write(head + content)

    def _close(self):
        """Closes the connection."""
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def log_message(self, *arguments):
        """Prints nothing: the log is at a control address."""


class Server(http.server.ThreadingHTTPServer):
    """A server whose threads end with the program."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        """Passes over connections that a client closed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)


def make_server(vendor, port=0):
    """A server for a vendor's double, bound but not yet serving."""
    accounts = Accounts(vendor.make_state)
    parts = {"control": Control(vendor, accounts), "dispatcher": Dispatcher(vendor, accounts)}
    return Server(("127.0.0.1", port), type("VendorHandler", (Handler,), parts))


def main(vendor, description):
    """Runs a double until SIGTERM, or until standard input ends if that is asked for."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0, help="port, 0 for any that is free")
    parser.add_argument("--lifeline", action="store_true", help="end when standard input ends")
    options = parser.parse_args()
    server = make_server(vendor, options.port)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if options.lifeline:
        threading.Thread(target=_watch_lifeline, daemon=True).start()
    print(f"ready {server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


def _watch_lifeline():
    """Ends the program when standard input ends."""
    while sys.stdin.buffer.read1(4096):
        pass
    os._exit(0)
