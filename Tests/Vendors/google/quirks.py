# SPDX-License-Identifier: Apache-2.0
"""Quirks: what the documents leave open or say in two ways, and what was seen at the service.

Each is off unless a test sets it; the text says what it does and where that is from.
"""

GUIDES = "https://developers.google.com/workspace/calendar/api/guides"
THREADS = "https://github.com"

QUIRKS = {
    "bare-tombstones": "Cancelled events come with id and status, exceptions with recurringEventId and "
    "originalStartTime too, and nothing else. Source: discovery document, Event.status ('only guaranteed')",
    "batch-limit": "Most parts of a batch, 50 without it. Source: " + GUIDES + "/batch says 1000 in the "
    "stored copies; clients keep to 50",
    "batch-order": "'reversed': parts are done from the last to the first; the answers keep their order. "
    "Source: the general batch guide of Google's APIs ('may perform your calls in any order')",
    "defaults-shown": "Fields with their default values are sent instead of left out. Source: none; "
    "the discovery document only names the defaults",
    "description-limit": "Most characters of a description, 8192 without it. Source: none in the "
    "discovery document; commonly reported",
    "exceptions-inherit": "Exceptions take over changed fields of their master that they did not change. "
    "Source: none; the guide on recurring events leaves it open",
    "exceptions-on-reschedule": "What happens to exceptions when start, end or recurrence of the master "
    "change: 'keep' (as without it; https://gsuite-developers.googleblog.com/2011/12/"
    "calendar-v3-best-practices-recurring.html: 'changes are preserved even if the recurring event "
    "itself is updated'), 'drop' (all), 'drop-unmatched' (those that the rule has no more). Source for "
    "dropping: discussion in " + THREADS + "/xorbitsai/xagent/pull/2378",
    "exceptions-vanish": "When a master is deleted an incremental listing shows the master only, and its "
    "exceptions are gone. Source: none; not documented either way",
    "import-existing": "'update': events.import changes the event with the same iCalUID; without it 409 "
    "duplicate. Source: " + THREADS + "/insanum/gcalcli/issues/784 (409), not documented",
    "insert-keeps-uid": "events.insert keeps a given iCalUID. Source: discovery document, Event.iCalUID "
    "('only one of them should be supplied at event creation time')",
    "mails-regardless": "Mails go to guests although sendUpdates=none. Source: discovery document, "
    "events.insert sendUpdates ('some emails might still be sent')",
    "properties-any": "Constraints on extended properties of one kind are joined by OR, not AND. Source: "
    + GUIDES + "/extended-properties (OR), against the discovery document ('match all given constraints')",
    "quota-per-minute": "More requests than this within a minute are answered with 403 "
    "userRateLimitExceeded; parts of a batch count one each. Source: " + GUIDES + "/quota, /errors, /batch",
    "quota-status": "429: the quota answers 429 rateLimitExceeded. Source: " + GUIDES + "/errors",
    "recurrence-limit": "Most characters of all recurrence lines, else 400 'A provided value exceeds the "
    "allowed size limit.' Source: " + THREADS + "/kewisch/gdata-provider/issues/713, "
    + THREADS + "/derekantrican/GAS-ICS-Sync/issues/271 (the limit itself is not known)",
    "refuse-zero-length": "An event whose end is its start is refused with 400 timeRangeEmpty. Source: none; "
    "the documents say only that the end is exclusive",
    "reminders-silent": "A change of reminders alone is not shown by an incremental listing. Source: "
    "discovery document, Event.updated ('Updating event reminders will not cause this to change')",
    "revive-forbidden": "A change that would bring back a deleted event is answered with 403. Source: "
    + THREADS + "/googleapis/google-api-ruby-client/issues/1811; the discovery document (Event.status) "
    "says that they 'can be restored'",
    "sequence-required": "A change without a sequence number counts as one with 0. Source: "
    "https://coderwall.com/p/m6ozfg/google-calendar-api-events-and-update",
    "short-pages": "Pages hold fewer events than asked for, the first none. Source: discovery document, "
    "events.list maxResults ('may be less than this value, or none at all')",
    "unchanged-keeps-etag": "A change that changes nothing keeps etag and updated. Source: none; open",
    "updated-min-gone": "updatedMin is answered with 410 updatedMinTooLongAgo. Source: " + GUIDES + "/errors",
    "zone-filled": "Times without a timeZone get the calendar's. Source: none; seen in answers in many "
    "threads, the discovery document calls the field optional for single events",
}
