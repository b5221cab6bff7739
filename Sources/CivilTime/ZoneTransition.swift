// SPDX-License-Identifier: Apache-2.0

/// A change of the clocks of a zone.
public struct ZoneTransition: Hashable, Sendable {
  /// The first moment of the new time.
  public let instant: Instant
  /// What the clocks did before.
  public let before: LocalTimeType
  /// What they do from then on.
  public let after: LocalTimeType

  /// What the clocks in the old time would show at the moment of the change, or nil outside the years
  /// 1 through 9999: the start of an observance (RFC 5545 §3.6.5).
  public var wallTimeBefore: CivilDateTime? { instant.civil(at: before.offset) }
}

/// The changes of a zone's clocks in a range of time, in order, found one by one.
public struct ZoneTransitions: Sequence, IteratorProtocol, Sendable {
  private let rules: ZoneRules
  private let end: Int64
  private var segment: ZoneSegment

  init(rules: ZoneRules, from start: Instant, to end: Instant) {
    self.rules = rules
    self.end = end.secondsSinceEpoch
    let (before, overflow) = start.secondsSinceEpoch.subtractingReportingOverflow(1)
    segment = rules.segment(at: overflow ? .min : before)
  }

  /// The next change, or nil at the end of the range.
  public mutating func next() -> ZoneTransition? {
    // Changes that change nothing are passed; a file has at most as many as its size allows, and the
    // yearly rule of a zone has none, or ends with the range.
    while segment.end < end {
      let before = segment.type
      let second = segment.end
      segment = rules.segment(at: second)
      guard segment.end > second else { return nil }
      if segment.type != before {
        return ZoneTransition(
          instant: Instant(secondsSinceEpoch: second), before: before, after: segment.type)
      }
    }
    return nil
  }
}

extension ZoneRules {
  /// The changes of the clocks in a range of time, in order.
  ///
  /// - Parameters:
  ///   - start: The first moment that is looked at.
  ///   - end: The first moment that is not; the end of the year 9999 if it is later or left out.
  /// - Returns: A lazy sequence; each change costs O(log n).
  public func transitions(from start: Instant, to end: Instant? = nil) -> ZoneTransitions {
    let last = Instant(secondsSinceEpoch: 253_402_300_800)
    return ZoneTransitions(rules: self, from: start, to: min(end ?? last, last))
  }
}
