// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync

/// A folder under full access: names of files are hrefs, revisions of their bytes are tags.
struct RemoteFolder: RemoteCalendar {
  let folder: any LocalCalendar
  let note: AccessNote?

  /// Everything in the folder; a file that cannot be read is listed too, so that it counts as there.
  func list() async throws -> [RemoteEntry] {
    try await note?(AccessRequest(.read, "list", of: "folder"))
    let listing = try await folder.scan()
    return listing.entries.map { RemoteEntry(href: Href($0.name), etag: Self.tag($0.revision)) }
      + listing.unreadable.map { RemoteEntry(href: Href($0.name), etag: nil) }
  }

  func fetch(_ hrefs: [Href]) async throws -> [RemoteFetch] {
    try await note?(AccessRequest(.read, "read", of: "item"))
    let listing = try await folder.scan()
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

  func create(_ item: CalendarItem) async throws -> WriteOutcome {
    try Self.written(await apply(.create(item)), subject: item.uid.rawValue)
  }

  func update(
    _ href: Href, to item: CalendarItem, ifMatch etag: EntityTag
  ) async throws -> WriteOutcome {
    let change = LocalChange.update(name: href.rawValue, from: Self.revision(etag), to: item)
    return try Self.written(await apply(change), subject: href.rawValue)
  }

  func delete(_ href: Href, ifMatch etag: EntityTag) async throws -> DeleteOutcome {
    let change = LocalChange.delete(name: href.rawValue, from: Self.revision(etag))
    switch try await apply(change) {
    case .done: return .deleted
    case .conditionFailed: return .conditionFailed
    case .failed(let reason): throw Self.failure(href.rawValue, reason)
    }
  }

  private func apply(_ change: LocalChange) async throws -> LocalOutcome {
    try await note?(AccessRequest(change))
    let outcomes = try await folder.apply([change])
    guard let outcome = outcomes.first else {
      throw Self.failure(folder.location, "the folder does not tell what became of a change")
    }
    return outcome
  }

  private static func written(
    _ outcome: LocalOutcome, subject: String
  ) throws(RemoteError) -> WriteOutcome {
    switch outcome {
    case .done(let name, let revision): .written(href: Href(name), etag: revision.map(tag))
    case .conditionFailed: .conditionFailed
    // A full disk or a missing right is not the item's fault, and may be over at the next run.
    case .failed(let reason): throw failure(subject, reason)
    }
  }

  private static func failure(_ subject: String, _ reason: String) -> RemoteError {
    RemoteError(code: .failed, subject: ServerText.escaped(subject), message: reason)
  }

  private static func tag(_ revision: Revision) -> EntityTag {
    EntityTag("\"\(revision.rawValue)\"")
  }

  private static func revision(_ tag: EntityTag) -> Revision {
    Revision(tag.rawValue.filter { $0 != "\"" })
  }
}

extension AccessRequest {
  /// The class of a change of a folder.
  fileprivate init(_ change: LocalChange) {
    switch change {
    case .create: self.init(.add, "add", of: "item")
    case .update: self.init(.change, "replace", of: "item")
    case .delete: self.init(.change, "delete", of: "item")
    }
  }
}
