// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Synchronization

/// A calendar whose items are projected.
struct MirrorSource: Sendable {
  let calendar: ProjectedCalendar
  let items: any LocalCalendar
}

/// The calendars whose syncs a guard stopped in a run, because a side may have lost items.
///
/// A mirror does not show them until that is settled.
final class StoppedCalendars: Sendable {
  private let names = Mutex<Set<String>>([])

  func insert(_ calendar: String) { _ = names.withLock { $0.insert(calendar) } }

  func contains(_ calendar: String) -> Bool { names.withLock { $0.contains(calendar) } }
}

/// The projection of local calendars as a remote, which can only be read.
struct MirrorRemote: Remote {
  /// The kind of the remotes that are mirrors.
  static let kind = "mirror"

  private let open: @Sendable () throws -> (sources: [MirrorSource], projector: ItemProjector)
  private let now: @Sendable () -> Instant
  /// The kind `mirror` and the name of the mirror, so that other settings keep its state.
  let identity: RemoteIdentity

  /// Creates a remote.
  ///
  /// - Parameters:
  ///   - name: The name of the mirror.
  ///   - now: The clock.
  ///   - open: Opens the calendars; a missing one is an error, because it would look like one whose
  ///     items were deleted.
  init(
    name: String, now: @escaping @Sendable () -> Instant,
    open: @escaping @Sendable () throws -> (sources: [MirrorSource], projector: ItemProjector)
  ) {
    identity = RemoteIdentity(kind: Self.kind, location: name)
    self.now = now
    self.open = open
  }

  /// Whether a remote of the ledger is a mirror.
  static func isMirror(_ identity: RemoteIdentity) -> Bool { identity.kind == kind }

  /// Throws, because nothing can be added to a projection.
  func openAppender() async throws -> any RemoteAppender {
    throw AccessError.needsFull(reason: MirrorCalendar.reason)
  }

  func openCalendar() async throws -> any RemoteCalendar {
    let (sources, projector) = try open()
    return MirrorCalendar(sources, projector, now: now)
  }
}

