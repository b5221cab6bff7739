# SPDX-License-Identifier: Apache-2.0
"""What the service would have mailed; there is no switch that prevents it.

Sources: docs api/event-update.md (attendees alone: only those that changed; a series with
exceptions: one mail for the master and one for each instance that was changed), api/event-delete.md
("deleting the event on the organizer's calendar sends a cancellation message to the meeting
attendees"), api/calendar-post-events.md. A PATCH of any other property is taken to mail everyone.
"""

import dataclasses
import datetime


@dataclasses.dataclass
class Change:
    """A PATCH: the properties before, the body, the number of exceptions, the instance's day or none."""

    old: dict
    body: dict
    exceptions: int = 0
    day: datetime.date = None


PERSONAL = {
    "isReminderOn",
    "reminderMinutesBeforeStart",
    "categories",
    "showAs",
    "singleValueExtendedProperties",
    "multiValueExtendedProperties",
}


def _addresses(properties):
    """The addresses of the attendees."""
    return [attendee["emailAddress"]["address"] for attendee in properties["attendees"]]


def _mail(account, kind, to, context):
    """Records a mail; `context` is the event's properties and the instance's day or none."""
    if to:
        properties, day = context
        account.mails.append(
            {
                "kind": kind,
                "to": to,
                "subject": properties["subject"],
                "day": day.isoformat() if day else None,
            }
        )


def created(account, event):
    """Records invitations."""
    _mail(account, "request", _addresses(event.properties), (event.properties, None))


def changed(account, event, change):
    """Records updates by the organizer, and cancellations for those who were removed."""
    if event.organizer is not None:
        return
    properties = {**event.properties, **event.exceptions.get(change.day, {})}
    before, after = _addresses(change.old), _addresses(properties)
    named = set(change.body) - {"@odata.type"}
    if named <= PERSONAL and account.quirk("quiet-personal-changes"):
        return
    context = properties, change.day
    _mail(account, "cancel", [address for address in before if address not in after], context)
    if named == {"attendees"}:
        after = [address for address in after if address not in before]
    for _ in range(1 + change.exceptions):
        _mail(account, "request", after, context)


def deleted(account, event, day=None):
    """Records cancellations by the organizer."""
    if event.organizer is None:
        properties = {**event.properties, **event.exceptions.get(day, {})}
        _mail(account, "cancel", _addresses(properties), (properties, day))
