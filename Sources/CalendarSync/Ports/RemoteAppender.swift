// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The interface of a remote calendar for a write-only sync, which can only add events.
public protocol RemoteAppender: Sendable {
  /// Adds an item at a place that is derived from its UID alone, unless that place is taken.
  ///
  /// The same UID always yields the same place. A repeated call therefore finds the place taken and
  /// creates no duplicate.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}

/// The outcome of adding an item.
public enum AppendOutcome: Hashable, Sendable {
  /// The remote stored the item at this href, with this tag if it returned one.
  case added(href: Href, etag: EntityTag?)
  /// The place was already taken, because an earlier call succeeded.
  case alreadyPresent(href: Href)
  /// The remote permanently rejects this event; `reason` is its own message.
  case refused(reason: String)
}
