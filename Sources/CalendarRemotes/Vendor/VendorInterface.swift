// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A record of a vendor: an event, a series, or a changed or deleted occurrence of one.
struct VendorRecord<Event: Sendable>: Sendable {
  /// The id of the record.
  let id: String
  /// The id of the series, if the record is an occurrence.
  let series: String?
  /// The version.
  let tag: String
  /// Whether the record says that the event, or the occurrence, does not exist.
  let isGone: Bool
  /// Whether the event recurs.
  let isSeries: Bool
  /// The fields.
  let event: Event
}

extension VendorRecord {
  /// The record as one that says that the occurrence does not exist.
  var gone: VendorRecord {
    VendorRecord(id: id, series: series, tag: tag, isGone: true, isSeries: isSeries, event: event)
  }
}

/// A page of records.
struct VendorPage<Event: Sendable>: Sendable {
  let records: [VendorRecord<Event>]
  /// The token of the next page; nil for the last one.
  let next: String?
  /// The token of the last page, with which later changes are asked for.
  let token: String?
}

/// The interface of a vendor for the events of one calendar.
protocol VendorInterface: Sendable {
  /// The fields of a record.
  associatedtype Event: Sendable

  /// The form of the vendor's events.
  var form: any VendorForm { get }
  /// The number of requests that may be in flight at once.
  var requestsAtOnce: Int { get }
  /// The store of the calendar's name and colour; nil if the sign-in does not cover it.
  var properties: (any CollectionPropertyStore)? { get }
  /// Whether the records of a page describe items completely; if not, each item is fetched.
  static var listsContents: Bool { get }

  /// Returns a page of everything, or of what changed since a token.
  ///
  /// - Returns: The page; nil if the vendor does not accept the token any more.
  func page(since token: String?, _ page: String?) async throws -> VendorPage<Event>?

  /// Returns the records of events: each with its changed and deleted occurrences, the event first.
  ///
  /// - Returns: The records by id; events that do not exist are left out.
  func records(of ids: [String]) async throws -> [String: [VendorRecord<Event>]]

  /// Returns the tag of the item that records describe.
  static func tag(of records: [VendorRecord<Event>]) -> EntityTag

  /// Returns the item that records describe.
  func item(of records: [VendorRecord<Event>]) throws -> CalendarItem

  /// Adds an item.
  func insert(_ item: VendorItem) async throws -> WriteOutcome

  /// Changes records to describe an item.
  func change(_ records: [VendorRecord<Event>], to item: VendorItem) async throws -> WriteOutcome

  /// Deletes an event with all of its occurrences, or an occurrence.
  func remove(_ record: VendorRecord<Event>) async throws -> WriteOutcome

  /// The id of the item of an occurrence whose series is not in the calendar.
  ///
  /// `records(of:)` accepts it.
  static func loneID(of record: VendorRecord<Event>) -> String

  /// The start that the series gives to an occurrence; nil if the record does not say it.
  func original(of record: VendorRecord<Event>, _ times: VendorTimes) -> Instant?

  /// Changes an occurrence whose series is not in the calendar.
  ///
  /// - Returns: The outcome if it is not changed.
  func change(
    _ record: VendorRecord<Event>, to part: VendorItem.Part, of item: VendorItem
  ) async throws -> VendorRefusal?
}

/// The outcome of a request that did not succeed.
struct VendorRefusal: Error {
  let value: WriteOutcome
}

extension VendorInterface {
  static var listsContents: Bool { true }

  static func tag(of records: [VendorRecord<Event>]) -> EntityTag { joinedTag(of: records) }

  /// The outcome of a change, of which some requests succeeded.
  ///
  /// - Throws: `RemoteError` unless the item is written: a refusal or a failed condition would say that
  ///   nothing changed, and the next run has to go on from what was written.
  static func begun(_ outcome: WriteOutcome) throws(RemoteError) -> WriteOutcome {
    let reason: String
    switch outcome {
    case .written, .deleted: return outcome
    case .refused(let text), .heldElsewhere(_, let text): reason = text
    case .conditionFailed, .alreadyPresent: reason = "it changed meanwhile"
    }
    throw RemoteError(
      code: .failed, subject: "the event", message: "only a part of it was written: \(reason)")
  }

  /// The outcome of an addition, whose main record was added; the record is removed if another one is
  /// refused.
  func added(
    _ outcome: WriteOutcome, _ main: VendorRecord<Event>
  ) async throws -> WriteOutcome {
    if case .refused = outcome, try await remove(main) == .deleted { return outcome }
    return try Self.begun(outcome)
  }

  /// The tags of records as one.
  static func joinedTag(of records: [VendorRecord<Event>]) -> EntityTag {
    if records.count == 1, let only = records.first { return EntityTag(only.tag) }
    let parts = records.map { "\($0.id)\0\($0.tag)" }.sorted().joined(separator: "\0")
    return EntityTag("\"\(SHA256.digest(of: Array(parts.utf8)))\"")
  }
}
