// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// A local calendar: items in files, the truth that belongs to the person.
public protocol LocalCalendar: Sendable {
  /// The path in one canonical spelling, which the ledger's state is bound to.
  var location: String { get }

  /// Reads every item; what cannot be read is named, and counts as unknown, never as absent.
  func scan() async throws -> LocalListing

  /// Tells what there is and what each item means, and reads only what may have changed.
  ///
  /// Without an own implementation everything is read.
  ///
  /// - Parameters:
  ///   - snapshot: What an earlier survey gave; nil to read everything.
  ///   - form: The form in which items are compared.
  ///   - now: The clock: what was written in the moment of a survey is read again by the next.
  /// - Returns: Everything that there is, without contents.
  /// - Throws: Unless the survey is known to be complete.
  func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey

  /// Whether the calendar is in the very place that a snapshot was made of.
  ///
  /// A disk that is not mounted leaves another folder at its path. Without an own implementation it is.
  func isSamePlace(as snapshot: LocalSnapshot) -> Bool

  /// Reads the items of these names; a name that nothing has any more is passed over.
  ///
  /// Without an own implementation everything is read.
  func read(_ names: [String], in form: NormalForm) async throws -> LocalListing

  /// Reads items again that this run has read; a name that nothing has any more is passed over.
  ///
  /// Without an own implementation they are read by their names. With one, the fingerprint of what has
  /// the revision of its record need not be worked out again.
  func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing

  /// Makes the changes durable, each on its own condition, and tells what became of each, in order.
  ///
  /// Once this returns, whatever is `done` survives a loss of power.
  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome]

  /// Where the name, colour, description and order of the calendar are kept; nil where nowhere.
  var properties: (any CollectionPropertyStore)? { get }
}

/// Everything that a local calendar holds.
public struct LocalListing: Sendable {
  /// The readable items, at most one for each UID.
  public var entries: [LocalEntry]
  /// What could not be read as an item, or holds a UID that another entry has already.
  public var unreadable: [UnreadableEntry]

  /// Creates a listing.
  public init(entries: [LocalEntry] = [], unreadable: [UnreadableEntry] = []) {
    self.entries = entries
    self.unreadable = unreadable
  }
}

/// One item of a local calendar, as it was when it was read.
public struct LocalEntry: Hashable, Sendable {
  /// The name of the item in the calendar: a file name, or the UID in a calendar of one file.
  public let name: String
  /// The version that was read, for the condition of a later change.
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
  /// What is wrong, with the line where one is known; for people.
  public let reason: String

  /// Creates an entry.
  public init(name: String, reason: String) {
    self.name = name
    self.reason = reason
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

/// A change of a local calendar, on the condition that nobody else changed the item meanwhile.
///
/// It is indirect because changes come in batches: each copy of one would count up the references of all
/// that its item is made of.
public indirect enum LocalChange: Sendable {
  /// Adds an item whose UID the calendar does not hold.
  case create(CalendarItem)
  /// Replaces an item that still has this revision.
  case update(name: String, from: Revision, to: CalendarItem)
  /// Replaces an item that still has this revision by the very bytes that it had before.
  case putBack(name: String, from: Revision, to: [UInt8])
  /// Removes an item that still has this revision.
  case delete(name: String, from: Revision)
}

/// What became of one local change.
public enum LocalOutcome: Hashable, Sendable {
  /// Done and durable; the name and revision that the item has now, or nil when it was deleted.
  case done(name: String, revision: Revision?)
  /// The condition failed: the item changed since it was read. Left for the next run.
  case conditionFailed
  /// It could not be done, for this reason.
  case failed(reason: String)
  /// The calendar as a whole takes no changes now, as on a full disk; the item is not to blame.
  case unavailable(reason: String)
}
