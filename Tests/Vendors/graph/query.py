# SPDX-License-Identifier: Apache-2.0
"""Query options and preferences of requests: $select, $expand, $filter, $orderby, $top, Prefer."""

import dataclasses
import datetime
import functools
import re

from . import contract, zones
from .errors import violation

EVENT = set(contract.SCHEMAS["event"]["properties"])
ID_FILTER = re.compile(r"id eq '((?:[^']|'')*)'")
ANY = re.compile(
    r"singleValueExtendedProperties/any\(\s*(\w+)\s*:\s*\1/id eq '((?:[^']|'')*)' and "
    r"(?:\1/value (eq|ne) '((?:[^']|'')*)'|(contains|startswith)\(\1/value,\s*'((?:[^']|'')*)'\))\s*\)",
    re.I,
)
SIMPLE = re.compile(r"(iCalUId|type|subject) eq '((?:[^']|'')*)'")
STARTS = re.compile(r"startswith\(subject,\s*'((?:[^']|'')*)'\)", re.I)  # docs api/calendar-list-events.md
TIME = re.compile(
    r"(start|end)/dateTime (ge|gt|le|lt|eq) '([^']*)'|(lastModifiedDateTime|createdDateTime) (ge|gt|le|lt) (\S+)"
)
EXPANDED = {"singleValueExtendedProperties": "single", "multiValueExtendedProperties": "multi"}
HOLDS = {
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
}


@dataclasses.dataclass
class Shape:
    """Which properties of events are returned, and how."""

    select: frozenset = None  # none: the usual ones
    single: frozenset = frozenset()
    multi: frozenset = frozenset()
    exceptions: object = None  # none, or the Shape's select of expanded exceptions
    immutable: bool = False
    zone: str = None
    body: str = None

    def applied(self):
        """The preferences that were applied, for the header of the answer."""
        found = ['IdType="ImmutableId"'] if self.immutable else []
        found += [f'outlook.timezone="{self.zone}"'] if self.zone else []
        return ", ".join(found + ([f'outlook.body-content-type="{self.body}"'] if self.body else []))


@functools.lru_cache(maxsize=1024)
def split(text, separator):
    """The parts of a text between separators that stand in no parentheses and in no quotes."""
    parts, depth, quoted, begin = [], 0, False, 0
    for index, char in enumerate(text):
        if char == "'":
            quoted = not quoted
        elif not quoted:
            depth += (char == "(") - (char == ")")
            if char == separator and depth == 0:
                parts.append(text[begin:index])
                begin = index + 1
    return tuple(part.strip() for part in [*parts, text[begin:]])


def preferences(request):
    """The preferences of a request by their names in lower case (RFC 7240)."""
    found = {}
    for part in split(request.header("prefer", "").replace('"', "'"), ","):
        name, _, value = part.partition("=")
        found[name.strip().lower()] = value.strip().strip("'")
    return found


def shape(request, account, one=False):
    """The shape of the answer to a request; `one` if it asks for an event by its identifier."""
    found = Shape()
    wanted = preferences(request)
    found.immutable = wanted.get("idtype", "").lower() == "immutableid"
    if "idtype" in wanted and not found.immutable:
        raise violation(f"Prefer: IdType={wanted['idtype']}")
    if wanted.get("outlook.timezone"):
        found.zone = wanted["outlook.timezone"]
        try:
            zones.zone(found.zone)
        except KeyError:
            raise violation(
                f"The following TimeZone value is not supported: '{found.zone}'.",
                "TimeZoneNotSupportedException",
            ) from None
    if "outlook.body-content-type" in wanted:
        found.body = wanted["outlook.body-content-type"].lower()
        if found.body not in ("text", "html"):
            raise violation(f"Prefer: outlook.body-content-type={found.body}")
    text = request.value("$select")
    if text is not None:
        found.select = _select(text, account)
    _expand(request.value("$expand"), found, account, one)
    return found


def _select(text, account):
    """The names of a $select."""
    names = frozenset(split(text, ","))
    known = EVENT | {"*"} | (set(contract.BETA) if account.quirk("beta-properties") else set())
    if unknown := sorted(names - known):
        raise violation(f"Could not find a property named '{unknown[0]}' on type 'microsoft.graph.event'.")
    return names


def _expand(text, found, account, one):
    """Reads $expand into a shape."""
    for part in split(text, ",") if text else []:
        name, _, options = part.partition("(")
        options = dict(option.partition("=")[::2] for option in split(options[:-1], ";")) if options else {}
        if name in EXPANDED:
            ids = ID_FILTER.findall(options.get("$filter", ""))
            plain = " or ".join(f"id eq '{identifier}'" for identifier in ids)
            if not ids or options["$filter"] != plain or set(options) != {"$filter"}:
                raise violation(f"$expand={name} needs $filter=id eq '…' and nothing else")
            setattr(found, EXPANDED[name], frozenset(identifier.replace("''", "'") for identifier in ids))
        elif name == "exceptionOccurrences":
            # Documented only for GET of a series' master, with $select and $expand.
            if not one or found.select is None or name not in found.select:
                raise violation(
                    "exceptionOccurrences requires $select and $expand in a GET of the series master"
                )
            if set(options) - {"$select"}:
                raise violation(f"$expand=exceptionOccurrences({options}): undocumented")
            found.exceptions = _select(options["$select"], account) if options else found.select
        else:
            raise violation(f"$expand={name}: not expandable")


def number(request, name, default, limits):
    """The value of $top or $skip."""
    text = request.value(name)
    if text is None:
        return default
    if not text.isdigit() or not limits[0] <= int(text) <= limits[1]:
        raise violation(f"{name}={text}: out of range")
    return int(text)


def instant(text, name):
    """A time in UTC of a query option; without an offset it is in UTC (docs beta/api/event-delta.md)."""
    try:
        time = datetime.datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text.replace("Z", "+00:00")))
    except ValueError:
        raise violation(f"{name}={text!r} is no time") from None
    return time.astimezone(zones.UTC).replace(tzinfo=None) if time.tzinfo else time


def event_filter(text):
    """A predicate of views for a $filter: extended properties, times, iCalUId, type, subject."""
    tests = [_test(part) for part in re.split(r" and (?![^(]*\))", text)]
    return lambda view, shown: all(test(view, shown) for test in tests)


def _test(part):
    """The predicate of one condition."""
    if found := ANY.fullmatch(part):
        _, name, operator, value, function, argument = found.groups()
        wanted = (value if operator else argument).replace("''", "'").lower()
        kind, name = (operator or function).lower(), name.replace("''", "'")

        def test(view, _):
            """Whether the property is there and its value fits."""
            held = view.properties["single"].get(name)
            if held is None:
                return False
            held = held.lower()  # "Filtering the value … is case-insensitive"
            return {
                "eq": held == wanted,
                "ne": held != wanted,
                "contains": wanted in held,
                "startswith": held.startswith(wanted),
            }[kind]

        return test
    if found := STARTS.fullmatch(part):
        start = found[1].replace("''", "'").lower()
        return lambda view, shown: shown("subject").lower().startswith(start)
    if found := SIMPLE.fullmatch(part):
        name, value = found[1], found[2].replace("''", "'")
        return lambda view, shown: shown(name) == value
    if found := TIME.fullmatch(part):
        limit = instant(found[3] or found[6], "$filter")
        holds = HOLDS[found[2] or found[5]]
        if found[1]:
            return lambda view, _: holds(getattr(view.times, f"{found[1]}_utc")(), limit)
        return lambda _, shown: holds(instant(shown(found[4]), "$filter"), limit)
    raise violation(f"$filter: {part!r} is not modelled by the double")
