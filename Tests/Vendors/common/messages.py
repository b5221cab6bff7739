# SPDX-License-Identifier: Apache-2.0
"""Requests and answers as values, apart from the sockets that carry them."""

import dataclasses
import json
import urllib.parse


@dataclasses.dataclass
class Request:
    """A request, whole or a part of a batch."""

    method: str
    path: str  # still percent-encoded, without the query
    query: list  # pairs of decoded names and values, in order
    headers: dict  # names in lower case
    body: bytes = b""
    in_batch: bool = False

    def header(self, name, default=None):
        """The value of a header, by a name in any case."""
        return self.headers.get(name.lower(), default)

    def segments(self):
        """The decoded parts of the path."""
        return [urllib.parse.unquote(part) for part in self.path.strip("/").split("/")]

    def values(self, name):
        """All values of a query parameter, in order."""
        return [value for key, value in self.query if key == name]

    def value(self, name, default=None):
        """The last value of a query parameter."""
        found = self.values(name)
        return found[-1] if found else default

    def json(self):
        """The body as JSON; raises ValueError if it is none."""
        return json.loads(self.body.decode("utf-8"))

    def bearer(self):
        """The bearer token, or none."""
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" and token.strip() else None


@dataclasses.dataclass
class Answer:
    """An answer; `body` is bytes, or a value that is sent as JSON, or none."""

    status: int = 200
    body: object = None
    headers: dict = dataclasses.field(default_factory=dict)

    def content(self):
        """The bytes of the body."""
        if self.body is None:
            return b""
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")

    def all_headers(self):
        """The headers with those that the body asks for."""
        headers = dict(self.headers)
        if self.body is not None and not isinstance(self.body, bytes):
            headers.setdefault("Content-Type", "application/json; charset=UTF-8")
        return headers


class Refusal(Exception):
    """Ends the handling of a request with an answer."""

    def __init__(self, answer, violation=None):
        """`violation` is the reason why the request breaks the contract, if it does."""
        super().__init__(violation or answer.status)
        self.answer = answer
        self.violation = violation


def parse_target(target):
    """The path and the query pairs of a request target."""
    path, _, query = target.partition("?")
    return path, urllib.parse.parse_qsl(query, keep_blank_values=True)
