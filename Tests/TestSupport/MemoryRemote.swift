// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync
import Foundation
import Synchronization

/// A remote calendar in memory, with the habits of servers that make syncing hard.
public final class MemoryRemote: Remote, RemoteCalendar {
  /// What a server does that others do not.
  public struct Quirks: OptionSet, Hashable, Sendable {
    /// One bit a habit.
    public let rawValue: Int

    /// Creates quirks from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Stores something else than it is sent, and then tells no tag for it.
    public static let rewrites = Quirks(rawValue: 1)
    /// Tells a tag for what it was sent although it stores something else.
    public static let tellsTagOfRewritten = Quirks(rawValue: 2)
    /// Tells no tag with the answer to a write.
    public static let noTagAfterWrite = Quirks(rawValue: 4)
    /// Gives every item another tag with each listing.
    public static let churnsTags = Quirks(rawValue: 8)
    /// Drops properties that it does not know of what it is sent, and tells a tag all the same.
    public static let dropsUnknown = Quirks(rawValue: 64)
    /// Overwrites and deletes whatever the condition says.
    public static let ignoresConditions = Quirks(rawValue: 16)
    /// Tells no tags at all.
    public static let noTags = Quirks(rawValue: 32)
    /// Tells what changed since a cursor.
    public static let keepsCursors = Quirks(rawValue: 128)
    /// Forgets every third cursor.
    public static let forgetsCursors = Quirks(rawValue: 256)
    /// Lists, every other time, what it held when it was asked before.
    public static let listsLate = Quirks(rawValue: 512)
    /// Tells weak tags (RFC 9110 §8.8.3).
    public static let weakTags = Quirks(rawValue: 1024)
    /// Keeps of a value what stands before the first comma that no backslash precedes.
    public static let cutsValues = Quirks(rawValue: 2048)
    /// Escapes commas and semicolons in texts that have no backslash before them.
    public static let escapesTexts = Quirks(rawValue: 4096)
    /// Counts in its cursors, so that the same ones come again after a backup was put back.
    public static let countsInCursors = Quirks(rawValue: 16_384)
    /// Writes an item with several requests.
    public static let writesInParts = Quirks(rawValue: 32_768)
    /// Tells hrefs that start with the calendar, as servers do, so that those of two calendars differ.
    public static let tellsPaths = Quirks(rawValue: 8192)
  }

  struct Resource {
    var bytes: [UInt8]
    /// The item, or nil if the bytes cannot be read as one.
    var item: CalendarItem?
    var tag: EntityTag
    /// Why the bytes cannot be read.
    var problem: String?
  }

  struct State {
    var resources: [Href: Resource] = [:]
    var lastTag = 0
    var hasWeakTags = false
    var log: [String] = []
    var refused: [UID: String] = [:]
    /// Why every write is refused; nil if none is.
    var refusal: String?
    var missing: Set<Href> = []
    /// The items that are over a limit of size.
    var tooLarge: Set<UID> = []
    var hidden: Set<Href> = []
    /// The places that no answer to a fetch mentions.
    var leftOut: Set<Href> = []
    /// Whether it was opened for the first run of a sync.
    var isNew = false
    /// The places that the first answer of a first run omits.
    var omitted: Set<Href> = []
    /// Those that later answers count as told.
    var forgotten: Set<Href> = []
    /// Whether others choose places of their own, and a UID may be added at a second place.
    var hasForeignPlaces = false
    var firsts = 0
    var comparisons = 0
    var isUnlistable = false
    var cursors = 0
    /// Whether the last response continued from the cursor.
    var recognition = CursorRecognition.unknown
    /// Whether a listing has a cursor that was not confirmed yet.
    var isUnconfirmed = false
    /// The number of writes while a listing was not confirmed.
    var unconfirmedWrites = 0
    /// What was listed with each cursor.
    var views: [String: [Href: EntityTag]] = [:]
    /// What the listing before told, and whether the next one tells it again.
    var lastListing: [RemoteEntry]?
    var isLate = false
    /// What another program writes right after the next write of a UID.
    var interlopers: [UID: CalendarItem] = [:]
    /// The other calendars of the same account, in which a UID is not taken twice.
    var neighbours: @Sendable () -> [MemoryRemote] = { [] }

    /// Why a write of an item is refused.
    func refusal(of uid: UID?) -> String? { refusal ?? uid.flatMap { refused[$0] } }

    mutating func makeTag() -> EntityTag {
      lastTag += 1
      return EntityTag("\(hasWeakTags ? "W/" : "")\"\(lastTag)\"")
    }
  }

  /// What grants and the ledger are bound to.
  public let identity: RemoteIdentity
  let quirks: Quirks
  /// The parts that it does not store of what it is sent.
  public let reductions: Reductions
  /// Its fields; nil if it stores iCalendar objects.
  public let fields: MemoryFields?
  let faults: FaultPlan
  let state = Mutex(State())
  let interleaving: Interleaving?

