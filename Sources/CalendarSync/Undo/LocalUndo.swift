// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

/// The undo of a run's change to one item of a local calendar that has no remote.
package struct LocalUndo: Sendable {
  /// The planned change, or the report that the item is skipped.
  package let operation: PlannedOperation
  /// The change of the calendar; nil if the item is skipped.
  package let change: LocalChange?
  /// The intent of the change, with the path of the calendar of an edit; nil if the item is skipped.
  package let intent: Intent?
  /// Whether the restored version is that from before the run; false for a newer revision of it.
  package private(set) var isExact = true

  /// Plans the undo of all changes of a run to a calendar.
  ///
  /// Items that already have their earlier version need no change, and are left out.
  ///
  /// - Parameters:
  ///   - lines: The journal lines of the run for this calendar.
  ///   - listing: The complete contents of the calendar.
  ///   - location: The path of the calendar, which the intents get; nil for none.
  ///   - form: The normal form for comparing items.
  /// - Returns: One undo for each item that is changed or skipped, in order of UID.
  package static func plan(
    _ lines: [JournalLine], in listing: LocalListing, at location: String?, _ form: NormalForm
  ) -> [LocalUndo] {
    let planner = UndoPlanner(
      journal: lines, local: listing, listing: [], entries: [], sides: [.local], normalForm: form)
    return planner.plan(fetched: []).operations.map { LocalUndo($0, at: location) }
  }

  private init(_ operation: PlannedOperation, at location: String?) {
    self.operation = operation
    let step = LocalStep(operation)
    change = step?.change
    let href = location.map { Href($0) }
    intent = step.map { $0.intent.placed(at: href) }
  }

  /// The undo of an item whose calendar is gone.
  package init(withoutCalendar line: JournalLine, at location: String) {
    operation = PlannedOperation(
      skipping: line.uid, title: line.title, because: .notUndone(.noCalendar(location)),
      isFailure: true)
    (change, intent) = (nil, nil)
  }

  /// The undo of the same item with other revisions of it.
  ///
  /// - Parameters:
  ///   - item: The item to restore, with the values from before the run; nil to restore that version.
  ///   - entry: The item that is replaced; nil for the one of the plan.
  /// - Returns: The undo; a skipped item stays skipped.
  package func restoring(_ item: CalendarItem?, replacing entry: LocalEntry?) -> LocalUndo {
    guard case .putBack(let planned) = operation.action, let place = intent?.href else {
      return self
    }
    let revised = PlannedOperation(
      uid: operation.uid, title: operation.title,
      action: .putBack(planned.restoring(item, replacing: entry)), reason: operation.reason)
    var undo = LocalUndo(revised, at: place.rawValue)
    undo.isExact = item == nil
    return undo
  }

  /// The undo of the same item, skipped for a reason.
  package func skipped(because obstacle: UndoObstacle) -> LocalUndo {
    LocalUndo(skipping: operation, because: obstacle)
  }

  private init(skipping operation: PlannedOperation, because obstacle: UndoObstacle) {
    self.operation = PlannedOperation(
      skipping: operation.uid, title: operation.title, because: .notUndone(obstacle),
      isFailure: true)
    (change, intent) = (nil, nil)
  }
}

extension Intent {
  /// The same intent with another href.
  fileprivate func placed(at href: Href?) -> Intent {
    Intent(
      uid: uid, action: action, content: content, fingerprint: fingerprint, before: before,
      mergedWith: mergedWith, other: other, href: href, etag: etag)
  }
}
