# SPDX-License-Identifier: Apache-2.0
"""Switches of the double: what the service does in some accounts, or what its documents leave open.

A quirk is off unless a test sets it. `docs` stands for microsoft-graph-docs on GitHub
(api-reference/v1.0 unless another folder is given); an issue is one of that repository. "Undocumented"
marks a question that no document answers: the switch has the second of two possible readings.
"""

QUIRKS = {
    "demand-immutable-ids": 'a request without Prefer: IdType="ImmutableId" is a violation'
    " (source: rule of this project; docs concepts/outlook-immutable-id.md)",
    "ignores-if-match": "PATCH and DELETE do not look at If-Match"
    " (source: docs api/event-update.md, event-delete.md do not name the header;"
    " 412 was seen: github.com/analogdotnow/Analog pull 475)",
    "transient-conflict": "the next so many PATCH requests are answered with 412 ErrorIrresolvableConflict without a reason"
    ' (source: github.com/analogdotnow/Analog pull 475, "at times transiently on its own side")',
    "delta-lists-exceptions": "events/delta lists exceptions besides masters"
    " (source: KeepSoftwareSimple/compass-calendar docs/features/calendar-providers.md;"
    " docs beta/api/event-delta.md names single instances and masters only)",
    "delta-brief": "events/delta returns id, type, start and end only"
    " (source: docs api-reference/beta/api/event-delta.md, Response)",
    "delta-replays": "a round of events/delta lists the latest change before the token once more"
    " (source: docs concepts/delta-query-overview.md, Replays)",
    "delta-empty-pages": "a round of events/delta begins with a page without items"
    ' (source: docs concepts/delta-query-overview.md, "may contain an empty result")',
    "removed-reason": "the reason of @removed, `deleted` unless set to `changed`"
    " (source: docs concepts/delta-query-overview.md)",
    "gone-code": "the code of a 410, `syncStateNotFound` unless set; `SyncStateNotFound` was seen, resyncRequired is documented"
    " (source: issue 2350; docs concepts/errors.md; concepts/delta-query-overview.md)",
    "gone-without-location": "a 410 has no Location header (source: issue 2350 lists the headers)",
    "keeps-exceptions": "exceptions survive a change of the series' pattern or times"
    ' (source: undocumented for Graph; Outlook cancels them: "Any exceptions associated with this'
    ' recurring appointment will be cancelled")',
    "stores-html": "a body of text is stored as HTML, so that line ends and spaces return changed"
    ' (source: docs api/event-get.md, "returns event bodies in only HTML format")',
    "custom-time-zone": "originalStartTimeZone and originalEndTimeZone are tzone://Microsoft/Custom"
    " (source: docs resources/event.md)",
    "original-start-by-default": "originalStart is returned without $select"
    " (source: undocumented; clients select it by name)",
    "inherits-extended-properties": "instances show the extended properties of their master (source: undocumented)",
    "exception-ids-change": "an occurrence has the id OID.MASTER.DAY, and another one once it is an exception; both find it"
    ' (source: a peer\'s observation, "even after the patch made `id` opaque"; the example of docs'
    " api-reference/beta/api/event-get.md has such an id)",
    "extended-limit": "an extended property with a value over so many characters is refused with 400"
    " (source: undocumented; the code ErrorItemSavePropertyError is that of msgraph-sdk-java issue 619)",
    "beta-properties": "occurrenceId and uid, which the contract lacks, can be selected"
    " (source: docs api-reference/beta/resources/event.md, api-reference/beta/api/event-get.md)",
    "transaction-conflict": "a repeated transactionId is answered with 409 instead of the existing event"
    " (source: undocumented: docs resources/event.md tells that the server avoids the second event,"
    " not what it answers)",
    "transaction-remembered": "a transactionId whose event was deleted still makes no new event (source: undocumented)",
    "concurrency": "more than so many requests at once (4) are answered with 429 ApplicationThrottled"
    " (source: docs concepts/throttling-limits.md, Outlook service limits)",
    "outlook-limits": "intervals over 999 days or 99 weeks, months or years, over 999 occurrences, and"
    " occurrences that overlap are refused"
    " (source: learn.microsoft.com/exchange/client-developer/web-service-reference/absolutemonthlyrecurrence:"
    " 1 to 99 months; .../responsecode: ErrorOccurrenceTimeSpanTooBig; the other numbers are those of"
    " Outlook's dialog, undocumented)",
    "other-colors": "the hexColor of each calendar with a colour is this one"
    " (source: docs resources/calendar.md, hexColor, which names no values)",
    "read-only-calendar": "there is a calendar of this name with canEdit false, as Birthdays"
    " (source: docs resources/calendar.md, canEdit)",
    "quiet-personal-changes": "a PATCH of reminder, categories, showAs or extended properties alone mails nobody"
    " (source: undocumented; docs api/event-update.md tells only about attendees)",
    "batch-in-order": "the answers of a batch are in the order of its requests; else they are reversed"
    ' (source: docs concepts/json-batching.md, "might appear in a different order")',
    "batch-of-sdk": "parts of a batch may have absolute addresses and `depends_on`, which is ignored"
    " (source: msgraph-core's batch_request_item.py sends both, against docs concepts/json-batching.md)",
    "slow-replication": "events/delta leaves out the latest so many changes; a later round of the same link has them"
    " (source: docs concepts/delta-query-overview.md, Processing delays)",
}
