// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The settings of a mirror: a local calendar that shows what others may see of other calendars.
///
/// A mirror is a sync whose remote is a projection of local calendars. It contacts no server: another
/// sync carries the calendar wherever it has to go.
public struct MirrorSettings: Sendable, Hashable {
  /// The names of the calendars; if several have an item with the same UID, the first one counts.
  public let sources: [String]
  /// The shown part of the items.
  public let projection: ProjectionSettings
  /// What happens to an item of the mirror that was edited or deleted there.
  ///
  /// An item that the mirror did not write is never changed.
  public var onEdit = OnEdit.restore

  /// The handling of an item of the mirror that was edited or deleted there.
  public enum OnEdit: String, Hashable, Sendable, CaseIterable {
    /// It gets its projection again; the edit is in the history.
    case restore
    /// It keeps the edit, and no longer follows its original.
    case release

    /// The handling in the terms of the engine.
    var edits: PulledEdits { self == .restore ? .restoreOwn : .release }
  }

  /// Creates settings.
  public init(of sources: [String], showing projection: ProjectionSettings) {
    self.sources = sources
    self.projection = projection
  }
}

extension Configuration {
  /// The settings of a sync that is a mirror; nil for other syncs.
  package func mirror(of sync: SyncSettings) -> MirrorSettings? {
    if case .mirror(let settings)? = remotes[sync.remote]?.kind { settings } else { nil }
  }

  /// The syncs that are mirrors, in the order of the file.
  package var mirrors: [SyncSettings] { syncs.filter { mirror(of: $0) != nil } }

  /// Whether a sync changes a calendar that a later one has to see: one that a mirror shows, or the
  /// mirror itself.
  func precedes(_ earlier: SyncSettings, _ later: SyncSettings) -> Bool {
    if let mirror = mirror(of: later) { return mirror.sources.contains(earlier.calendar) }
    return mirror(of: earlier) != nil && earlier.calendar == later.calendar
  }

  /// The syncs with those mirrors whose calendars they send, and the sources of these.
  ///
  /// - Parameter chosen: The syncs to run.
  /// - Returns: The mirrors that have to run before them, and the syncs.
  func withMirrors(_ chosen: [SyncSettings]) -> [SyncSettings] {
    var names = Set(chosen.map(\.name))
    var targets = Set(chosen.map(\.calendar))
    var added: [SyncSettings] = []
    // The mirrors have no cycle, so that each is added once.
    while let next = mirrors.first(where: {
      targets.contains($0.calendar) && !names.contains($0.name)
    }) {
      names.insert(next.name)
      targets.formUnion(mirror(of: next)?.sources ?? [])
      added.append(next)
    }
    return added + chosen
  }
}
