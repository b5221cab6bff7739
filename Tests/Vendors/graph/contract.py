# SPDX-License-Identifier: Apache-2.0
"""Checks requests and answers against contract.json."""

import functools
import json
import pathlib

from common.schema import Schemas

CONTRACT = json.loads((pathlib.Path(__file__).parent / "contract.json").read_text())
SCHEMAS = CONTRACT["schemas"]
OPERATIONS = CONTRACT["operations"]
WRITABLE = {
    kind: {use: set(names) for use, names in uses.items()} for kind, uses in CONTRACT["writable"].items()
}
# An example of docs api/event-update.md sends a null for `recurrence`; no document shows other nulls.
NULLABLE = {"recurrence"}
ANNOTATION = {"type": "string"}
ITEMS = {"eventCollectionResponse": "event", "calendarCollectionResponse": "calendar"}
STATES = {"calendar@odata.associationLink", "calendar@odata.navigationLink"}
BETA = {"occurrenceId": {"type": "string"}, "uid": {"type": "string"}}


def _with_annotations():
    """The schemas with the annotations that answers carry."""
    schemas = {name: {**schema, "properties": dict(schema["properties"])} for name, schema in SCHEMAS.items()}
    for name in ("event", "calendar", "user", "eventCollectionResponse", "calendarCollectionResponse"):
        properties = schemas[name]["properties"]
        for annotation in ("@odata.context", "@odata.etag", "@odata.id"):
            properties[annotation] = ANNOTATION
    event = schemas["event"]["properties"]
    event.update({name: ANNOTATION for name in STATES})
    reason = {"type": "string", "enum": ["deleted", "changed"]}
    event["@removed"] = {"type": "object", "properties": {"reason": reason}}
    schemas["eventCollectionResponse"]["properties"]["@odata.deltaLink"] = ANNOTATION
    event.update(BETA)
    return schemas


REQUESTS = Schemas(SCHEMAS)
ANSWERS = Schemas(_with_annotations())


def request_faults(kind, body, use):
    """The reasons why a body does not fit; `use` is create or update."""
    if not isinstance(body, dict):
        return [f"{kind}: no object"]
    faults = []
    for name, value in body.items():
        if name == "body" and isinstance(value, dict) and value.get("contentType") == "HTML":
            value["contentType"] = "html"  # so written in an example of docs api/calendar-post-events.md
        if name == "@odata.type":
            if value != f"#microsoft.graph.{kind}":
                faults.append(f"{kind}.@odata.type: {value!r}")
        elif name not in SCHEMAS[kind]["properties"]:
            faults.append(f"{kind}.{name}: unknown field")
        elif name not in WRITABLE[kind][use]:
            faults.append(f"{kind}.{name}: not writable in {use}")
        elif value is None and name in NULLABLE and use == "update":
            continue
        else:
            faults += REQUESTS.check(value, SCHEMAS[kind]["properties"][name], f"{kind}.{name}")
    return faults


def _without_nulls(value):
    """A value without fields that are null, which the contract permits for each property."""
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def answer_faults(kind, body, beta=False):
    """The reasons why an answer does not fit the schema of its kind."""
    if "value" not in body or kind not in ITEMS:
        return list(_faults(kind, json.dumps(body), beta))
    faults = list(_faults(kind, json.dumps({**body, "value": []}), beta))
    for item in body["value"]:
        faults += _faults(ITEMS[kind], json.dumps(item), beta)
    return faults


@functools.lru_cache(maxsize=20000)
def _faults(kind, text, beta):
    """The faults of an object in JSON; most objects are sent more than once."""
    value = json.loads(text)
    faults = ANSWERS.check(_without_nulls(value), {"$ref": kind}, kind)
    if not beta and kind == "event":
        faults += [f"{name}: not in v1.0" for name in BETA if name in value]
    return tuple(faults)


def check_query(template, method, query):
    """The reasons why query options do not fit an address."""
    operation = OPERATIONS[template]
    if method not in operation["methods"]:
        return []
    known = set(operation["query"]) | set(operation["given"]) if method == "GET" else set()
    if template.endswith("/delta"):
        known |= {"$deltatoken", "$skiptoken"}
    elif "$top" in known:
        known.add("$skiptoken")
    names = [name for name, _ in query]
    faults = [f"{method} {template}: unknown query option {name}" for name in sorted(set(names) - known)]
    return faults + [f"{name} is given twice" for name in sorted({x for x in names if names.count(x) > 1})]
