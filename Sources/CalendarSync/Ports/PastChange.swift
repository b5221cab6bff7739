// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// A completed change of a sync in the history, with its run.
public struct PastChange: Hashable, Sendable {
  /// The run.
  public let run: RunID
  /// The start time of the run.
  public let startedAt: Instant
  /// The change.
  public let line: JournalLine

  /// Creates a past change.
  public init(run: RunID, startedAt: Instant, line: JournalLine) {
    (self.run, self.startedAt, self.line) = (run, startedAt, line)
  }
}

/// The last change of an item in a local calendar.
public struct LocalEdit: Hashable, Sendable {
  /// The run that made the change.
  public let run: RunID
  /// The content that it left; nil after a deletion.
  public let content: [UInt8]?

  /// Creates a change.
  public init(run: RunID, content: [UInt8]?) {
    (self.run, self.content) = (run, content)
  }
}

/// Recently agreed versions, which reveal that a remote has reached a cursor for the second time.
///
/// A cursor that counts changes can be reached again after the remote was restored from a backup.
/// The versions that were agreed last are then missing on the remote.
public struct CursorProbe: Hashable, Sendable {
  /// The cursor.
  public let cursor: RemoteCursor
  /// The places with the tags of their agreed versions; a tag of nil stands for a deleted item.
  public let agreed: [RemoteEntry]

  /// Creates a probe.
  public init(_ cursor: RemoteCursor, agreed: [RemoteEntry]) {
    (self.cursor, self.agreed) = (cursor, agreed)
  }
}

/// Whether a remote continued its history from a cursor.
public enum CursorRecognition: Hashable, Sendable {
  /// The remote has the history since the cursor.
  case recognized
  /// The remote does not know the cursor: it has expired, or the remote went back before it.
  case refused
  /// The remote keeps no history, or its answer does not show whether it knows the cursor.
  case unknown
}

extension Ledger {
  /// The number of changes that a probe compares.
  private static var probeSize: Int { 8 }

  /// The versions that a sync agreed on last; nil if there are none.
  ///
  /// An unlisted addition is left out, because it may have been deleted since without a report.
  func probe(
    of binding: SyncBinding, _ cursor: RemoteCursor, without unlisted: [Href]
  ) async throws -> CursorProbe? {
    let changes = try await recentChanges(of: binding, limit: Self.probeSize)
    let uids = Set(changes.map(\.line.uid))
    guard !uids.isEmpty else { return nil }
    let known = try await places(of: binding, for: uids).places
    let places = Dictionary(known.map { ($0.uid, $0) }) { first, _ in first }
    let unlisted = Set(unlisted)
    var seen: Set<UID> = []
    let agreed: [RemoteEntry] = changes.compactMap { change in
      let line = change.line
      guard seen.insert(line.uid).inserted else { return nil }
      if let place = places[line.uid] {
        guard !unlisted.contains(place.href) else { return nil }
        return place.etag.map { RemoteEntry(href: place.href, etag: $0) }
      }
      // The undo of a download leaves the item on the remote.
      guard [.deleteRemote, .deleteLocal].contains(line.action), line.other == nil,
        let href = line.href
      else { return nil }
      return RemoteEntry(href: href, etag: nil)
    }
    return agreed.isEmpty ? nil : CursorProbe(cursor, agreed: agreed)
  }
}
