// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A configured external calendar that has not been contacted yet.
///
/// Only `AccessTier.open(_:)` turns it into a value that sends requests, so that no code can access
/// a calendar beyond its tier.
public protocol Remote: Sendable {
  /// The identity that grants and the ledger are bound to.
  var identity: RemoteIdentity { get }

  /// The account that the remote belongs to; nil if its server moves nothing between calendars.
  ///
  /// Default implementation: nil.
  var account: String? { get }

  /// Opens the remote for adding events and nothing else.
  ///
  /// The returned value must not conform to `RemoteCalendar`.
  func openAppender() async throws -> any RemoteAppender

  /// Opens the remote for reading and writing.
  func openCalendar() async throws -> any RemoteCalendar

  /// Whether the remote may reach a cursor for the second time, because it counts changes.
  ///
  /// A run then probes whether the remote still holds the versions that the sides agreed on last.
  /// Default implementation: returns false.
  func mayRepeat(_ cursor: RemoteCursor) -> Bool

  /// Opens the remote for reading and writing, for a run that continues from a cursor.
  ///
  /// The remote can send the request of `RemoteCalendar.differing(from:)` together with those for
  /// opening. Default implementation: opens the remote without the probe.
  func openCalendar(probing probe: CursorProbe) async throws -> any RemoteCalendar

  /// Opens the remote for reading and writing, for the first run of a sync.
  ///
  /// Such a run requests everything, so that a remote can send this request together with those for
  /// opening. The run deletes nothing, because no item is known. Default implementation: opens the
  /// remote as for any other run.
  func openNewCalendar() async throws -> any RemoteCalendar
}

extension Remote {
  /// Default implementation: the server moves nothing between calendars.
  public var account: String? { nil }

  /// Default implementation: a cursor is reached only once.
  public func mayRepeat(_ cursor: RemoteCursor) -> Bool { false }

  /// Default implementation: opens the remote without the probe.
  public func openCalendar(probing probe: CursorProbe) async throws -> any RemoteCalendar {
    try await openCalendar()
  }

  /// Default implementation: opens the remote as for any other run.
  public func openNewCalendar() async throws -> any RemoteCalendar { try await openCalendar() }
}

/// The part of a remote's configuration that identifies it: its kind, location and user.
///
/// State and grants are bound to it. If any part changes, the remote counts as another one.
public struct RemoteIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The kind of the remote as the configuration names it: `caldav`, `folder`.
  public let kind: String
  /// The address or path, without credentials and in canonical form.
  public let location: String
  /// The user name, or the empty string.
  public let user: String

  /// Creates an identity from its parts.
  public init(kind: String, location: String, user: String = "") {
    self.kind = kind
    self.location = location
    self.user = user
  }

  /// Whether the kind of remote can only be read: a feed, or the birthdays of contacts.
  public var isReadOnly: Bool { ["webcal", "birthdays"].contains(kind) }

  /// The identity on one line, such as `caldav alice@https://dav.example.org/cal/`.
  public var description: String {
    user.isEmpty ? "\(kind) \(location)" : "\(kind) \(user)@\(location)"
  }
}

/// The interface of a remote calendar for a write-only sync, which can only add events.
public protocol RemoteAppender: Sendable {
  /// The maximum number of additions that are in flight at once; at least 1.
  ///
  /// Default implementation: returns 1.
  var requestsAtOnce: Int { get }

  /// The fields and the stash of the remote; nil if it stores iCalendar objects as they are.
  ///
  /// Default implementation: nil.
  var holding: (any ItemHolding)? { get }

  /// Adds an item at a place that is derived from its UID alone, unless that place is taken.
  ///
  /// The same UID always yields the same place. A repeated call therefore finds the place taken and
  /// creates no duplicate. The place may also be taken by the event of another program.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}

extension RemoteAppender {
  /// Default implementation: one addition after another.
  public var requestsAtOnce: Int { 1 }

  /// Default implementation: the remote stores iCalendar objects.
  public var holding: (any ItemHolding)? { nil }
}

/// The outcome of adding an item.
public enum AppendOutcome: Hashable, Sendable {
  /// The remote stored the item at this href, with this tag if it returned one.
  case added(href: Href, etag: EntityTag?)
  /// The place was already taken, by an earlier call or by another program.
  case alreadyPresent(href: Href)
  /// The remote permanently rejects this event; `reason` is its own message.
  case refused(reason: String)
}

/// The interface of a folder for a write-only sync: it creates a file if the name is free.
///
/// It is a separate port, so that a folder remote under write-only access contains no value that
/// can scan, as a `LocalCalendar` can.
public protocol LocalAppender: Sendable {
  /// Creates the file that `ItemName` derives from the UID, durably, unless it exists already.
  ///
  /// The href of the outcome is the name of the file. The check neither lists nor reads the folder.
  func append(_ item: CalendarItem) async throws -> AppendOutcome
}

/// An error of a side that accepts no changes at all: its disk is full, or it is gone.
///
/// It ends the run, and no item is quarantined because of it.
public struct UnavailableSide: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and its location, for display.
  public let reason: String

  /// Creates an error.
  public init(reason: String) {
    self.reason = reason
  }

  /// The problem.
  public var description: String { reason }
}
