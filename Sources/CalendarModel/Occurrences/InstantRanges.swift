// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A set of instants, as sorted ranges that neither overlap nor touch.
struct InstantRanges: Sendable {
  private(set) var ranges: [Range<Instant>] = []

  /// Merges ranges that overlap or touch; empty ranges are omitted.
  init(merging ranges: some Sequence<Range<Instant>>) {
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        let upper = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound..<upper
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// Returns the difference of this set and another one.
  func subtracting(_ other: InstantRanges) -> InstantRanges {
    var rest: [Range<Instant>] = []
    var next = 0
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.count, other.ranges[next].upperBound <= start { next += 1 }
      var index = next
      while index < other.ranges.count, other.ranges[index].lowerBound < range.upperBound {
        if start < other.ranges[index].lowerBound {
          rest.append(start..<other.ranges[index].lowerBound)
        }
        start = max(start, other.ranges[index].upperBound)
        index += 1
      }
      if start < range.upperBound { rest.append(start..<range.upperBound) }
    }
    return InstantRanges(merging: rest)
  }
}
