// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Synchronization

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

  /// Returns the item that records describe.
  func item(of records: [VendorRecord<Event>]) throws -> CalendarItem

  /// Adds an item.
  func insert(_ item: VendorItem) async throws -> WriteOutcome

  /// Changes records to describe an item.
  func change(_ records: [VendorRecord<Event>], to item: VendorItem) async throws -> WriteOutcome

  /// Deletes an event with all of its occurrences.
  func remove(_ record: VendorRecord<Event>) async throws -> WriteOutcome
}

/// A calendar of a vendor that has events with fields, under full access.
///
/// An item is an event and its changed occurrences, which vendors return as records of their own. The
/// tag of an item consists of the tags of its records.
final class VendorCalendar<Interface: VendorInterface>: RemoteCalendar {
  private typealias Record = VendorRecord<Interface.Event>

  private struct State {
    /// The records of a listing that were not fetched yet.
    var listed: [String: [Record]] = [:]
    var recognition = CursorRecognition.unknown
  }

  /// The largest number of pages of an answer.
  private static var pageLimit: Int { 100_000 }

  private let interface: Interface
  private let state = Mutex(State())

  init(_ interface: Interface) {
    self.interface = interface
  }

  var holding: (any ItemHolding)? { interface.form }
  var components: Set<String>? { ["VEVENT"] }
  var requestsAtOnce: Int { interface.requestsAtOnce }
  var cursorRecognition: CursorRecognition { state.withLock(\.recognition) }

  // MARK: Changes

