# SPDX-License-Identifier: Apache-2.0
"""Time zones: both Windows and IANA names come in, Windows names go out.

Source: microsoft-graph-docs, api-reference/v1.0/resources/datetimetimezone.md (supported names).
"""

import datetime
import functools
import json
import pathlib
import zoneinfo

TABLE = json.loads((pathlib.Path(__file__).parent / "zones.json").read_text())
UTC = datetime.timezone.utc
CUSTOM = "tzone://Microsoft/Custom"


@functools.lru_cache(maxsize=None)
def windows_name(name):
    """The Windows name of a zone with a Windows or an IANA name, or none."""
    if name in TABLE["iana"]:
        return name
    return TABLE["windows"].get(name)


@functools.lru_cache(maxsize=None)
def zone(name):
    """The zone with a Windows or an IANA name; raises KeyError if Graph knows none.

    An IANA name keeps its own rules, which may differ from those of its Windows zone in the past.
    """
    if name in TABLE["iana"]:
        return zoneinfo.ZoneInfo(TABLE["iana"][name])
    if name in TABLE["windows"]:
        return zoneinfo.ZoneInfo(name)
    raise KeyError(name)


@functools.lru_cache(maxsize=4096)
def to_utc(local, name):
    """The UTC time, without its zone, of a local time in a named zone."""
    return local.replace(tzinfo=zone(name)).astimezone(UTC).replace(tzinfo=None)


@functools.lru_cache(maxsize=4096)
def from_utc(utc, name):
    """The local time, without its zone, of a UTC time in a named zone."""
    return utc.replace(tzinfo=UTC).astimezone(zone(name)).replace(tzinfo=None)
