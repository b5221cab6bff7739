// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync

/// The changes of a sync to items, for programs that follow them.
package struct SyncChanges: Sendable {
  /// The change of an item.
  package struct Change: Hashable, Sendable {
    /// The kind of a change.
    package enum Kind: String, Hashable, Sendable {
      case added, changed, deleted
    }

    package let kind: Kind
    package let side: MergeSide
    package let uid: UID
    package let title: String
  }

  /// The maximum number of changes that are kept; the others are counted.
  private static let limit = 10_000

  /// The first changes, in the order in which they were made.
  package private(set) var changes: [Change] = []
  /// The number of the other changes.
  package private(set) var omitted = 0
  /// Whether the sync changed the local calendar.
  package private(set) var isLocal = false

  /// Creates an empty list.
  package init() {}

  /// Adds what an event says.
  package mutating func record(_ event: SyncEvent) {
    guard case .done(let operation) = event else { return }
    switch operation.action {
    case .createLocal: add(.added, .local, operation)
    case .updateLocal: add(.changed, .local, operation)
    case .deleteLocal: add(.deleted, .local, operation)
    case .createRemote, .append: add(.added, .remote, operation)
    case .updateRemote, .sendMerged: add(.changed, .remote, operation)
    case .deleteRemote: add(.deleted, .remote, operation)
    case .merge:
      add(.changed, .local, operation)
      add(.changed, .remote, operation)
    // An undo is not a sync.
    case .putBack, .record, .forget, .conflict, .skip: break
    }
  }

  private mutating func add(
    _ kind: Change.Kind, _ side: MergeSide, _ operation: PlannedOperation
  ) {
    isLocal = isLocal || side == .local
    guard changes.count < Self.limit else {
      omitted += 1
      return
    }
    changes.append(
      Change(kind: kind, side: side, uid: operation.uid, title: operation.title))
  }

  /// The changes of a sync and its calendar.
  package func json(of sync: SyncSettings, path: String?) -> JSONValue {
    [
      "sync": .string(sync.name), "calendar": .string(sync.calendar), "path": JSONValue(path),
      "changes": .array(changes.map(\.json)), "omitted": .integer(omitted),
    ]
  }
}

extension SyncChanges.Change {
  fileprivate var json: JSONValue {
    [
      "change": .string(kind.rawValue), "side": .string(side.rawValue),
      "uid": .string(uid.rawValue), "title": .string(title),
    ]
  }
}
