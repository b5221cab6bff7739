// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime

/// A folder or file under full access, with file names as hrefs and revisions as entity tags.
struct RemoteFolder: RemoteCalendar {
  let folder: any LocalCalendar
  let now: @Sendable () -> Instant
  let note: AccessNote?

  /// Lists all files, including unreadable ones, so that these do not count as deleted.
  func list() async throws -> [RemoteEntry] {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    return Self.entries(of: try await folder.survey(since: nil, in: NormalForm(), at: now()))
  }

  /// Returns the changed files since the cursor, which contains the folder's snapshot.
  ///
  /// A file is removed if a complete listing of the same folder does not contain it. If the folder
  /// has unreadable files, or is another folder than that of the cursor, all entries are returned.
  func changes(since cursor: RemoteCursor?) async throws -> RemoteChanges {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    let known = cursor.map { FolderCursor($0) }
    let survey = try await folder.survey(since: known?.snapshot, in: NormalForm(), at: now())
    let unreadable = survey.unreadable.map(\.name)
    let next = survey.snapshot.map { FolderCursor($0, besides: unreadable).cursor }
    let others = known?.others ?? []
    let isUnchanged = survey.isUnchanged && unreadable.isEmpty
    if isUnchanged, others.isEmpty, let next { return .none(next) }
    let unchanged = isUnchanged ? LocalChanges(found: [], gone: [:]) : nil
    guard let changes = survey.changes ?? unchanged, let next else {
      return .complete(Self.entries(of: survey), next)
    }
    let present = Set(changes.found.lazy.map(\.name)).union(unreadable)
    let removed = Set(changes.gone.keys).union(others).subtracting(present)
    return .some(
      changed: changes.found.map(Self.entry), removed: removed.sorted().map(Href.init), next)
  }

  func isSamePlace(as cursor: RemoteCursor) -> Bool {
    folder.isSamePlace(as: FolderCursor(cursor).snapshot)
  }

  /// Returns a snapshot that differs from the written files; nil if the folder is a single file.
  func cursor(_ cursor: RemoteCursor, doubting items: [Href: UID]) -> RemoteCursor? {
    let items = Dictionary(items.map { ($0.rawValue, $1) }) { first, _ in first }
    let known = FolderCursor(cursor)
    return folder.snapshot(known.snapshot, doubting: items)
      .map { FolderCursor($0, besides: known.others).cursor }
  }

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    try await note?(AccessRequest(.read, "read", of: "item"))
    let listing = try await folder.read(hrefs.map(\.rawValue), in: NormalForm())
    var results: [Href: RemoteFetch] = [:]
    for entry in listing.entries {
      let href = Href(entry.name)
      results[href] = .item(href: href, etag: Self.tag(entry.revision), item: entry.item)
    }
    for entry in listing.unreadable {
      results[Href(entry.name)] = .unreadable(href: Href(entry.name), reason: entry.reason)
    }
    return hrefs.map { results[$0] ?? .missing(href: $0) }
  }

  /// The store for the metadata files of the folder.
  var properties: (any CollectionPropertyStore)? { folder.properties }

  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    try Self.written(await apply(.create(item)), subject: item.uid.rawValue)
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    let change = LocalChange.update(name: href.rawValue, from: Self.revision(etag), to: item)
    return try Self.written(await apply(change), subject: href.rawValue)
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> WriteOutcome {
    let change = LocalChange.delete(name: href.rawValue, from: Self.revision(etag))
    switch try await apply(change) {
    case .done: return .deleted
    case .conditionFailed: return .conditionFailed
    case .failed(let reason): throw Self.failure(href.rawValue, reason)
    case .unavailable(let reason): throw Self.unavailable(reason)
    }
  }

  func move(_ item: CalendarItem, from source: RemoteEntry) async throws -> WriteOutcome {
    .refused(reason: "the remote moves nothing between calendars")
  }

  private func apply(_ change: LocalChange) async throws -> LocalOutcome {
    try await note?(AccessRequest(change))
    let outcomes = try await folder.apply([change])
    guard let outcome = outcomes.first else {
      throw Self.failure(folder.location, "the folder returned no outcome for a change")
    }
    return outcome
  }

  private static func written(
    _ outcome: LocalOutcome, subject: String
  ) throws -> WriteOutcome {
    switch outcome {
    case .done(let name, let revision): .written(href: Href(name), etag: revision.map(tag))
    case .conditionFailed: .conditionFailed
    // A missing right is not the item's fault, and may be over at the next run.
    case .failed(let reason): throw failure(subject, reason)
    case .unavailable(let reason): throw unavailable(reason)
    }
  }

  private static func unavailable(_ reason: String) -> UnavailableSide {
    UnavailableSide(reason: ServerText.escaped(reason))
  }

  private static func failure(_ subject: String, _ reason: String) -> RemoteError {
    RemoteError(code: .failed, subject: ServerText.escaped(subject), message: reason)
  }

  private static func entries(of survey: LocalSurvey) -> [RemoteEntry] {
    survey.records().map(entry)
      + survey.unreadable.map { RemoteEntry(href: Href($0.name), etag: nil) }
  }

  private static func entry(_ record: LocalRecord) -> RemoteEntry {
    RemoteEntry(href: Href(record.name), etag: tag(record.revision))
  }

  private static func tag(_ revision: Revision) -> EntityTag {
    EntityTag("\"\(revision.rawValue)\"")
  }

  private static func revision(_ tag: EntityTag) -> Revision {
    Revision(tag.rawValue.filter { $0 != "\"" })
  }
}

extension AccessRequest {
  /// The access class of a change to a folder.
  fileprivate init(_ change: LocalChange) {
    switch change {
    case .create: self.init(.add, "add", of: "item")
    case .update, .putBack: self.init(.change, "replace", of: "item")
    case .delete: self.init(.change, "delete", of: "item")
    }
  }
}
