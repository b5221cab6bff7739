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

  /// The item of all components; nil if there are several items or none.
  var only: UInt64? {
    guard let first = kept.first ?? dropped.first ?? droppedOverrides.first?.uid else { return nil }
    let isOnly =
      kept.count <= 1 && dropped.allSatisfy { $0 == first }
      && droppedOverrides.allSatisfy { $0.uid == first }
    return isOnly ? first : nil
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

/// Maps the line numbers after a sieve to those of the stream.
package struct LineMap: Hashable, Sendable {
  /// The first kept line of each run, with the number of lines dropped before it.
  private var shifts: [(first: Int, dropped: Int)] = []
  private var keptCount = 0
  private var droppedCount = 0

  package init() {}

  mutating func keep(_ count: Int) {
    if droppedCount > shifts.last?.dropped ?? 0 {
      shifts.append((keptCount + 1, droppedCount))
    }
    keptCount += count
  }

  mutating func drop(_ count: Int) {
    droppedCount += count
  }

  /// The line number in the stream for a line number in the kept lines, both from 1.
  package func line(_ line: Int) -> Int {
    var (low, high) = (0, shifts.count)
    while low < high {
      let middle = (low + high) / 2
      if shifts[middle].first <= line { low = middle + 1 } else { high = middle }
    }
    return line + (low == 0 ? 0 : shifts[low - 1].dropped)
  }

  package static func == (left: LineMap, right: LineMap) -> Bool {
    left.keptCount == right.keptCount && left.droppedCount == right.droppedCount
      && left.shifts.elementsEqual(right.shifts, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(keptCount)
    hasher.combine(droppedCount)
  }

  /// The diagnostic with its line number in the stream.
  package func moved(_ diagnostic: Diagnostic) -> Diagnostic {
    let position = diagnostic.position
    return Diagnostic(
      diagnostic.severity, diagnostic.code,
      at: SourcePosition(line: line(position.line), column: position.column), diagnostic.message,
      reference: diagnostic.reference, excerpt: diagnostic.excerpt, fix: diagnostic.fix)
  }
}
