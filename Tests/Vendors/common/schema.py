# SPDX-License-Identifier: Apache-2.0
"""Checks JSON values against schemas in the form of Google's discovery documents.

A schema is an object with `type` (string, boolean, integer, number, object, array, any) or `$ref`,
and maybe `properties`, `additionalProperties`, `items`, `format`, `enum`, `minimum`, `maximum`,
`pattern`. A field without a schema is a violation.
"""

import datetime
import re

DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
DATE = re.compile(r"\d{4}-\d\d-\d\d")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
RANGES = {"int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1)}


def is_date(text):
    """Whether a text is a date of the calendar."""
    if not DATE.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_date_time(text):
    """Whether a text is an RFC 3339 time with its offset."""
    if not DATE_TIME.fullmatch(text):
        return False
    try:
        datetime.datetime.fromisoformat(text[:19].upper())
    except ValueError:
        return False
    return True


class Schemas:
    """Named schemas, to which `$ref` refers."""

    def __init__(self, schemas):
        """`schemas` maps names to schemas."""
        self.schemas = schemas

    def check(self, value, schema, where="", null=False):
        """The reasons why a value does not fit a schema; `null` permits null everywhere."""
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"]]
        if value is None:
            return [] if null else [f"{where}: null"]
        kind = schema.get("type", "any")
        if kind == "object":
            return self._check_object(value, schema, where, null)
        if kind == "array":
            if not isinstance(value, list):
                return [f"{where}: {value!r} is no array"]
            reasons = []
            for index, item in enumerate(value):
                reasons += self.check(item, schema["items"], f"{where}[{index}]")
            return reasons
        return check_scalar(value, schema, where)

    def _check_object(self, value, schema, where, null):
        """Checks each field of an object."""
        if not isinstance(value, dict):
            return [f"{where}: {value!r} is no object"]
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties")
        reasons = []
        for name, item in value.items():
            inner = properties.get(name, others)
            if inner is None:
                reasons.append(f"{where}.{name}: unknown field")
            else:
                reasons += self.check(item, inner, f"{where}.{name}", null)
        return reasons


def check_scalar(value, schema, where):
    """The reasons why a value does not fit a schema of a string, boolean or number."""
    kind = schema.get("type", "any")
    if kind == "any":
        return []
    fits = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, (int, float)) and not isinstance(value, bool),
    }
    if not fits[kind]:
        return [f"{where}: {value!r} is no {kind}"]
    if kind == "string":
        return _check_string(value, schema, where)
    low, high = RANGES.get(schema.get("format"), (None, None))
    low = float(schema["minimum"]) if "minimum" in schema else low
    high = float(schema["maximum"]) if "maximum" in schema else high
    if kind != "boolean" and (low is not None and value < low or high is not None and value > high):
        return [f"{where}: {value!r} is out of range"]
    return []


def _check_string(value, schema, where):
    """Checks the format of a string."""
    form = schema.get("format")
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {', '.join(schema['enum'])}"]
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return [f"{where}: {value!r} does not match {schema['pattern']}"]
    wrong = (
        form == "date-time" and not is_date_time(value)
        or form == "date" and not is_date(value)
        or form == "byte" and not BASE64.fullmatch(value)
        or form in ("int64", "uint64") and not re.fullmatch(r"-?\d+", value)
    )
    return [f"{where}: {value!r} is no {form}"] if wrong else []


def check_parameter(text, schema, where):
    """The reasons why the text of a parameter does not fit its schema."""
    kind = schema.get("type", "string")
    if kind == "boolean":
        return [] if text in ("true", "false") else [f"{where}: {text!r} is no boolean"]
    if kind in ("integer", "number"):
        try:
            value = int(text) if kind == "integer" else float(text)
        except ValueError:
            return [f"{where}: {text!r} is no {kind}"]
        return check_scalar(value, schema, where)
    return check_scalar(text, schema, where)
