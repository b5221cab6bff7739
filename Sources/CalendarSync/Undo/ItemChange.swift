// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a run did to one item, on the sides that it wrote.
struct ItemChange {
  /// What a run did to one item on one side.
  struct SideChange {
    let before: CalendarItem?
    var after: CalendarItem?
  }

  /// What becomes of one side.
  enum Target {
    /// It stays as it is.
    case leave
    /// It is without the item.
    case absent
    /// It holds this.
    case item(CalendarItem)
  }

  /// What was done here; nil if nothing was.
  private(set) var local: SideChange?
  /// What was done on the remote; nil if nothing was.
  private(set) var remote: SideChange?
  /// What the sides had agreed on before the run.
  private let agreed: CalendarItem?
  /// Why it cannot be taken back, if it cannot.
  let problem: String?

  /// Sums up the lines of one item, in their order.
  init(_ lines: [JournalLine], form: NormalForm) {
    var problem: String?
    func item(_ bytes: [UInt8]?) -> CalendarItem? {
      guard let bytes else { return nil }
      let item = try? CalendarItem(parsing: bytes, normalForm: form)
      if item == nil { problem = "a version of it cannot be read" }
      return item
    }
    agreed = item(lines.first?.agreed)
    for line in lines {
      let change = SideChange(before: item(line.before), after: item(line.after))
      switch line.action {
      case .moveRemote: problem = "it was moved on the server, which is not taken back"
      case .append: problem = "what was added under write-only access cannot be taken away"
      case .updateRemote where line.before == nil, .updateLocal where line.before == nil:
        problem = "it is not known what it was before"
      case .createLocal, .updateLocal, .deleteLocal:
        local = SideChange(before: local.map(\.before) ?? change.before, after: change.after)
      case .createRemote, .updateRemote, .deleteRemote:
        remote = SideChange(before: remote.map(\.before) ?? change.before, after: change.after)
      }
    }
    self.problem = problem
  }

  /// What each side held at the end of the run.
  var after: (local: CalendarItem?, remote: CalendarItem?) {
    switch (local, remote) {
    case (let local?, let remote?): (local.after, remote.after)
    case (let local?, nil): (local.after, local.after)
    case (nil, let remote?): (remote.after, remote.after)
    case (nil, nil): (nil, nil)
    }
  }

  /// What is to become of each side.
  ///
  /// What the run changed or deleted goes back on both sides to what it was when they last agreed. What
  /// the run added is taken away where the run added it, and nowhere else: the other side had it before.
  var targets: (local: Target, remote: Target) {
    switch (local, remote) {
    case (let local?, let remote?):
      guard let item = agreed ?? local.before ?? remote.before else { return (.absent, .absent) }
      return (.item(item), .item(item))
    case (let local?, nil):
      guard let item = local.before else { return (.absent, .leave) }
      return (.item(item), .item(item))
    case (nil, let remote?):
      guard let item = remote.before else { return (.leave, .absent) }
      return (.item(item), .item(item))
    case (nil, nil): return (.leave, .leave)
    }
  }
}
