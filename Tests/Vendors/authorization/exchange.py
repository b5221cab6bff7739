# SPDX-License-Identifier: Apache-2.0
"""Requests and answers of HTTP as values, and the view of a request that Authlib takes."""

import dataclasses
import json
import urllib.parse
from collections import defaultdict

from authlib.oauth2.rfc6749 import OAuth2Payload, OAuth2Request

FORM_TYPE = "application/x-www-form-urlencoded"


def parse_parameters(text):
    """The values of each parameter. A parameter without a value counts as omitted (RFC 6749 §3.1, §3.2)."""
    values = defaultdict(list)
    for name, value in urllib.parse.parse_qsl(text, errors="replace"):
        values[name].append(value)
    return values


class Request:
    """A request of HTTP that has been read completely."""

    def __init__(self, method, target, headers, body):
        """Keeps the parts; `target` is the path and the query as they were sent."""
        self.method = method
        self.path, _, self.query = target.partition("?")
        self.headers = headers
        self.body = body

    @property
    def media_type(self):
        """The media type of the body, without parameters, in lower case."""
        return (self.headers.get("Content-Type") or "").partition(";")[0].strip().lower()

    @property
    def args(self):
        """The values of each parameter in the query."""
        return parse_parameters(self.query)

    @property
    def form(self):
        """The values of each parameter in a form body; empty for another media type."""
        return parse_parameters(self.body.decode("utf-8", "replace")) if self.media_type == FORM_TYPE else {}

    def json(self):
        """The JSON value of the body, or None without a body."""
        return json.loads(self.body) if self.body else None


@dataclasses.dataclass
class Answer:
    """An answer of HTTP. `ending` is "send", "cut" (half the body) or "close" (nothing)."""

    status: int
    headers: list = dataclasses.field(default_factory=list)
    body: bytes = b""
    ending: str = "send"

    def header(self, name):
        """The value of the first header with this name, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def replace(self, name, value):
        """Sets a header that the answer already has."""
        self.headers = [(key, value if key.lower() == name.lower() else old) for key, old in self.headers]


def json_answer(value, status=200, headers=()):
    """An answer with a JSON body."""
    return Answer(status, [("Content-Type", "application/json"), *headers], json.dumps(value).encode())


def page_answer(text, status=200):
    """An answer with an HTML page."""
    return Answer(status, [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")], text.encode())


class Parameters(OAuth2Payload):
    """The parameters of a request, for Authlib: those of the query at the authorization endpoint, else of the form.

    The endpoints that take a form ignore the query, because secrets must not be in a URI (RFC 6749 §2.3.1).
    """

    def __init__(self, values):
        """Keeps the lists of values by name."""
        self._values = values

    @property
    def data(self):
        """The first value of each parameter."""
        return {name: values[0] for name, values in self._values.items()}

    @property
    def datalist(self):
        """All values of each parameter."""
        return self._values


class AuthlibRequest(OAuth2Request):
    """A request as Authlib reads it."""

    def __init__(self, request, from_query=False):
        """Takes the parameters from the query or from the form."""
        super().__init__(request.method, request.path, headers=request.headers)
        self.exchange = request
        self.payload = Parameters(request.args if from_query else request.form)

    @property
    def args(self):
        """The first value of each parameter in the query."""
        return {name: values[0] for name, values in self.exchange.args.items()}

    @property
    def form(self):
        """The first value of each parameter in the form."""
        return {name: values[0] for name, values in self.exchange.form.items()}
