// SPDX-License-Identifier: Apache-2.0

/// Tracks the items of dropped components, to find those that must not be split.
struct SiftedItems {
  /// The maximum difference in days between two forms of a RECURRENCE-ID, in UTC and in a zone.
  private static let slack = 2

  /// The requested days, including the margin for zones.
  var days = 0...0
  /// The series and single components that were dropped.
  private var dropped: [UInt64] = []
  /// The items with kept components.
  private var kept: Set<UInt64> = []
  /// The dropped overrides, with the days of their RECURRENCE-IDs.
  private var droppedOverrides: [(uid: UInt64, day: Int)] = []
  /// The kept overrides whose RECURRENCE-ID is outside of the days, or nil if uncertain.
  private var movedOverrides: [UInt64: [Int?]] = [:]

  /// Records a dropped component.
  mutating func drop(_ component: SiftedComponent) {
    guard component.uid != 0 else { return }
    if let day = component.overriddenDay {
      droppedOverrides.append((component.uid, day))
    } else {
      dropped.append(component.uid)
    }
  }

  /// Records a kept component.
  mutating func keep(_ component: SiftedComponent) {
    guard component.uid != 0 else { return }
    kept.insert(component.uid)
    guard component.isOverride else { return }
    let day = component.overriddenDay
    // An override for an occurrence well within the days cannot conflict with a dropped one.
    if let day, days.contains(day - Self.slack), days.contains(day + Self.slack) { return }
    movedOverrides[component.uid, default: []].append(day)
  }

  /// The items that must be kept completely.
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
