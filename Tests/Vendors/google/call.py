# SPDX-License-Identifier: Apache-2.0
"""A call of a method: what all of its parts need."""

import dataclasses

from errors import forbidden, usual

WRITERS = ("owner", "writer", "writerWithoutPrivateAccess")


@dataclasses.dataclass
class Call:
    """A call of a method of the API by an account."""

    account: object
    state: object
    request: object
    method: object
    path: dict
    body: dict
    expired: int  # tokens of this lineage and of earlier ones hold no longer

    def calendar(self, write=False):
        """The calendar of the path; raises Refusal if there is none, or none to write to."""
        calendar = self.state.calendar(self.path["calendarId"])
        if write and calendar.role not in WRITERS:
            raise forbidden("requiredAccessLevel", "You need to have writer access to this calendar.")
        return calendar

    def flag(self, name):
        """Whether a query parameter is true."""
        return self.request.value(name) == "true"

    def size(self, default, most):
        """The size of a page."""
        return min(int(self.request.value("maxResults", default)), most)

    def check_match(self, etag):
        """Raises Refusal with 412 if If-Match names another version."""
        wanted = self.request.header("if-match")
        if wanted and wanted.strip() != "*":
            if etag not in [tag.strip() for tag in wanted.split(",")]:
                raise usual(412)

    def is_known(self, etag):
        """Whether If-None-Match names this version."""
        wanted = self.request.header("if-none-match", "")
        return etag in [tag.strip() for tag in wanted.split(",")]


def mail(call, event, kind, former=()):
    """Records the mails that a change would send.

    Without sendUpdates and sendNotifications none is sent. "externalOnly" spares guests with Google
    Calendar, here those of gmail.com. "Some emails might still be sent": see the quirk.
    """
    to = call.request.value("sendUpdates")
    if to is None and call.flag("sendNotifications"):
        to = "all"
    guests = {a["email"]: a for a in [*former, *event.data.get("attendees", [])]}
    guests = [address for address, guest in guests.items() if not guest.get("self")]
    if to == "externalOnly":
        guests = [address for address in guests if not address.endswith("@gmail.com")]
    if not guests or to not in ("all", "externalOnly") and not call.account.quirk("mails-regardless"):
        return
    call.account.mails.append(
        {
            "kind": kind,
            "method": call.method.name,
            "event": event.data["id"],
            "summary": event.data.get("summary"),
            "to": guests,
            "sendUpdates": to,
        }
    )
