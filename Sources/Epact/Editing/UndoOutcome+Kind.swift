// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension UndoOutcome.Item {
  /// The kind of the change, in the words of an edit.
  public var kind: ItemRevision.Kind {
    guard let after else { return .deleted }
    guard let before else { return .restored }
    guard origin == nil else { return .moved }
    let status = Self.status(of: after)
    guard after.kind == .reminder, status != Self.status(of: before) else { return .changed }
    return ItemRevision.Kind(status)
  }

  private static func status(of item: CalendarItem) -> ReminderStatus {
    item.main.flatMap { Reminder($0).statedStatus } ?? .needsAction
  }
}

extension ItemRevision.Kind {
  /// The change of a reminder to a status.
  init(_ status: ReminderStatus) {
    self =
      switch status {
      case .completed: .completed
      case .cancelled: .cancelled
      case .inProcess: .started
      case .needsAction: .reopened
      }
  }
}
