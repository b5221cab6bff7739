// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// What a local calendar holds, without the contents.
public struct LocalSurvey: Sendable {
  /// Whether everything is as it was when the snapshot was made that the survey began with.
  public let isUnchanged: Bool
  /// What is not as that snapshot tells; nil if it cannot be said item by item.
  public let changes: LocalChanges?
  /// What could not be read as an item, or holds a UID that another record has already.
  public let unreadable: [UnreadableEntry]
  /// What the next survey can begin with; nil if the calendar keeps none.
  public let snapshot: LocalSnapshot?
  private let make: @Sendable () -> [LocalRecord]

  /// Creates a survey.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether everything is as the snapshot that it began with tells.
  ///   - changes: What is not as it tells, if all that is else is as it was.
  ///   - unreadable: What is not one readable item.
  ///   - snapshot: What the next survey can begin with.
  ///   - records: Makes the records, when somebody wants them: in most nights nobody does.
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

  /// The readable items, at most one for each UID, made anew by each call.
  public func records() -> [LocalRecord] { make() }
}

/// What is known of one item of a local calendar without its content.
public struct LocalRecord: Hashable, Sendable {
  /// The name of the item in the calendar.
  public let name: String
  /// The version that was read.
  public let revision: Revision
  /// The UID of the item.
  public let uid: UID
  /// What the item means.
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

/// What a local calendar was when it was last surveyed: bytes that only the calendar reads.
///
/// It is a cache. With an old one, or none, a survey finds the same and takes longer.
public struct LocalSnapshot: Hashable, Sendable {
  /// The calendar's own bytes.
  public let bytes: [UInt8]

  /// Creates a snapshot from the calendar's own bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension LocalCalendar {
  /// Surveys by reading everything, as a calendar does that keeps no snapshot.
  public func survey(
    since snapshot: LocalSnapshot?, in form: NormalForm, at now: Instant
  ) async throws -> LocalSurvey {
    let listing = try await scan()
    let records = listing.normalized(by: form).entries.map(LocalRecord.init)
    return LocalSurvey(unreadable: listing.unreadable) { records }
  }

  /// There is no other place.
  public func isSamePlace(as snapshot: LocalSnapshot) -> Bool { true }

  /// Reads by name.
  public func read(_ records: [LocalRecord], in form: NormalForm) async throws -> LocalListing {
    try await read(records.map(\.name), in: form)
  }

  /// Reads by reading everything.
  public func read(_ names: [String], in form: NormalForm) async throws -> LocalListing {
    guard !names.isEmpty else { return LocalListing() }
    let wanted = Set(names)
    var listing = try await scan()
    listing.entries.removeAll { !wanted.contains($0.name) }
    listing.unreadable.removeAll { !wanted.contains($0.name) }
    return listing.normalized(by: form)
  }
}
