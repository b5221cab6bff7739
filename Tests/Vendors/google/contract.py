# SPDX-License-Identifier: Apache-2.0
"""Google's discovery document of the Calendar API v3 as a contract for requests and answers.

The document is read from the package google-api-python-client. It names the values of many fields in
their descriptions only (`- "opaque" - ...`); these lists are taken as enumerations.
"""

import copy
import importlib.util
import json
import pathlib
import re

from common.schema import Schemas, check_parameter

DOCUMENT = "discovery_cache/documents/calendar.v3.json"
SCOPE = "https://www.googleapis.com/auth/"
LISTED = re.compile(r'^- "([^"]+)"', re.MULTILINE)


def read_document():
    """The discovery document of the installed package."""
    spec = importlib.util.find_spec("googleapiclient")
    if spec is None:
        raise SystemExit("error: the package google-api-python-client is not installed")
    return json.loads((pathlib.Path(spec.origin).parent / DOCUMENT).read_text(encoding="utf-8"))


def add_enumerations(schema):
    """Turns lists of values in descriptions into enumerations, throughout a schema."""
    if isinstance(schema, dict):
        listed = LISTED.findall(str(schema.get("description", "")))
        if schema.get("type") == "string" and listed and "enum" not in schema:
            schema["enum"] = listed
        for inner in schema.values():
            add_enumerations(inner)


class Method:
    """A method of the API."""

    def __init__(self, name, entry, common):
        """`name` as events.list, the document's entry, and the parameters of all methods."""
        self.name = name
        self.id = entry["id"]
        self.verb = entry["httpMethod"]
        self.path = entry["path"].split("/")
        self.parameters = {**common, **entry.get("parameters", {})}
        self.request = entry.get("request", {}).get("$ref")
        self.response = entry.get("response", {}).get("$ref")
        self.scopes = [scope.removeprefix(SCOPE) for scope in entry.get("scopes", [])]

    def match(self, segments):
        """The path's parameters, or none if the path is another one."""
        values = {}
        for pattern, segment in zip(self.path, segments):
            if pattern.startswith("{"):
                values[pattern[1:-1]] = segment
            elif pattern != segment:
                return None
        return values


class Contract:
    """The discovery document, made ready for checks."""

    def __init__(self, document):
        """Takes the parsed document."""
        self.service_path = "/" + document["servicePath"]
        self.batch_path = "/" + document["batchPath"]
        schemas = copy.deepcopy(document["schemas"])
        add_enumerations(schemas)
        self.answers = Schemas(schemas)
        requests = copy.deepcopy(schemas)
        # "A time zone offset is required unless a time zone is explicitly specified in timeZone":
        # what the format does not say, times.py checks.
        del requests["EventDateTime"]["properties"]["dateTime"]["format"]
        self.requests = Schemas(requests)
        self.methods = {}
        for resource, entry in document["resources"].items():
            for name, method in entry["methods"].items():
                found = Method(f"{resource}.{name}", method, document["parameters"])
                self.methods.setdefault((found.verb, len(found.path)), []).append(found)
        for methods in self.methods.values():
            methods.sort(key=lambda method: sum(part.startswith("{") for part in method.path))

    def find(self, request):
        """The method that a request calls with the path's parameters, or none twice."""
        if request.path.startswith(self.service_path):
            segments = request.segments()[2:]
            for method in self.methods.get((request.method, len(segments)), []):
                values = method.match(segments)
                if values is not None and all(values.values()):
                    return method, values
        return None, None

    def check_query(self, method, request):
        """The reasons why the query breaks the contract."""
        reasons = []
        seen = set()
        for name, value in request.query:
            schema = method.parameters.get(name)
            if schema is None or schema.get("location") != "query":
                reasons.append(f"{name}: unknown parameter of {method.name}")
                continue
            if name in seen and not schema.get("repeated"):
                reasons.append(f"{name}: given twice")
            seen.add(name)
            reasons += check_parameter(value, schema, name)
        for name, schema in method.parameters.items():
            if schema.get("required") and schema.get("location") == "query" and name not in seen:
                reasons.append(f"{name}: required parameter")
        return reasons

    def check_body(self, method, body):
        """The reasons why a body, none for an empty one, breaks the contract."""
        if method.request is None:
            return [] if body is None else [f"body: {method.name} takes none"]
        if body is None:
            return ["body: required"]
        schema = self.requests.schemas[method.request]
        reasons = self.requests.check(body, schema, "body", null=method.verb == "PATCH")
        if isinstance(body, dict):
            for name, field in schema["properties"].items():
                if method.id in field.get("annotations", {}).get("required", []) and body.get(name) is None:
                    reasons.append(f"body.{name}: required by {method.id}")
        return reasons

    def check_answer(self, method, body):
        """The reasons why an answer breaks the contract; checked resources are skipped."""
        if method.response is None:
            return [] if body is None else [f"answer: {method.name} has none"]
        schema = self.answers.schemas[method.response]
        if not isinstance(body, dict) or "items" not in body:
            return self._check_once(body, schema, "answer")
        reasons = self.answers.check({k: v for k, v in body.items() if k != "items"}, schema, "answer")
        item_schema = schema["properties"]["items"]["items"]
        for index, item in enumerate(body["items"]):
            reasons += self._check_once(item, item_schema, f"answer.items[{index}]")
        return reasons

    def _check_once(self, value, schema, where):
        """The reasons why a value breaks a schema; a Resource that fits is not checked again."""
        if getattr(value, "checked", False):
            return []
        reasons = self.answers.check(value, schema, where)
        if isinstance(value, Resource) and not reasons:
            value.checked = True
        return reasons


class Resource(dict):
    """A resource in an answer, which remembers that it was checked."""

    checked = False
