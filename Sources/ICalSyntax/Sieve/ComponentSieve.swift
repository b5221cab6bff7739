// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// Lets through of a stream what may take place in a range of days, and drops the rest unread.
///
/// Most components of a long calendar lie far from the days that anybody asks for. A component that is
/// dropped costs a look at the beginning of each of its lines, a tenth of what it costs to read it.
///
/// ```
/// bytes ──► sift ──► the bytes that have to be read ──► ComponentReader
///             └► which lines those were, and whether parts of one item were torn apart
/// ```
///
/// Dropped are a VEVENT, a VTODO or a VJOURNAL that neither recurs nor is an override, whose times all
/// lie outside of the days, and in which every line begins with a name. Whatever is in doubt is let
/// through: a value that is folded where it matters, a date that is none, a line end that is CR alone.
package struct ComponentSieve: Sendable {
  /// The most bytes of a component that are held back before it is let through.
  private static let holdLimit = 1 << 20

  private let days: ClosedRange<Int>
  /// What was taken and not given back: the component that is open, or a line that is not complete.
  private var held: [UInt8] = []
  /// Whether the component that is open is too long to be held back.
  private var isPassing = false
  private var lines = LineMap()
  private var dropped: [UInt64] = []
  private var kept: Set<UInt64> = []

  /// Creates a sieve.
  ///
  /// - Parameter days: The days that are asked for, as whoever looks counts them.
  package init(days: ClosedRange<CivilDate>) {
    // A time is at most a day off by its zone, and a zone may skip a day.
    let first = days.lowerBound.adding(days: -3) ?? .first
    let last = days.upperBound.adding(days: 3) ?? .last
    self.days = first.dayNumber...last.dayNumber
  }

  /// Which lines of the stream the lines are that were let through.
  package var lineMap: LineMap { lines }

  /// How many components were dropped.
  package private(set) var droppedCount = 0

  /// Whether a component was dropped that may have the UID of one that was let through.
  ///
  /// Then the two are told apart by which is the later revision, and the stream has to be read without
  /// a sieve.
  package var hasTornItems: Bool { dropped.contains { kept.contains($0) } }

  /// Takes the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - chunk: The bytes, cut anywhere.
  ///   - isLast: Whether no more come.
  /// - Returns: What is to be read of all that was taken.
  package mutating func sift(_ chunk: [UInt8], isLast: Bool) -> [UInt8] {
    let bytes = held.isEmpty ? chunk : held + chunk
    held = []
    var output: [UInt8] = []
    let rest = sift(bytes.span, isLast: isLast, into: &output)
    held = Array(bytes[rest...])
    return output
  }

  /// Sifts bytes; returns from where on they are to be held back.
  private mutating func sift(
    _ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    var start = 0
    // What lies between here and the line at hand is let through, and not copied yet.
    var copied = 0
    while start < bytes.count {
      let end = bytes.firstLineFeed(from: start, to: bytes.count)
      guard end < bytes.count || isLast else { break }
      if !isPassing, SiftedComponent.begins(bytes, start, end) {
        var component = SiftedComponent()
        guard let next = component.read(bytes, from: start, isLast: isLast) else {
          output.append(copying: bytes.extracting(copied..<start))
          guard bytes.count - start > Self.holdLimit else { return start }
          isPassing = true
          copied = start
          continue
        }
        if component.canBeDropped(outside: days) {
          output.append(copying: bytes.extracting(copied..<start))
          copied = next
          lines.drop(component.lineCount)
          if component.uid != 0 { dropped.append(component.uid) }
          droppedCount += 1
        } else {
          lines.keep(component.lineCount)
          if component.uid != 0 { kept.insert(component.uid) }
        }
        start = next
        continue
      }
      if isPassing, SiftedComponent.ends(bytes, start, end) { isPassing = false }
      lines.keep(1)
      start = min(end + 1, bytes.count)
    }
    output.append(copying: bytes.extracting(copied..<start))
    return start
  }
}

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
