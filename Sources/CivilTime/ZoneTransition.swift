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

/// The offset, DST flag and abbreviation of a zone's local time (RFC 9636 §3.2).
public struct LocalTimeType: Hashable, Sendable {
  /// The offset from UTC.
  public let offset: UTCOffset
  /// Whether this is daylight saving time by the zone's law; in Dublin, winter time is.
  public let isDaylight: Bool
  /// The abbreviation, such as `CEST` or `+03`.
  public let abbreviation: String

  /// Creates a local time type.
  ///
  /// - Parameters:
  ///   - offset: The offset from UTC.
  ///   - isDaylight: Whether this is daylight saving time.
  ///   - abbreviation: The abbreviation, such as `CEST`.
  public init(offset: UTCOffset, isDaylight: Bool, abbreviation: String) {
    self.offset = offset
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}

/// The transition times of a zone in ascending order, with an index for constant-time lookup.
///
/// Transitions are spread nearly evenly over time. The table divides time into buckets of equal
/// length, and a shift yields the bucket of a moment. Most buckets contain at most one transition.
struct TransitionTable: Hashable, Sendable {
  /// The maximum number of buckets.
  private static let stretchLimit: Int64 = 512
  private static let leastShift: Int64 = 23

  let times: [Int64]
  /// The index of the first transition at or after the start of each bucket, and an end index.
  private let indices: [Int32]
  private let shift: Int64

  init(_ times: [Int64]) {
    self.times = times
    guard let first = times.first, let last = times.last,
      case (let length, false) = last.subtractingReportingOverflow(first)
    else {
      (indices, shift) = ([], 0)
      return
    }
    var shift = TransitionTable.leastShift
    while length >> shift >= TransitionTable.stretchLimit { shift += 1 }
    self.shift = shift
    var indices: [Int32] = [0]
    for (index, time) in times.enumerated() {
      while indices.count <= (time - first) >> shift { indices.append(Int32(index)) }
    }
    indices.append(Int32(times.count))
    self.indices = indices
  }

  /// The number of changes.
  var count: Int { times.count }

  /// The index of the first transition after a second.
  func firstIndex(after second: Int64) -> Int {
    var (low, high) = (0, times.count)
    if !indices.isEmpty {
      guard second >= times[0] else { return 0 }
      guard second < times[high - 1] else { return high }
      let stretch = Int((second &- times[0]) >> shift)
      (low, high) = (Int(indices[stretch]), Int(indices[stretch + 1]))
    }
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

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
