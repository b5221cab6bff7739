// SPDX-License-Identifier: Apache-2.0

/// The undo of a run's changes to one calendar property.
///
/// It is based on the journal lines and the current values of both sides.
struct PropertyUndo {
  let property: CollectionProperty
  /// The changes of the run, in order.
  private let lines: [PropertyLine]
  /// Both sides with their current values.
  let sides: PropertySides

  /// Creates the undo of the lines of a property; there is at least one line.
  init(_ property: CollectionProperty, _ lines: [PropertyLine], _ sides: PropertySides) {
    self.property = property
    self.lines = lines
    self.sides = sides
  }

  /// The intended value of a side.
  private struct Target {
    let value: String?
  }

  /// The changes of the undo: first the sides that the run wrote, then the other side.
  ///
  /// They are empty if both sides already have their values from before the run.
  var changes: [CollectionChange] {
    let written = MergeSide.allCases.filter(isWritten)
    return (written + MergeSide.allCases.filter { !isWritten($0) }).compactMap { side in
      guard let target = target(of: side), !isReached(target, on: side) else { return nil }
      return CollectionChange(
        property: property,
        action: side == .local ? .setLocal(target.value) : .setRemote(target.value))
    }
  }

  /// Whether the sides differ after the undo, because each keeps or gets a different value.
  var endsApart: Bool { end(of: .local) != end(of: .remote) }

  /// The reason for skipping the undo, if any.
  var problem: String? {
    for side in MergeSide.allCases {
      if isWritten(side), !sides.store(side).canBeSet { return "the calendar can only be read" }
      guard let target = target(of: side), !isReached(target, on: side) else { continue }
      let left = (lines.last { $0.side == side } ?? lines.last)?.after
      guard sides.canonical(side, property) == left.flatMap(property.canonical) else {
        return "it changed since; it is left alone"
      }
    }
    return nil
  }

  private func isWritten(_ side: MergeSide) -> Bool { lines.contains { $0.side == side } }

  private func isReached(_ target: Target, on side: MergeSide) -> Bool {
    sides.canonical(side, property) == target.value.flatMap(property.canonical)
  }

  /// The canonical value of a side after the undo.
  private func end(of side: MergeSide) -> String? {
    guard let target = target(of: side) else { return sides.canonical(side, property) }
    return target.value.flatMap(property.canonical)
  }

  /// The intended value of a side; nil if it stays unchanged.
  ///
  /// A side that the run wrote gets its previous value back, and the other side gets its last
  /// agreed value. If it had no agreed value, another program set the current one, which is kept. A
  /// side that rejects changes stays unchanged.
  private func target(of side: MergeSide) -> Target? {
    if let own = lines.first(where: { $0.side == side }) { return Target(value: own.before) }
    guard sides.store(side).canBeSet,
      let agreed = lines.first?.agreed, property.canonical(agreed) != nil
    else { return nil }
    return Target(value: agreed)
  }
}
