# SPDX-License-Identifier: Apache-2.0
"""Partial answers: the parameter `fields`, as `etag,items(id,start/dateTime)`."""

import re

from errors import invalid

TOKEN = re.compile(r"[A-Za-z0-9_*-]+|[,/()]")


def parse(text):
    """A mask: a mapping of names to masks, empty for all that is below."""
    tokens = TOKEN.findall(text)
    if "".join(tokens) != text or not tokens:
        raise invalid("invalidParameter", f"Invalid field selection {text}", ("parameter", "fields"))
    tokens.append("")
    mask, rest = _list(tokens)
    if rest != [""]:
        raise invalid("invalidParameter", f"Invalid field selection {text}", ("parameter", "fields"))
    return mask


def _list(tokens):
    """Fields that commas part."""
    mask = {}
    while True:
        name, tokens = tokens[0], tokens[1:]
        if not re.match(r"[A-Za-z0-9_*-]", name):
            return mask, ["error"]
        inner = mask.setdefault(name, {})
        while tokens[0] == "/":
            inner = inner.setdefault(tokens[1], {})
            tokens = tokens[2:]
        if tokens[0] == "(":
            below, tokens = _list(tokens[1:])
            inner.update(below)
            if tokens[0] != ")":
                return mask, ["error"]
            tokens = tokens[1:]
        if tokens[0] != ",":
            return mask, tokens
        tokens = tokens[1:]


def apply(mask, value):
    """A value with the fields of a mask only."""
    if not mask:
        return value
    if isinstance(value, list):
        return [apply(mask, item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: apply(mask.get(name, mask.get("*")), item)
        for name, item in value.items()
        if name in mask or "*" in mask
    }