  func list() async throws -> [RemoteEntry] {
    guard case .complete(let entries, _) = try await changes(since: nil) else { return [] }
    return entries
  }

  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    let token = cursor.flatMap(VendorCursor.init)?.token
    if let token, let answer = try await pages(since: token) {
      state.withLock { $0.recognition = .recognized }
      return changes(in: answer.records, answer.token ?? token)
    }
    state.withLock { $0.recognition = cursor == nil ? .unknown : .refused }
    guard let answer = try await pages(since: nil) else {
      throw RemoteError(
        code: .malformed, subject: "the calendar", message: "the server refuses a complete listing")
    }
    let items = Self.grouped(answer.records).filter { $0.value.contains { !$0.isGone } }
    if Interface.listsContents { state.withLock { $0.listed = items } }
    let entries = items.map { id, records in
      // The occurrences of a series have tags, too.
      let isWhole = Interface.listsContents || !records.contains(where: \.isSeries)
      return RemoteEntry(href: Href(id), etag: isWhole ? Interface.tag(of: records) : nil)
    }
    return .complete(
      entries.sorted { $0.href.rawValue < $1.href.rawValue },
      answer.token.map { VendorCursor(token: $0).cursor })
  }

  private func pages(since token: String?) async throws -> (records: [Record], token: String?)? {
    var (records, page, count): ([Record], String?, Int) = ([], nil, 0)
    repeat {
      try Task.checkCancellation()
      guard let answer = try await interface.page(since: token, page) else { return nil }
      records += answer.records
      count += 1
      guard answer.next != nil else { return (records, answer.token) }
      guard answer.next != page, count < Self.pageLimit else {
        throw RemoteError(
          code: .malformed, subject: "the calendar", message: "the listing of the server has no end"
        )
      }
      page = answer.next
    } while true
  }

  /// The changes of items that records describe.
  ///
  /// The tag of a series depends on occurrences that are not in the answer; without a tag, the run
  /// fetches the series.
  private func changes(in records: [Record], _ token: String) -> RemoteChanges {
    let cursor = VendorCursor(token: token).cursor
    guard !records.isEmpty else { return .none(cursor) }
    var (changed, removed): ([RemoteEntry], [Href]) = ([], [])
    for (id, parts) in Self.grouped(records).sorted(by: { $0.key < $1.key }) {
      if let main = parts.first(where: { $0.series == nil }), main.isGone {
        removed.append(Href(id))
      } else if parts.count == 1, let only = parts.first, only.series == nil, !only.isSeries {
        changed.append(RemoteEntry(href: Href(id), etag: Interface.tag(of: parts)))
        if Interface.listsContents { state.withLock { $0.listed[id] = parts } }
      } else {
        changed.append(RemoteEntry(href: Href(id), etag: nil))
      }
    }
    return .some(changed: changed, removed: removed, cursor)
  }

  /// The records by the ids of their items; later records replace earlier ones with the same id.
  private static func grouped(_ records: [Record]) -> [String: [Record]] {
    let last = Dictionary(records.map { ($0.id, $0) }) { $1 }
    return Dictionary(grouping: last.values) { $0.series ?? $0.id }
  }

  // MARK: Items

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    let known = state.withLock { state in
      Dictionary(
        hrefs.compactMap { href in
          state.listed.removeValue(forKey: href.rawValue).map { (href.rawValue, $0) }
        }
      ) { $1 }
    }
    let missing = hrefs.map(\.rawValue).filter { known[$0] == nil }
    let found = missing.isEmpty ? [:] : try await interface.records(of: missing)
    return hrefs.map { href in
      guard let records = known[href.rawValue] ?? found[href.rawValue],
        records.contains(where: { !$0.isGone })
      else { return .missing(href: href) }
      do {
        return .item(
          href: href, etag: Interface.tag(of: records), item: try interface.item(of: records))
      } catch {
        return .unreadable(href: href, reason: "\(error)")
      }
    }
  }

  func fetch(_ hrefs: [Href], _ take: ([RemoteFetch]) async throws -> Void) async throws {
    for start in stride(from: 0, to: hrefs.count, by: 200) {
      try Task.checkCancellation()
      try await take(try await fetch(Array(hrefs[start..<min(start + 200, hrefs.count)])))
    }
  }

  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    try await writing(item) { try await interface.insert($0) }
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    guard let records = try await current(href, etag) else { return .conditionFailed }
    return try await writing(item) { try await interface.change(records, to: $0) }
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    let id = href.rawValue
    guard let records = try await interface.records(of: [id])[id],
      let main = records.first(where: { $0.series == nil }), !main.isGone
    else { return .deleted }
    guard Interface.tag(of: records) == etag else { return .conditionFailed }
    state.withLock { $0.listed[id] = nil }
    return try await interface.remove(main)
  }

  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
    .refused(reason: "the vendor moves no events between calendars for Epact")
  }

  /// The records of an item, if they have the tag.
  private func current(_ href: Href, _ etag: EntityTag) async throws -> [Record]? {
    let id = href.rawValue
    state.withLock { $0.listed[id] = nil }
    guard let records = try await interface.records(of: [id])[id],
      Interface.tag(of: records) == etag
    else { return nil }
    return records
  }

  private func writing(
    _ item: CalendarItem, _ write: (VendorItem) async throws -> WriteOutcome
  ) async throws -> WriteOutcome {
    let divided: VendorItem
    do throws(HoldingRefusal) {
      divided = try interface.form.divide(item)
    } catch {
      return .refused(reason: "the vendor cannot hold it (\(error.code))")
    }
    return try await write(divided)
  }
}

extension VendorInterface {
  static var listsContents: Bool { true }

  /// The tag of an item with these records.
  static func tag(of records: [VendorRecord<Event>]) -> EntityTag {
    if records.count == 1, let only = records.first { return EntityTag(only.tag) }
    let parts = records.map { "\($0.id)\0\($0.tag)" }.sorted().joined(separator: "\0")
    return EntityTag("\"\(SHA256.digest(of: Array(parts.utf8)))\"")
  }
}

/// The position in the changes of a vendor's calendar.
private struct VendorCursor {
  /// The version of the form in which records become items; another one reads everything anew.
  private static let prefix = "1 "

  let token: String

  init(token: String) { self.token = token }

  init?(_ cursor: RemoteCursor) {
    let text = cursor.rawValue
    guard text.hasPrefix(Self.prefix), text.count > Self.prefix.count else { return nil }
    token = String(text.dropFirst(Self.prefix.count))
  }

  var cursor: RemoteCursor { RemoteCursor(Self.prefix + token) }
}
