# SPDX-License-Identifier: Apache-2.0
"""JSON batches (docs concepts/json-batching.md)."""

import base64
import json

from common.messages import Answer, Request, parse_target

from .errors import error_answer, violation

LIMIT = 20
KNOWN = {"id", "method", "url", "headers", "body", "dependsOn"}
PARALLEL = 4  # docs concepts/throttling-limits.md, Outlook service limits for JSON batching


def answer(account, request, dispatch):
    """The Answer to a batch."""
    parts = _parts(account, request)
    busy = account.in_flight - 1 if account.quirk("concurrency") else 0
    ordered = all(part.get("dependsOn") for part in parts[1:])
    statuses, responses = {}, []
    for index, part in enumerate(parts):
        number = part["id"].lower()
        if any(statuses[name.lower()] >= 400 for name in part.get("dependsOn", [])):
            found = error_answer(424)
        elif busy and not ordered and index % PARALLEL >= max(PARALLEL - busy, 0):
            found = error_answer(429, headers={"Retry-After": "1"})
        else:
            found = dispatch(_request(request, part))
        statuses[number] = found.status
        responses.append(_response(part["id"], found))
    if not account.quirk("batch-in-order"):
        responses.reverse()
    return Answer(200, {"responses": responses})


def _parts(account, request):
    """The parts of a batch, checked."""
    try:
        body = request.json()
        parts = body["requests"]
    except (ValueError, KeyError, TypeError):
        raise violation("Invalid batch payload format.") from None
    if set(body) != {"requests"} or not isinstance(parts, list) or not parts:
        raise violation("Invalid batch payload format.")
    if len(parts) > LIMIT:
        raise violation(f"The number of batch steps {len(parts)} exceeds {LIMIT}")
    seen = set()
    for part in parts:
        if account.quirk("batch-of-sdk"):
            part.pop("depends_on", None)
            part["url"] = part["url"].rpartition("/v1.0")[2]
        _check_part(part, seen)
        seen.add(part["id"].lower())
    return parts


def _check_part(part, seen):
    """Raises a violation if a part is malformed; `seen` has the identifiers before it."""
    if not isinstance(part, dict) or set(part) - KNOWN:
        raise violation(f"batch: unknown properties in {part!r}")
    if any(not isinstance(part.get(name), str) for name in ("id", "method", "url")):
        raise violation("batch: id, method and url are required strings")
    if not isinstance(part.get("headers", {}), dict) or not isinstance(part.get("dependsOn", []), list):
        raise violation("batch: headers must be an object, dependsOn an array")
    if part["id"].lower() in seen:
        raise violation(f"batch: id {part['id']} is given twice")
    if "://" in part["url"]:
        raise violation("batch: url must be relative")
    names = {name.lower() for name in part.get("headers", {})}
    if "body" in part and "content-type" not in names:
        raise violation("batch: a part with a body needs the header Content-Type")
    if unknown := [name for name in part.get("dependsOn", []) if name.lower() not in seen]:
        raise violation(f"batch: dependsOn {unknown[0]} is no request before this one")


def _request(request, part):
    """A part as a request with its own headers and the batch's authorization."""
    headers = {name.lower(): str(value) for name, value in part.get("headers", {}).items()}
    for name in ("authorization", "x-client", "host"):
        if name in request.headers:
            headers.setdefault(name, request.headers[name])
    path, pairs = parse_target("/v1.0/" + part["url"].lstrip("/"))
    body = part.get("body")
    content = (
        b""
        if body is None
        else json.dumps(body).encode() if not isinstance(body, str) else base64.b64decode(body)
    )
    return Request(part["method"].upper(), path, pairs, headers, content, True)


def _response(identifier, found):
    """The answer to a part."""
    response = {"id": identifier, "status": found.status, "headers": found.all_headers()}
    if found.body is not None:
        response["body"] = found.body
    return response
