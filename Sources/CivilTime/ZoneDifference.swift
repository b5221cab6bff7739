// SPDX-License-Identifier: Apache-2.0

/// A period in which the offsets of two zones differ.
public struct ZoneDifference: Hashable, Sendable {
  /// The first moment of the period.
  public let start: Instant
  /// The first moment after the period.
  public let end: Instant
  /// The offset of the first zone.
  public let offset: UTCOffset
  /// The offset of the other zone.
  public let otherOffset: UTCOffset

  package init(start: Instant, end: Instant, offset: UTCOffset, otherOffset: UTCOffset) {
    self.start = start
    self.end = end
    self.offset = offset
    self.otherOffset = otherOffset
  }
}

extension ZoneRules {
  /// Returns the periods in which the offsets of this zone and another one differ, in order.
  ///
  /// - Parameters:
  ///   - other: The other zone.
  ///   - start: The start of the range.
  ///   - end: The end of the range, exclusive.
  /// - Returns: The periods, each with one pair of offsets; empty if the offsets never differ. O(n
  ///   log n) in the number of transitions in the range.
  public func differences(
    from other: ZoneRules, between start: Instant, and end: Instant
  ) -> [ZoneDifference] {
    var found: [ZoneDifference] = []
    var second = start.secondsSinceEpoch
    let last = end.secondsSinceEpoch
    // Each iteration advances to the next transition of either zone.
    while second < last {
      let own = segment(at: second)
      let others = other.segment(at: second)
      let next = min(own.end, others.end, last)
      guard next > second else { return found }
      if own.type.offset != others.type.offset {
        var begin = Instant(secondsSinceEpoch: second)
        if let previous = found.last, previous.end == begin, previous.offset == own.type.offset,
          previous.otherOffset == others.type.offset
        {
          begin = previous.start
          found.removeLast()
        }
        found.append(
          ZoneDifference(
            start: begin, end: Instant(secondsSinceEpoch: next), offset: own.type.offset,
            otherOffset: others.type.offset))
      }
      second = next
    }
    return found
  }
}
