// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Synchronization

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
  var properties: (any CollectionPropertyStore)? { interface.properties }
  var components: Set<String>? { ["VEVENT"] }
  /// The occurrences of a series are written after it.
  var isWrittenInParts: Bool { true }
  var requestsAtOnce: Int { interface.requestsAtOnce }
  /// A fetch has as many requests in flight as the vendor permits.
  var fetchesAtOnce: Int { 1 }
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
      return try await changes(in: answer.records, answer.token ?? token)
    }
    state.withLock { $0.recognition = cursor == nil ? .unknown : .refused }
    guard let answer = try await pages(since: nil) else {
      throw RemoteError(
        code: .malformed, subject: "the calendar", message: "the server refuses a complete listing")
    }
    let items = try await completed(Self.grouped(answer.records), isComplete: true).items.filter {
      $0.value.contains { !$0.isGone }
    }
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
  private func changes(in records: [Record], _ token: String) async throws -> RemoteChanges {
    let cursor = VendorCursor(token: token).cursor
    guard !records.isEmpty else { return .none(cursor) }
    var (changed, removed): ([RemoteEntry], [Href]) = ([], [])
    let (items, read) = try await completed(Self.grouped(records), isComplete: false)
    for (id, parts) in items.sorted(by: { $0.key < $1.key }) {
      let isRead = read.contains(id)
      if parts.allSatisfy(\.isGone) {
        removed.append(Href(id))
      } else if isRead || !parts.contains(where: \.isSeries) {
        changed.append(RemoteEntry(href: Href(id), etag: Interface.tag(of: parts)))
        if isRead || Interface.listsContents { state.withLock { $0.listed[id] = parts } }
      } else {
        changed.append(RemoteEntry(href: Href(id), etag: nil))
      }
    }
    return .some(changed: changed, removed: removed, cursor)
  }

  /// The records of an answer by the ids of their items, of which occurrences without their series are
  /// some.
  ///
  /// An answer may have occurrences of a series without the series: because the series did not change, or
  /// because the user was invited to these occurrences alone. A request for the series distinguishes both.
  ///
  /// - Parameters:
  ///   - groups: The records by the ids of their series.
  ///   - isComplete: Whether the answer has everything.
  /// - Returns: The items, and the ids of those that were requested; one with records that are all gone
  ///   was deleted.
  /// - Throws: `RemoteError`.
  private func completed(
    _ groups: [String: [Record]], isComplete: Bool
  ) async throws -> (items: [String: [Record]], read: Set<String>) {
    var items = groups
    let doubtful = groups.filter { id, parts in
      parts.contains { $0.series != nil && !$0.isGone }
        && parts.first { $0.series == nil }?.isGone ?? true
        || !parts.contains { $0.series == nil }
    }
    guard !doubtful.isEmpty else { return (items, []) }
    let unlisted = doubtful.filter { !$0.value.contains { $0.series == nil } }.keys.sorted()
    var read = unlisted.isEmpty ? [:] : try await interface.records(of: unlisted)
    var lone: [String: [Record]] = [:]
    for (id, parts) in doubtful where read[id] == nil {
      let main = parts.filter { $0.series == nil }
      items[id] = main.isEmpty ? nil : main
      for part in parts where part.series != nil {
        lone[Interface.loneID(of: part), default: []].append(part)
      }
    }
    // Of several occurrences in an item, an answer may have some.
    if !isComplete, !lone.isEmpty {
      let now = try await interface.records(of: lone.keys.sorted())
      for (id, parts) in lone { lone[id] = now[id] ?? parts.map(\.gone) }
      read.merge(now) { first, _ in first }
    }
    items.merge(lone) { first, _ in first }
    items.merge(read) { _, new in new }
    return (items, Set(read.keys))
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
    try await writing(item) { divided in
      divided.isLone ? refusal(.noSeries) : try await interface.insert(divided)
    }
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    guard let records = try await current(href, etag) else { return .conditionFailed }
    return try await writing(item) { divided in
      let isLone = !records.contains { $0.series == nil }
      guard isLone == divided.isLone else { return refusal(.foreignSeries) }
      return isLone
        ? try await change(records, to: divided, at: href)
        : try await interface.change(records, to: divided)
    }
  }

  /// Changes and deletes occurrences whose series is not in the calendar.
  private func change(
    _ records: [Record], to item: VendorItem, at href: Href
  ) async throws -> WriteOutcome {
    var rest = records.filter { !$0.isGone }
    var changes: [(record: Record, part: VendorItem.Part)] = []
    for (original, part) in item.overrides {
      let time = try item.times.instant(of: original)
      guard let index = rest.firstIndex(where: { interface.original(of: $0, item.times) == time })
      else { return refusal(.foreignSeries) }
      changes.append((rest.remove(at: index), part))
    }
    for (record, part) in changes {
      if let refusal = try await interface.change(record, to: part, of: item) {
        return refusal.value
      }
    }
    if let outcome = try await remove(rest) { return outcome }
    let id = href.rawValue
    let now = try await interface.records(of: [id])[id]
    return .written(href: href, etag: now.map(Interface.tag))
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    let id = href.rawValue
    guard let records = try await interface.records(of: [id])[id],
      records.contains(where: { !$0.isGone })
    else { return .deleted }
    guard Interface.tag(of: records) == etag else { return .conditionFailed }
    state.withLock { $0.listed[id] = nil }
    if let main = records.first(where: { $0.series == nil }) {
      return main.isGone ? .deleted : try await interface.remove(main)
    }
    return try await remove(records.filter { !$0.isGone }) ?? .deleted
  }

  /// Deletes occurrences; returns the outcome of the first that is not deleted.
  private func remove(_ records: [Record]) async throws -> WriteOutcome? {
    for record in records {
      let outcome = try await interface.remove(record)
      guard outcome == .deleted else { return outcome }
    }
    return nil
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
      return refusal(error)
    }
    return try await write(divided)
  }

  private func refusal(_ reason: HoldingRefusal) -> WriteOutcome {
    .refused(reason: "the vendor cannot hold it (\(reason.code))")
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
