// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CalendarSync
import Synchronization

/// A remote that is restored from a backup, and how it can be noticed.
extension MemoryRemote {
  /// A copy of what the remote holds, with the cursors that it knows.
  public struct Backup: Sendable {
    let resources: [Href: Resource]
    let views: [String: [Href: EntityTag]]
    let cursors: Int
  }

  /// Copies what the remote holds.
  public func backUp() -> Backup {
    state.withLock {
      Backup(resources: $0.resources, views: $0.views, cursors: $0.cursors)
    }
  }

  /// Puts a copy back.
  ///
  /// The cursors since the copy are unknown, unless the remote counts: others then ask until the
  /// same ones are reached again.
  public func restore(_ backup: Backup) {
    state.withLock { state in
      state.resources = backup.resources
      (state.lastListing, state.isLate) = (nil, false)
      let reached = state.cursors
      state.views = backup.views
      guard quirks.contains(.countsInCursors), reached > backup.cursors else { return }
      let tags = backup.resources.mapValues(\.tag)
      for cursor in (backup.cursors + 1)...reached { state.views["\(cursor)"] = tags }
    }
  }

  /// Forgets all cursors, as servers do after some time.
  public func forgetCursors() {
    state.withLock { $0.views = [:] }
  }

  /// Whether the last response continued from the cursor.
  public var cursorRecognition: CursorRecognition { state.withLock { $0.recognition } }

  /// Whether the cursors only count.
  public func mayRepeat(_ cursor: RemoteCursor) -> Bool { quirks.contains(.countsInCursors) }

  /// The places that hold another version.
  public func differing(from probe: CursorProbe) async throws -> [Href] {
    try call("probe") { state in
      probe.agreed.filter { state.resources[$0.href]?.tag != $0.etag }.map(\.href)
    }
  }
}
