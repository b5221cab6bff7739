// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What a write-only sync can do with a remote calendar: add an event, and nothing else.
public protocol RemoteAppender: Sendable {
  /// Adds an item under a place that is derived from its UID alone, unless that place is taken.
  ///
  /// The same UID always gives the same place, so that a repeated add finds it taken instead of
  /// making a second copy.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}

/// What became of an added item.
public enum AppendOutcome: Hashable, Sendable {
  /// The remote took the item, under this href and with this tag if it told one.
  case added(href: Href, etag: EntityTag?)
  /// The place was taken already, which means that an earlier add got through.
  case alreadyPresent(href: Href)
  /// The remote refuses this event, and would again; with its own words.
  case refused(reason: String)
}