  /// What the calendar says of itself; nil unless a test wants that.
  public let properties: (any CollectionPropertyStore)?

  /// Creates an empty remote.
  public init(
    _ name: String = "work", kind: String = "memory", quirks: Quirks = [],
    reductions: Reductions = [], fields: MemoryFields? = nil, faults: FaultPlan = FaultPlan(),
    properties: MemoryProperties? = nil, interleaving: Interleaving? = nil
  ) {
    self.reductions = reductions
    self.fields = fields
    self.interleaving = interleaving
    self.properties = properties
    identity = RemoteIdentity(kind: kind, location: name)
    self.quirks = quirks
    self.faults = faults
    state.withLock { $0.hasWeakTags = quirks.contains(.weakTags) }
  }

  // MARK: Remote

  /// Opens the remote for adding events.
  public func openAppender() async throws -> any RemoteAppender {
    state.withLock { $0.log.append("open appender") }
    return MemoryAppender(remote: self)
  }

  /// Opens the remote for everything.
  public func openCalendar() async throws -> any RemoteCalendar {
    state.withLock { state in
      state.log.append("open calendar")
      (state.isUnconfirmed, state.isNew) = (false, false)
    }
    return self
  }

  // MARK: RemoteCalendar

  /// What its fields and its stash hold.
  public var holding: (any ItemHolding)? { fields }

  /// Whether a write takes several requests.
  public var isWrittenInParts: Bool { quirks.contains(.writesInParts) }

  /// Lists every item.
  public func list() async throws -> [RemoteEntry] {
    try call("list") { state in
      if state.isUnlistable { throw FaultPlan.Failure(call: "list") }
      if quirks.contains(.churnsTags) {
        for href in state.resources.keys {
          let tag = state.makeTag()
          state.resources[href]?.tag = tag
        }
      }
      return listing(&state)
    }
  }

