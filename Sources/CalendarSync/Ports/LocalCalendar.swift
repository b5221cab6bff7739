// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// A local calendar: items in files, which are owned by the user.
public protocol LocalCalendar: Sendable {
  /// The path in canonical form, which the state in the ledger is bound to.
  var location: String { get }

  /// Whether each call of `apply` rewrites all items, and each call that reads items reads all.
  ///
  /// A run then makes fewer and larger calls. Default implementation: returns false.
  var isHandledAsWhole: Bool { get }

  /// Reads all items; unreadable files are listed and count as unknown, never as absent.
  func scan() async throws -> LocalListing

  /// Lists all items with their fingerprints, and reads only those that may have changed.
  ///
  /// Default implementation: reads everything.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of an earlier survey; nil to read everything.
  ///   - form: The normal form for comparing items.
  ///   - now: The current time: files written at the moment of a survey are read again by the next
  ///     one.
  /// - Returns: All items, without contents.
  /// - Throws: An error, unless the survey is known to be complete.
  func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey

  /// Whether the calendar is on the same file system as when the snapshot was made.
  ///
  /// If a disk is not mounted, another folder exists at its path. Default implementation: returns
  /// true.
  func isSamePlace(as snapshot: LocalSnapshot) -> Bool

  /// Returns a snapshot since which the next survey reports some items as changed in any case.
  ///
  /// These are items that a run wrote after its survey. An edit that restores the version before
  /// the run would otherwise go unnoticed, and so would the deletion of an added item. Default
  /// implementation: returns nil; the next run then compares all items.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of a survey.
  ///   - items: The names of the written items, with their UIDs.
  /// - Returns: The snapshot; nil if the calendar cannot change it.
  func snapshot(_ snapshot: LocalSnapshot, doubting items: [String: UID]) -> LocalSnapshot?

  /// Reads the items with these names; skips names that no longer exist.
  ///
  /// Default implementation: reads everything.
  func read(_ names: [String], in form: NormalForm) async throws -> LocalListing

  /// Reads items again that this run has read before; skips names that no longer exist.
  ///
  /// Default implementation: reads them by name. A custom implementation can reuse the fingerprint
  /// of a record whose revision is unchanged.
  func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing

  /// Applies the changes, each with its own condition, and returns their outcomes in order.
  ///
  /// When this returns, every change that is `done` survives a loss of power.
  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome]

  /// The store of the calendar's name, colour, description and order; nil if it has none.
  var properties: (any CollectionPropertyStore)? { get }
}

/// The contents of a local calendar.
public struct LocalListing: Sendable {
  /// The readable items, at most one for each UID.
  public var entries: [LocalEntry]
  /// The entries that cannot be read as an item, or whose UID another entry has already.
  public var unreadable: [UnreadableEntry]

  /// Creates a listing.
  public init(entries: [LocalEntry] = [], unreadable: [UnreadableEntry] = []) {
    self.entries = entries
    self.unreadable = unreadable
  }
}

/// An item of a local calendar, as of the time of reading.
public struct LocalEntry: Hashable, Sendable {
  /// The name of the item in the calendar: a file name, or the UID in a calendar of one file.
  public let name: String
  /// The revision that was read, for the condition of a later change.
  public let revision: Revision
  /// The item.
  public let item: CalendarItem

  /// Creates an entry.
  public init(name: String, revision: Revision, item: CalendarItem) {
    self.name = name
    self.revision = revision
    self.item = item
  }
}

/// Something in a local calendar that is not one readable item.
public struct UnreadableEntry: Hashable, Sendable {
  /// Its name in the calendar.
  public let name: String
  /// The problem, with the line if it is known; for display.
  public let reason: String
  /// The UID of the item, if the entry is readable and another entry is the item.
  public let sharedUID: UID?

  /// Creates an entry.
  public init(name: String, reason: String, sharedUID: UID? = nil) {
    self.name = name
    self.reason = reason
    self.sharedUID = sharedUID
  }
}

/// The exact version of a local item: a digest of its bytes.
public struct Revision: Hashable, Sendable {
  /// The digest as hexadecimal digits.
  public let rawValue: String

  /// Creates a revision from its digits.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A change of a local calendar, conditional on the item being unmodified since it was read.
///
/// The enum is indirect because changes are passed in batches: each copy of a direct enum would
/// retain all parts of its item.
public indirect enum LocalChange: Sendable {
  /// Adds an item whose UID the calendar does not hold.
  case create(CalendarItem)
  /// Replaces an item that still has this revision.
  case update(name: String, from: Revision, to: CalendarItem)
  /// Replaces an item that still has this revision by the exact bytes of an earlier version.
  case putBack(name: String, from: Revision, to: [UInt8])
  /// Removes an item that still has this revision.
  case delete(name: String, from: Revision)
}

/// The outcome of a local change.
public enum LocalOutcome: Hashable, Sendable {
  /// The change is durable; the new name and revision, or a nil revision after a deletion.
  case done(name: String, revision: Revision?)
  /// The condition failed: the item changed since it was read. The next run handles it.
  case conditionFailed
  /// The change failed for this reason.
  case failed(reason: String)
  /// The whole calendar rejects changes now, as on a full disk; the item is not the cause.
  case unavailable(reason: String)
}
