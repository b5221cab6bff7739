# SPDX-License-Identifier: Apache-2.0
"""Identifiers: of events in two forms, of calendars, change keys and iCalendar UIDs.

An event's identifier names the event and, for an instance of a series, the day of its original
start. The immutable and the regular form differ (docs concepts/outlook-immutable-id.md); both are
accepted. They are case-sensitive and hold `=`, `-`, `_` and `.`.
"""

import base64
import datetime
import functools
import hashlib

IMMUTABLE = "AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A."
REGULAR = "AAMkADAwATM0MDAAMS1iNTcwAC0wMAItMDAKAEYAAAP_"
CALENDAR = "AAMkADAwATM0MDAAMS1iNTcwAC0wMAItMDAKAC4AAAN-"
OBJECT = "040000008200E00074C5B7101A82E008"  # begins each GlobalObjectId (MS-OXOCAL 2.2.1.27)


def _mark(account, number):
    """Bytes that an account and a number determine."""
    return hashlib.sha1(f"{account}:{number}".encode()).digest()[:9]


@functools.lru_cache(maxsize=65536)
def event_id(account, key, day, immutable):
    """The identifier of an event, or of an instance by the day of its original start."""
    payload = (
        _mark(account, key) + key.to_bytes(4, "big") + (day.toordinal().to_bytes(4, "big") if day else b"")
    )
    return (IMMUTABLE if immutable else REGULAR) + base64.urlsafe_b64encode(payload).decode()


@functools.lru_cache(maxsize=65536)
def parse_event_id(account, text):
    """The event's key and the instance's day or none; raises ValueError for what is no identifier."""
    if text.startswith("OID."):
        master, _, date = text[4:].rpartition(".")
        return parse_event_id(account, master)[0], datetime.date.fromisoformat(date)
    prefix = next((prefix for prefix in (IMMUTABLE, REGULAR) if text.startswith(prefix)), None)
    if prefix is None:
        raise ValueError(text)
    payload = base64.b64decode(text[len(prefix) :], altchars=b"-_", validate=True)
    if len(payload) not in (13, 17) or payload[:9] != _mark(account, int.from_bytes(payload[9:13], "big")):
        raise ValueError(text)
    day = datetime.date.fromordinal(int.from_bytes(payload[13:], "big")) if len(payload) == 17 else None
    return int.from_bytes(payload[9:13], "big"), day


@functools.lru_cache(maxsize=65536)
def calendar_id(account, key):
    """The identifier of a calendar; container types have one form only."""
    return (
        CALENDAR
        + base64.urlsafe_b64encode(_mark(account, f"calendar {key}") + key.to_bytes(4, "big")).decode()
    )


@functools.lru_cache(maxsize=65536)
def change_key(account, number):
    """The change key of a version."""
    return base64.b64encode(_mark(account, f"change {number}") + number.to_bytes(7, "big")).decode()


@functools.lru_cache(maxsize=65536)
def ical_uid(account, key, day=None):
    """The iCalendar UID; that of an instance holds its day, "different for each occurrence"."""
    date = f"{day.year:04X}{day.month:02X}{day.day:02X}" if day else "00000000"
    return OBJECT + date + hashlib.sha1(f"{account}:uid:{key}".encode()).hexdigest().upper()[:40]
