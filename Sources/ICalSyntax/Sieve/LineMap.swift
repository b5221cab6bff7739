// SPDX-License-Identifier: Apache-2.0

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
