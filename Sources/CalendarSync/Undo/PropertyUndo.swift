// SPDX-License-Identifier: Apache-2.0

/// Turns what a run did to one property of the calendar as a whole, and what both sides say of it now, into
/// what takes it back.
struct PropertyUndo {
  let property: CollectionProperty
  /// What the run did to it, in its order.
  private let lines: [PropertyLine]
  /// Both sides, with what they say now.
  let sides: PropertySides

  /// Creates what takes back the lines of a property, of which there is at least one.
  init(_ property: CollectionProperty, _ lines: [PropertyLine], _ sides: PropertySides) {
    self.property = property
    self.lines = lines
    self.sides = sides
  }

  /// What a side is to say.
  private struct Target {
    let value: String?
  }

  /// What takes it back: first what the run wrote, and then the other side, which follows.
  ///
  /// There is nothing if both sides are already what they were before the run.
  var changes: [CollectionChange] {
    let written = MergeSide.allCases.filter(isWritten)
    return (written + MergeSide.allCases.filter { !isWritten($0) }).compactMap { side in
      guard let target = target(of: side), !isReached(target, on: side) else { return nil }
      return CollectionChange(
        property: property,
        action: side == .local ? .setLocal(target.value) : .setRemote(target.value))
    }
  }

  /// Whether the sides differ afterwards: one keeps what it says, or each gets its own back.
  var endsApart: Bool { end(of: .local) != end(of: .remote) }

  /// Why it is left alone, if it is.
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

  /// What a side says afterwards, as it is compared.
  private func end(of side: MergeSide) -> String? {
    guard let target = target(of: side) else { return sides.canonical(side, property) }
    return target.value.flatMap(property.canonical)
  }

  /// What is to become of a side; nil if it stays as it is.
  ///
  /// What the run wrote goes back to what was there before, and the other side to what it said when both
  /// last agreed. Where it said nothing then, it has the value from somebody else and keeps it; and what can
  /// only be read stays as it is.
  private func target(of side: MergeSide) -> Target? {
    if let own = lines.first(where: { $0.side == side }) { return Target(value: own.before) }
    guard sides.store(side).canBeSet,
      let agreed = lines.first?.agreed, property.canonical(agreed) != nil
    else { return nil }
    return Target(value: agreed)
  }
}
