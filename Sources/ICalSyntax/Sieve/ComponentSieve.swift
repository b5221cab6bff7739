// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// A filter that drops components of a stream which cannot occur in a range of days.
///
/// Most components of a long calendar are far from the requested days. The sieve reads their lines
/// as `ComponentReader` does, by the same fast path and grammar, but builds no records and values.
/// `Benchmarks/README.md` states the savings.
///
/// ```
/// bytes ──► sift ──► the bytes to parse ──► ComponentReader
///             └► the line numbers of these bytes, and items that were split
/// ```
///
/// The sieve drops a VEVENT, VTODO or VJOURNAL if all its times are outside of the days, including
/// those of its recurrence rule as far as UNTIL and COUNT limit it. Uncertain components are kept:
/// those with a malformed line, an invalid date, RDATE, several rules, or an override for later
/// occurrences.
///
/// A component outside of a calendar is kept, so that the reader reports it.
///
/// An override that moves an occurrence outside of the days to another time outside is dropped even
/// if its series is kept.
package struct ComponentSieve: Sendable {
  /// The maximum number of bytes of a component that are held back.
  private static let holdLimit = 1 << 20

  private let days: ClosedRange<Int>
  /// The bytes that are held back: an open component or an incomplete line.
  private var held: [UInt8] = []
  /// The number of held bytes from which they are read again.
  ///
  /// It is twice their number when they were read last, so that the work for a long line or
  /// component grows linearly with its length.
  private var nextReading = 0
  /// Whether a line exceeds the limit of the reader, which rejects the stream there.
  private var isExhausted = false
  /// The limits of the reader; a longer line is kept, so that the reader reports it.
  private let limits = ParserLimits()
  /// Whether a calendar is open.
  private var isInCalendar = false
  /// Whether the open component is too long to be held back.
  private var isPassing = false
  private let lines = SiftedLines()
  /// The buffer for unfolded lines.
  private var arena = TextArena()
  private var items = SiftedItems()
  /// The items whose components are all kept.
  private let protected: Set<UInt64>
  /// Whether reminders are kept, whatever their times.
  private let keepsReminders: Bool

  /// Creates a sieve.
  ///
  /// - Parameters:
  ///   - days: The requested days, in the zone of the reader.
  ///   - items: Items that must be kept, as ``tornItems`` identifies them.
  ///   - keepsReminders: Whether reminders are kept, whatever their times.
  package init(
    days: ClosedRange<CivilDate>, keeping items: Set<UInt64> = [], keepsReminders: Bool = false
  ) {
    protected = items
    self.keepsReminders = keepsReminders
    // A zone shifts a time by at most a day, and may skip a day.
    let first = days.lowerBound.adding(days: -3) ?? .first
    let last = days.upperBound.adding(days: 3) ?? .last
    self.days = first.dayNumber...last.dayNumber
    self.items.days = self.days
  }

  /// The line numbers in the stream of the kept lines.
  package private(set) var lineMap = LineMap()

  /// The number of dropped components.
  package private(set) var droppedCount = 0

  /// The items of which some components were dropped and related ones were kept.
  ///
  /// Of two components for the same occurrence the later revision counts, and an override belongs
  /// to its series. If there are such items, the stream must be read again with a sieve that keeps
  /// them.
  package var tornItems: Set<UInt64> { items.torn }

  /// The item of all components in the form of ``tornItems``; nil if there are several or none.
  package var onlyItem: UInt64? { items.only }

  /// Filters the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - chunk: The bytes; chunk boundaries have no effect.
  ///   - isLast: Whether these are the last bytes.
  /// - Returns: The bytes to parse.
  package mutating func sift(_ chunk: [UInt8], isLast: Bool) -> [UInt8] {
    if held.isEmpty { held = chunk } else { held += chunk }
    guard isLast || held.count >= nextReading else { return [] }
    let bytes = held
    held = []
    guard !isExhausted else { return bytes }
    var output: [UInt8] = []
    let rest = sift(bytes.span, isLast: isLast, into: &output)
    held = Array(bytes[rest...])
    nextReading = 2 * held.count
    return output
  }

  /// Whether a component is certainly outside of the days, and not kept for another reason.
  private func drops(_ component: SiftedComponent) -> Bool {
    !protected.contains(component.uid) && !(keepsReminders && component.isReminder)
      && component.canBeDropped(outside: days)
  }

  /// Filters bytes, and returns the index from which they are held back.
  private mutating func sift(
    _ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]
  ) -> Int {
    var start = 0
    // The start of the kept bytes that were not copied to the output yet.
    var copied = 0
    let lines = lines
    while start < bytes.count {
      guard let line = lines.line(at: start, in: bytes, isLast: isLast, arena: &arena) else {
        isExhausted = bytes.count - start > limits.lineLength
        if isExhausted { start = bytes.count }
        break
      }
      let name =
        line.role == .begin || line.role == .end ? lines.componentIndex(of: line, in: bytes) : nil
      if name != nil, name == lines.names.calendar { isInCalendar = line.role == .begin }
      let canDrop =
        (line.role == .begin || isPassing && line.role == .end) && SiftedComponent.canDrop(name)
      if canDrop, !isPassing, isInCalendar {
        var component = SiftedComponent()
        guard
          let next = component.read(
            bytes, from: start, lines, isLast: isLast, lineLimit: limits.lineLength, arena: &arena)
        else {
          output.append(copying: bytes.extracting(copied..<start))
          guard bytes.count - start > Self.holdLimit else { return start }
          isPassing = true
          copied = start
          continue
        }
        if drops(component) {
          output.append(copying: bytes.extracting(copied..<start))
          copied = next
          lineMap.drop(component.lineCount)
          items.drop(component)
          droppedCount += 1
        } else {
          lineMap.keep(component.lineCount)
          items.keep(component)
        }
        start = next
        continue
      }
      if canDrop, line.role == .end { isPassing = false }
      lineMap.keep(line.lineCount)
      start = line.end
    }
    output.append(copying: bytes.extracting(copied..<start))
    return start
  }
}
