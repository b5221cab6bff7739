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
/// Dropped are a VEVENT, a VTODO or a VJOURNAL whose times all lie outside of the days, those of its
/// recurrence rule among them as far as UNTIL and COUNT tell, and in which every line begins with a name.
/// Whatever is in doubt is let through: a value that is folded where it matters, a date that is none, a
/// line end that is CR alone, RDATE, several rules, an override for later occurrences.
///
/// An override that replaces an occurrence outside of the days by another one there is dropped even if its
/// series is let through.
package struct ComponentSieve: Sendable {
  /// The most bytes of a component that are held back before it is let through.
  private static let holdLimit = 1 << 20

  private let days: ClosedRange<Int>
  /// What was taken and not given back: the component that is open, or a line that is not complete.
  private var held: [UInt8] = []
  /// Whether the component that is open is too long to be held back.
  private var isPassing = false
  private var lines = LineMap()
  private var items = SiftedItems()
  /// The items of which nothing is dropped.
  private let protected: Set<UInt64>

  /// Creates a sieve.
  ///
  /// - Parameters:
  ///   - days: The days that are asked for, as whoever looks counts them.
  ///   - items: Items of which nothing may be dropped, as ``tornItems`` tells them.
  package init(days: ClosedRange<CivilDate>, keeping items: Set<UInt64> = []) {
    protected = items
    // A time is at most a day off by its zone, and a zone may skip a day.
    let first = days.lowerBound.adding(days: -3) ?? .first
    let last = days.upperBound.adding(days: 3) ?? .last
    self.days = first.dayNumber...last.dayNumber
    self.items.days = self.days
  }

  /// Which lines of the stream the lines are that were let through.
  package var lineMap: LineMap { lines }

  /// How many components were dropped.
  package private(set) var droppedCount = 0

  /// The items of which components were dropped that may say something of others that were let through:
  /// of two for the same occurrence the later revision counts, and an override belongs to its series.
  ///
  /// If there are any, the stream has to be read again with a sieve that keeps them.
  package var tornItems: Set<UInt64> { items.torn }

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
        if component.canBeDropped(outside: days), !protected.contains(component.uid) {
          output.append(copying: bytes.extracting(copied..<start))
          copied = next
          lines.drop(component.lineCount)
          items.drop(component)
          droppedCount += 1
        } else {
          lines.keep(component.lineCount)
          items.keep(component)
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
