// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a run did to one item, on the sides that it wrote.
struct ItemChange {
  /// What a run did to one item on one side, and what the other one held then.
  struct SideChange {
    let before: CalendarItem?
    let after: CalendarItem?
    let other: CalendarItem?
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

  /// What was done on each side; nothing where it was not written.
  private let changes: [MergeSide: SideChange]
  /// What the sides had agreed on before the run.
  let agreed: SplitMerge.Pair?
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
    let local = item(lines.first?.agreed)
    let remote = item(lines.first?.agreedRemotely)
    agreed = local.map { SplitMerge.Pair(local: $0, remote: remote ?? $0) }
    var changes: [MergeSide: SideChange] = [:]
    for line in lines {
      let after = item(line.after)
      let side: MergeSide
      switch line.action {
      case .moveRemote:
        problem = "it was moved on the server, which is not taken back"
        continue
      case .append:
        problem = "what was added under write-only access cannot be taken away"
        continue
      case .updateRemote where line.before == nil, .updateLocal where line.before == nil:
        problem = "it is not known what it was before"
        continue
      case .createLocal, .updateLocal, .deleteLocal: side = .local
      case .createRemote, .updateRemote, .deleteRemote: side = .remote
      }
      // Of something written the other side held the same, unless the line says what it held.
      changes[side] = SideChange(
        before: changes[side].map(\.before) ?? item(line.before), after: after,
        other: item(line.other) ?? after)
    }
    self.changes = changes
    self.problem = problem
  }

  /// A title for people, from what was there before.
  var title: String? { changes[.local]?.before?.title ?? changes[.remote]?.before?.title }

  /// Whether the run wrote a side.
  func isWritten(_ side: MergeSide) -> Bool { changes[side] != nil }

  /// What a side held at the end of the run.
  func left(on side: MergeSide) -> CalendarItem? {
    if let change = changes[side] { return change.after }
    return changes[side.other]?.other
  }

  /// What is to become of a side, which holds something now or nothing.
  ///
  /// What the run wrote goes back to what was there before, and is taken away if nothing was. The other
  /// side keeps what it holds; if it holds nothing, what the run deleted goes back there too, or the next
  /// sync would delete it again.
  func target(of side: MergeSide, now: CalendarItem?) -> Target {
    if let change = changes[side] { return change.before.map { .item($0) } ?? .absent }
    guard now == nil, let other = changes[side.other], other.after == nil,
      let before = other.before
    else { return .leave }
    let isAsAgreed =
      before.fingerprint == (side == .local ? agreed?.remote : agreed?.local)?.fingerprint
    guard isAsAgreed, let agreed else { return .item(before) }
    return .item(side == .local ? agreed.local : agreed.remote)
  }
}