/// The projection of local calendars under full access.
///
/// A run reads only the items that changed since the last one: the cursor has the snapshots of the
/// calendars. The UID of a projected item is its href.
actor MirrorCalendar: ReadOnlyCalendar {
  static let reason = "a mirror is made of other calendars, and is changed by changing them"
  /// The number of items that are read and projected at a time.
  private static let portion = 500

  private let sources: [MirrorSource]
  private let projector: ItemProjector
  /// A digest of all that the items depend on besides the calendars.
  private let fingerprint: String
  private let now: @Sendable () -> Instant
  private var surveys: [LocalSurvey]?
  /// The items of the hrefs; nil if they are not known.
  private var uids: [Href: UID]?

  init(
    _ sources: [MirrorSource], _ projector: ItemProjector, now: @escaping @Sendable () -> Instant
  ) {
    self.sources = sources
    self.projector = projector
    self.now = now
    let names = sources.flatMap { [$0.calendar.name, $0.calendar.title, $0.items.location] }
    let parts = ([projector.fingerprint] + names).joined(separator: "\0")
    fingerprint = SHA256.digest(of: Array(parts.utf8)).description
  }

  /// The author of the calendars may return to an earlier version; nothing is sent to a projection.
  nonisolated var cursorRecognition: CursorRecognition { .recognized }
  nonisolated var components: Set<String>? { [] }
  nonisolated var properties: (any CollectionPropertyStore)? { nil }

  nonisolated func isSamePlace(as cursor: RemoteCursor) -> Bool {
    guard let known = MirrorCursor(cursor), known.snapshots.count == sources.count else {
      return true
    }
    return zip(sources, known.snapshots).allSatisfy { $0.items.isSamePlace(as: $1) }
  }

  // MARK: Changes

  func list() async throws -> [RemoteEntry] {
    try await listing(try await survey(since: nil))
  }

  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    // With other settings, all items may have another projection.
    let known = cursor.flatMap(MirrorCursor.init)
      .flatMap { $0.settings == fingerprint ? $0 : nil }
    let surveys = try await survey(since: known?.snapshots)
    let snapshots = surveys.compactMap(\.snapshot)
    let isWhole = snapshots.count == surveys.count
    let next = isWhole ? MirrorCursor(fingerprint, snapshots).cursor : nil
    if let next, known != nil, surveys.allSatisfy({ $0.isUnchanged && $0.unreadable.isEmpty }) {
      return .none(next)
    }
    let changed = surveys.map { $0.isUnchanged && $0.unreadable.isEmpty ? [] : $0.changes?.uids }
    guard let next, known != nil, !changed.contains(nil) else {
      return .complete(try await listing(surveys), next)
    }
    let uids = changed.reduce(into: Set<UID>()) { $0.formUnion($1 ?? []) }
    var entries: [RemoteEntry] = []
    var removed = Set(uids.map(projector.href))
    try await project(uids, surveys) { item in
      let entry = Self.entry(of: item)
      removed.remove(entry.href)
      entries.append(entry)
    }
    return .some(
      changed: entries.sorted { $0.href.rawValue < $1.href.rawValue },
      removed: removed.sorted { $0.rawValue < $1.rawValue }, next)
  }

  private func survey(since snapshots: [LocalSnapshot]?) async throws -> [LocalSurvey] {
    var found: [LocalSurvey] = []
    for (index, source) in sources.enumerated() {
      let known = snapshots.flatMap { $0.indices.contains(index) ? $0[index] : nil }
      found.append(
        try await source.items.survey(since: known, in: projector.normalForm, at: now()))
    }
    try expectReadable(found)
    (surveys, uids) = (found, nil)
    return found
  }

  /// Rejects a file that cannot be read: the mirror may show its item, which would count as deleted.
  ///
  /// A file with the UID of another file's item is ignored.
  private func expectReadable(_ surveys: [LocalSurvey]) throws {
    for (source, survey) in zip(sources, surveys) {
      guard let file = survey.unreadable.first(where: { $0.sharedUID == nil }) else { continue }
      throw EpactError(
        .failed,
        "\(source.calendar.name)/\(file.name) cannot be read, and nothing was changed: \(file.reason)",
        subject: source.calendar.name)
    }
  }

  /// All projected items.
  private func listing(_ surveys: [LocalSurvey]) async throws -> [RemoteEntry] {
    var entries: [RemoteEntry] = []
    let uids = surveys.reduce(into: Set<UID>()) { $0.formUnion($1.records().lazy.map(\.uid)) }
    try await project(uids, surveys) { entries.append(Self.entry(of: $0)) }
    return entries.sorted { $0.href.rawValue < $1.href.rawValue }
  }

  /// Projects items, each from the first calendar that shows something of it.
  private func project(
    _ uids: Set<UID>, _ surveys: [LocalSurvey], _ body: (CalendarItem) throws -> Void
  ) async throws {
    var rest = uids
    for (source, survey) in zip(sources, surveys) where !rest.isEmpty {
      let records = survey.records(of: rest)
      for start in stride(from: 0, to: records.count, by: Self.portion) {
        try Task.checkCancellation()
        let portion = Array(records[start..<min(start + Self.portion, records.count)])
        let listing = try await source.items.read(portion, in: projector.normalForm)
        for entry in listing.entries {
          guard let item = projector.projection(of: entry.item, in: source.calendar),
            rest.remove(entry.item.uid) != nil
          else { continue }
          try body(item)
        }
      }
    }
  }

  private static func entry(of item: CalendarItem) -> RemoteEntry {
    let digest = SHA256.digest(of: item.serialized()).description
    return RemoteEntry(href: Href(item.uid.rawValue), etag: EntityTag("\"\(digest)\""))
  }

  // MARK: Items

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    guard !hrefs.isEmpty else { return [] }
    let surveys: [LocalSurvey]
    if let known = self.surveys { surveys = known } else { surveys = try await survey(since: nil) }
    let known = uids ?? identify(surveys)
    uids = known
    var found: [Href: RemoteFetch] = [:]
    try await project(Set(hrefs.compactMap { known[$0] }), surveys) { item in
      let entry = Self.entry(of: item)
      found[entry.href] = .item(href: entry.href, etag: entry.etag, item: item)
    }
    return hrefs.map { found[$0] ?? .missing(href: $0) }
  }

  /// The items by their hrefs; reads no item.
  private func identify(_ surveys: [LocalSurvey]) -> [Href: UID] {
    var uids: [Href: UID] = [:]
    for survey in surveys {
      for record in survey.records() { uids[projector.href(of: record.uid)] = record.uid }
    }
    return uids
  }
}

/// The cursor of a mirror: a digest of its settings, and the snapshots of its calendars.
///
/// It is the digest as text, followed by each snapshot after its length in four bytes.
struct MirrorCursor {
  private static let digestLength = 64

  /// The digest of the settings, as hexadecimal digits.
  let settings: String
  let snapshots: [LocalSnapshot]

  init(_ settings: String, _ snapshots: [LocalSnapshot]) {
    self.settings = settings
    self.snapshots = snapshots
  }

  /// Reads a cursor; nil if the bytes are damaged.
  init?(_ cursor: RemoteCursor) {
    var rest = cursor.bytes[...]
    guard rest.count >= Self.digestLength else { return nil }
    settings = String(decoding: rest.prefix(Self.digestLength), as: UTF8.self)
    rest = rest.dropFirst(Self.digestLength)
    var snapshots: [LocalSnapshot] = []
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= length else { return nil }
      snapshots.append(LocalSnapshot(Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    self.snapshots = snapshots
  }

  /// The cursor in bytes.
  var cursor: RemoteCursor {
    var bytes = Array(settings.utf8)
    for snapshot in snapshots {
      let length = UInt32(snapshot.bytes.count)
      bytes += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> $0) }
      bytes += snapshot.bytes
    }
    return RemoteCursor(bytes: bytes)
  }
}