  private func listing(_ state: inout State) -> [RemoteEntry] {
    let hidden = state.isNew ? state.hidden.union(state.omitted) : state.hidden
    let shown = state.resources.filter { !hidden.contains($0.key) }
    let fresh = shown.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      RemoteEntry(href: $0.key, etag: quirks.contains(.noTags) ? nil : $0.value.tag)
    }
    guard quirks.contains(.listsLate) else { return fresh }
    let listed = state.isLate ? state.lastListing ?? fresh : fresh
    state.isLate.toggle()
    state.lastListing = fresh
    return listed
  }

  /// Tells what changed since a cursor, if the remote keeps any.
  public func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    guard quirks.contains(.keepsCursors) else { return .complete(try await list(), nil) }
    return try call("changes") { state in
      if state.isUnlistable { throw FaultPlan.Failure(call: "changes") }
      let entries = listing(&state)
      let now = Dictionary(uniqueKeysWithValues: entries.map { ($0.href, $0.etag) })
      let old = cursor.flatMap { state.views[$0.rawValue] }
      state.recognition = cursor == nil ? .unknown : old == nil ? .refused : .recognized
      state.cursors += 1
      let next = RemoteCursor("\(state.cursors)")
      let isForgotten = quirks.contains(.forgetsCursors) && state.cursors.isMultiple(of: 3)
      if !isForgotten {
        let untold = state.isNew ? state.forgotten : []
        let tags = state.resources.filter { untold.contains($0.key) }.mapValues(\.tag)
        state.views[next.rawValue] = now.compactMapValues(\.self).merging(tags) { $1 }
      }
      guard let old else {
        state.isUnconfirmed = true
        return .complete(entries, next)
      }
      let changed = entries.filter { $0.etag == nil || old[$0.href] != $0.etag }
      let removed = old.keys.filter { !now.keys.contains($0) }
        .sorted { $0.rawValue < $1.rawValue }
      if changed.isEmpty, removed.isEmpty { return .none(next) }
      return .some(changed: changed, removed: removed, next)
    }
  }

  /// Confirms the cursor of a listing, which it always can.
  public func confirm(_ cursor: RemoteCursor) async -> RemoteCursor? {
    await interleaving?.turn()
    state.withLock { $0.isUnconfirmed = false }
    return cursor
  }

  /// The number of writes while a listing was not confirmed, which has to stay zero.
  public var unconfirmedWrites: Int { state.withLock { $0.unconfirmedWrites } }

  /// Fetches items.
  public func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    try call("fetch \(hrefs.map(\.rawValue).joined(separator: ","))") { state in
      hrefs.filter { !state.leftOut.contains($0) }.map { href in
        guard !state.missing.contains(href), let resource = state.resources[href] else {
          return .missing(href: href)
        }
        guard let item = resource.item else {
          return .unreadable(href: href, reason: resource.problem ?? "not a calendar")
        }
        guard !state.tooLarge.contains(item.uid) else {
          return .unreadable(href: href, reason: "larger than the limit")
        }
        let tag = quirks.contains(.noTags) ? nil : resource.tag
        return .item(href: href, etag: tag, item: item)
      }
    }
  }

  /// One, or as many as the order of the requests is tried for.
  public var requestsAtOnce: Int { interleaving?.limit ?? 1 }

  /// Adds an item.
  public func create(_ item: CalendarItem) async throws -> WriteOutcome {
    await interleaving?.turn()
    return try call("create \(item.uid)") { state in
      let href = href(of: item.uid)
      if let reason = state.refusal(of: item.uid) { return .refused(reason: reason) }
      guard state.resources[href] == nil || quirks.contains(.ignoresConditions) else {
        return .conditionFailed
      }
      // RFC 4791 §5.3.2.1: no-uid-conflict.
      // The UID of an item that cannot be read is known to the server alone.
      let isChecked = !state.hasForeignPlaces || state.tooLarge.contains(item.uid)
      let isTaken =
        isChecked && state.resources.contains { $0.key != href && $0.value.item?.uid == item.uid }
      if isTaken { return .refused(reason: "the UID is taken") }
      if let place = state.neighbours().lazy.compactMap({ $0.place(of: item.uid) }).first {
        return .heldElsewhere(href: place, reason: "the UID is taken elsewhere")
      }
      return .written(href: href, etag: store(item, at: href, in: &state))
    }
  }

  /// Replaces an item.
  public func update(_ href: Href, to item: CalendarItem, ifMatch etag: EntityTag) async throws
    -> WriteOutcome
  {
    await interleaving?.turn()
    return try call("update \(item.uid)") { state in
      if let reason = state.refusal(of: item.uid) { return .refused(reason: reason) }
      guard state.resources[href]?.tag == etag || quirks.contains(.ignoresConditions) else {
        return .conditionFailed
      }
      return .written(href: href, etag: store(item, at: href, in: &state))
    }
  }

  /// Deletes an item.
  public func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    await interleaving?.turn()
    return try call("delete \(href)") { state in
      guard let resource = state.resources[href] else { return .deleted }
      if let reason = state.refusal(of: resource.item?.uid) { return .refused(reason: reason) }
      guard resource.tag == etag || quirks.contains(.ignoresConditions) else {
        return .conditionFailed
      }
      state.resources[href] = nil
      return .deleted
    }
  }

  // MARK: Helpers

  func call<Answer>(_ name: String, _ work: (inout State) throws -> Answer) throws -> Answer {
    state.withLock { $0.log.append(name) }
    return try faults.perform(name) { try state.withLock { try work(&$0) } }
  }

  /// The place where an item with a UID is added.
  func href(of uid: UID) -> Href {
    let name = ItemName(of: uid).rawValue
    return Href(quirks.contains(.tellsPaths) ? "/\(identity.location)/\(name)" : name)
  }

  /// Stores an item as the server does, and gives the tag that the answer tells.
  func store(_ item: CalendarItem, at href: Href, in state: inout State) -> EntityTag? {
    if state.isUnconfirmed { state.unconfirmedWrites += 1 }
    var stored = quirks.contains(.rewrites) ? Self.rewritten(item) : item
    if quirks.contains(.dropsUnknown) { stored = Self.stripped(stored) }
    if quirks.contains(.cutsValues) { stored = stored.cut }
    if quirks.contains(.escapesTexts) { stored = stored.escaped }
    stored = reductions.reduced(stored)
    if let fields { stored = fields.held(stored) }
    let tag = state.makeTag()
    state.resources[href] = Resource(bytes: stored.serialized(), item: stored, tag: tag)
    if let other = state.interlopers.removeValue(forKey: item.uid) {
      state.resources[href] = Resource(
        bytes: other.serialized(), item: other, tag: state.makeTag())
    }
    if quirks.contains(.rewrites), !quirks.contains(.tellsTagOfRewritten) { return nil }
    return quirks.contains(.noTagAfterWrite) || quirks.contains(.noTags) ? nil : tag
  }

  /// The item without the properties that no RFC defines.
  private static func stripped(_ item: CalendarItem) -> CalendarItem {
    let lines = String(decoding: item.serialized(), as: UTF8.self).components(separatedBy: "\r\n")
    return TestItem.parse(lines.filter { !$0.hasPrefix("X-") }.joined(separator: "\r\n"))
  }

  /// The item with a property that the server adds; once is enough.
  private static func rewritten(_ item: CalendarItem) -> CalendarItem {
    let text = String(decoding: item.serialized(), as: UTF8.self)
    let mark = "X-SERVER:seen\r\n"
    let end = "END:\(item.kind.rawValue)\r\n"
    guard !text.contains(mark), let place = text.firstRange(of: end) else { return item }
    return TestItem.parse(
      text[..<place.lowerBound] + mark + text[place.lowerBound...])
  }
}
