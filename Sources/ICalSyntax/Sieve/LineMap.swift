// SPDX-License-Identifier: Apache-2.0

/// Which lines of a stream were let through by a sieve.
package struct LineMap: Hashable, Sendable {
  /// From which line of what was let through on how many lines were dropped before it.
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

  /// The line of the stream that a line is of what was let through, both from 1.
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

  /// A diagnostic at its place in the stream.
  package func moved(_ diagnostic: Diagnostic) -> Diagnostic {
    let position = diagnostic.position
    return Diagnostic(
      diagnostic.severity, diagnostic.code,
      at: SourcePosition(line: line(position.line), column: position.column), diagnostic.message,
      reference: diagnostic.reference, excerpt: diagnostic.excerpt, fix: diagnostic.fix)
  }
}
