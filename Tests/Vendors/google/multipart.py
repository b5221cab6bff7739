# SPDX-License-Identifier: Apache-2.0
"""Batches: multipart/mixed with a whole HTTP request in each part.

Source: developers.google.com/workspace/calendar/api/guides/batch. Headers of the batch, but those
that begin with Content-, hold for each part that has not its own, and so do query parameters; a part
names a path, no full URL.
"""

import email.message
import email.parser
import http
import re

from common.messages import Answer, Request, parse_target
from errors import invalid

BOUNDARY = "batch_double"
REQUEST_LINE = re.compile(r"([A-Z]+) (\S+)(?: HTTP/1\.[01])?")


def read(request):
    """The parts of a batch as pairs of a Content-ID, maybe none, and a Request."""
    message = email.message.Message()
    message["Content-Type"] = request.header("content-type", "")
    boundary = message.get_param("boundary")
    if message.get_content_type() != "multipart/mixed" or not boundary:
        raise invalid("badRequest", "A batch is multipart/mixed with a boundary.")
    body = re.sub(rb"\r?\n", b"\r\n", request.body)
    pieces = (b"\r\n" + body).split(b"\r\n--" + boundary.encode())
    if len(pieces) < 3 or not pieces[-1].startswith(b"--"):
        raise invalid("badRequest", "The batch has no parts or no end.")
    return [read_part(piece, request) for piece in pieces[1:-1]]


def read_part(piece, outer):
    """A part's Content-ID and Request."""
    head, _, inner = piece.lstrip(b"\r\n").partition(b"\r\n\r\n")
    headers = email.parser.BytesHeaderParser().parsebytes(head)
    if headers.get_content_type() != "application/http":
        raise invalid("badRequest", "A part of a batch is application/http.")
    first, _, rest = inner.lstrip(b"\r\n").partition(b"\r\n")
    found = REQUEST_LINE.fullmatch(first.decode("utf-8", "replace").strip())
    if not found:
        raise invalid("badRequest", "A part of a batch has no request line.")
    if not found[2].startswith("/"):
        raise invalid("badRequest", "A part of a batch names a path only, no full URL.")
    own_head, _, body = rest.partition(b"\r\n\r\n") if not rest.startswith(b"\r\n") else (b"", b"", rest[2:])
    own = email.parser.BytesHeaderParser().parsebytes(own_head)
    merged = {k: v for k, v in outer.headers.items() if not k.startswith("content-")}
    merged.update({name.lower(): value for name, value in own.items()})
    length = own.get("Content-Length")
    body = body[: int(length)] if length and length.isdigit() else body.rstrip(b"\r\n")
    path, query = parse_target(found[2])
    query += [pair for pair in outer.query if pair[0] not in dict(query)]
    return headers.get("Content-ID"), Request(found[1], path, query, merged, body, in_batch=True)


def write(answers):
    """The Answer with the answers to the parts, pairs of a Content-ID and an Answer."""
    pieces = []
    for content_id, answer in answers:
        content = answer.content()
        lines = [f"--{BOUNDARY}", "Content-Type: application/http"]
        if content_id:
            lines.append(f"Content-ID: <response-{content_id.strip().strip('<>')}>")
        phrase = http.HTTPStatus(answer.status).phrase
        lines += ["", f"HTTP/1.1 {answer.status} {phrase}"]
        lines += [f"{name}: {value}" for name, value in answer.all_headers().items()]
        lines += [f"Content-Length: {len(content)}", "", ""]
        pieces.append("\r\n".join(lines).encode("utf-8") + content + b"\r\n")
    pieces.append(f"--{BOUNDARY}--\r\n".encode())
    return Answer(200, b"".join(pieces), {"Content-Type": f"multipart/mixed; boundary={BOUNDARY}"})
