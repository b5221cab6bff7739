// SPDX-License-Identifier: Apache-2.0

/// Which items a sieve dropped components of, and whether it should have.
struct SiftedItems {
  /// By how many days two ways to write one RECURRENCE-ID may differ: in UTC and in a zone.
  private static let slack = 2

  /// The days that are asked for, and those that were added to them for the zones.
  var days = 0...0
  /// The series and single items that were dropped.
  private var dropped: [UInt64] = []
  /// The items that something was kept of.
  private var kept: Set<UInt64> = []
  /// The overrides that were dropped, and the days of their RECURRENCE-ID.
  private var droppedOverrides: [(uid: UInt64, day: Int)] = []
  /// The overrides that were kept, but not for their RECURRENCE-ID; without a day in doubt.
  private var movedOverrides: [UInt64: [Int?]] = [:]

  /// Notes a component that was dropped.
  mutating func drop(_ component: SiftedComponent) {
    guard component.uid != 0 else { return }
    if let day = component.overriddenDay {
      droppedOverrides.append((component.uid, day))
    } else {
      dropped.append(component.uid)
    }
  }

  /// Notes a component that was let through.
  mutating func keep(_ component: SiftedComponent) {
    guard component.uid != 0 else { return }
    kept.insert(component.uid)
    guard component.isOverride else { return }
    let day = component.overriddenDay
    // One that replaces an occurrence well within the days is not a rival of one that was dropped.
    if let day, days.contains(day - Self.slack), days.contains(day + Self.slack) { return }
    movedOverrides[component.uid, default: []].append(day)
  }

  /// The items that have to be read as a whole.
  var torn: Set<UInt64> {
    var torn = Set(dropped.filter(kept.contains))
    for (uid, day) in droppedOverrides {
      let rivals = movedOverrides[uid] ?? []
      if rivals.contains(where: { $0.map { abs($0 - day) <= Self.slack } ?? true }) {
        torn.insert(uid)
      }
    }
    return torn
  }
}
