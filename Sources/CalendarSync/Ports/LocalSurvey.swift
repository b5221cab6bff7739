// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The items of a local calendar, without their contents.
public struct LocalSurvey: Sendable {
  /// Whether nothing changed since the snapshot that was passed to the survey.
  public let isUnchanged: Bool
  /// The changes since that snapshot; nil if they are not known per item.
  public let changes: LocalChanges?
  /// The entries that cannot be read as an item, or whose UID another record has already.
  public let unreadable: [UnreadableEntry]
  /// The snapshot for the next survey; nil if the calendar creates none.
  public let snapshot: LocalSnapshot?
  private let make: @Sendable () -> [LocalRecord]
  private var select: (@Sendable (Set<UID>) -> [LocalRecord])?

  /// Creates a survey.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether nothing changed since the snapshot that was passed to the survey.
  ///   - changes: The changes since that snapshot, if all other items are unchanged.
  ///   - unreadable: The entries that are not one readable item.
  ///   - snapshot: The snapshot for the next survey.
  ///   - records: Creates the records on demand; most runs do not need them.
  public init(
    isUnchanged: Bool = false, changes: LocalChanges? = nil, unreadable: [UnreadableEntry] = [],
    snapshot: LocalSnapshot? = nil, records: @escaping @Sendable () -> [LocalRecord]
  ) {
    self.isUnchanged = isUnchanged
    self.changes = changes
    self.unreadable = unreadable
    self.snapshot = snapshot
    make = records
  }

  /// The survey with a faster way to create the records of some items than to create all.
  public func selecting(
    _ select: @escaping @Sendable (Set<UID>) -> [LocalRecord]
  ) -> LocalSurvey {
    var survey = self
    survey.select = select
    return survey
  }

  /// The readable items, at most one for each UID; created by each call.
  public func records() -> [LocalRecord] { make() }

  /// The readable items among these; created by each call.
  public func records(of uids: Set<UID>) -> [LocalRecord] {
    guard !uids.isEmpty else { return [] }
    return select.map { $0(uids) } ?? make().filter { uids.contains($0.uid) }
  }
}

/// The metadata of an item in a local calendar, without its content.
public struct LocalRecord: Hashable, Sendable {
  /// The name of the item in the calendar.
  public let name: String
  /// The version that was read.
  public let revision: Revision
  /// The UID of the item.
  public let uid: UID
  /// The fingerprint of the item.
  public let fingerprint: Fingerprint

  /// Creates a record.
  public init(name: String, revision: Revision, uid: UID, fingerprint: Fingerprint) {
    self.name = name
    self.revision = revision
    self.uid = uid
    self.fingerprint = fingerprint
  }

  /// Creates the record of an item that was read.
  public init(_ entry: LocalEntry) {
    self.init(
      name: entry.name, revision: entry.revision, uid: entry.item.uid,
      fingerprint: entry.item.fingerprint)
  }
}

/// The state of a local calendar at its last survey, in a format that only the calendar reads.
///
/// It is a cache. With an outdated snapshot, or none, a survey returns the same result and takes
/// longer.
public struct LocalSnapshot: Hashable, Sendable {
  /// The calendar's own bytes.
  public let bytes: [UInt8]

  /// Creates a snapshot from the calendar's own bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension LocalCalendar {
  /// Default implementation: each item is a file of its own.
  public var isHandledAsWhole: Bool { false }

  /// Default implementation: reads everything, without a snapshot.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let listing = try await scan()
    let records = listing.normalized(by: form).entries.map(LocalRecord.init)
    return LocalSurvey(unreadable: listing.unreadable) { records }
  }

  /// Default implementation: the location cannot change.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool { true }

  /// Default implementation: the snapshots cannot be changed.
  public func snapshot(
    _ snapshot: LocalSnapshot, doubting items: [String: UID]
  ) -> LocalSnapshot? { nil }

  /// Default implementation: reads by name.
  public func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing {
    try await read(records.map(\.name), in: form)
  }

  /// Default implementation: reads everything.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    guard !names.isEmpty else { return LocalListing() }
    let wanted = Set(names)
    var listing = try await scan()
    listing.entries.removeAll { !wanted.contains($0.name) }
    listing.unreadable.removeAll { !wanted.contains($0.name) }
    return listing.normalized(by: form)
  }
}

/// The changes of a local calendar since a snapshot; all other items are unchanged.
///
/// An item that was only moved to another name is listed as gone and as found.
public struct LocalChanges: Hashable, Sendable {
  /// The items that are new or changed.
  public let found: [LocalRecord]
  /// The names whose records are missing or changed, with the UIDs that they had.
  public let gone: [String: UID]

  /// Creates a set of changes.
  public init(found: [LocalRecord], gone: [String: UID]) {
    self.found = found
    self.gone = gone
  }

  /// The UIDs of all changed items.
  public var uids: Set<UID> { Set(gone.values).union(found.lazy.map(\.uid)) }

  /// The number of changes.
  var count: Int { max(found.count, gone.count) }
}
