// SPDX-License-Identifier: Apache-2.0

/// A stretch of time in which the clocks of two zones do not show the same.
public struct ZoneDifference: Hashable, Sendable {
  /// Its first moment.
  public let start: Instant
  /// The first moment after it.
  public let end: Instant
  /// How far the clocks of the one zone are ahead of UTC then.
  public let offset: UTCOffset
  /// How far those of the other zone are.
  public let otherOffset: UTCOffset

  /// Creates a stretch of time.
  package init(start: Instant, end: Instant, offset: UTCOffset, otherOffset: UTCOffset) {
    self.start = start
    self.end = end
    self.offset = offset
    self.otherOffset = otherOffset
  }
}

extension ZoneRules {
  /// The stretches of time in which the offsets of this zone and another one differ, in order.
  ///
  /// - Parameters:
  ///   - other: The other zone.
  ///   - start: The first moment that is looked at.
  ///   - end: The first moment that is not.
  /// - Returns: The stretches, each with one pair of offsets; empty if the clocks always show the same.
  ///   O(n log n) in the number of changes within the range.
  public func differences(
    from other: ZoneRules, between start: Instant, and end: Instant
  ) -> [ZoneDifference] {
    var found: [ZoneDifference] = []
    var second = start.secondsSinceEpoch
    let last = end.secondsSinceEpoch
    // Each round goes to the next change of one of the two.
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
