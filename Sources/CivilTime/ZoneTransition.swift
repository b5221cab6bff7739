// SPDX-License-Identifier: Apache-2.0

/// A transition: a change of a zone's local time.
public struct ZoneTransition: Hashable, Sendable {
  /// The first moment of the new local time.
  public let instant: Instant
  /// The local time before the transition.
  public let before: LocalTimeType
  /// The local time from the transition on.
  public let after: LocalTimeType

  /// The wall-clock time of the transition in the old local time: an observance's start.
  ///
  /// RFC 5545 §3.6.5 defines the start of an observance this way. It is nil outside the years 1
  /// through 9999.
  public var wallTimeBefore: CivilDateTime? { instant.civil(at: before.offset) }
}

/// A lazy sequence of the transitions of a zone in a range of time, in order.
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

  /// Returns the next transition, or nil at the end of the range.
  public mutating func next() -> ZoneTransition? {
    // Transitions that change nothing are skipped. Their number is limited by the size of the file;
    // the yearly rule has none, or ends with the range.
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
  /// Returns the transitions in a range of time, in order.
  ///
  /// - Parameters:
  ///   - start: The start of the range.
  ///   - end: The end of the range, exclusive; at most, and by default, the end of the year 9999.
  /// - Returns: A lazy sequence; each change costs O(log n).
  public func transitions(from start: Instant, to end: Instant? = nil) -> ZoneTransitions {
    let last = Instant(secondsSinceEpoch: 253_402_300_800)
    return ZoneTransitions(rules: self, from: start, to: min(end ?? last, last))
  }
}
