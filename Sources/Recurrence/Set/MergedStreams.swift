// SPDX-License-Identifier: Apache-2.0

/// Several rules at once: always the earliest of what they give next.
///
/// Sets have one rule, or very few, so that looking at each of them is the fastest way to merge.
struct MergedStreams: Sendable {
  private var streams: [RuleStream]
  /// What each gives next, with the key `.max` if it has ended.
  private var heads: [Moment]
  /// The stream that gives the earliest; 0 if all have ended.
  private(set) var earliest = 0
  /// The key of the earliest, or `.max` if all have ended.
  private(set) var earliestKey = Int64.max

  init(_ streams: [RuleStream], from floor: Int64) {
    self.streams = streams
    heads = []
    heads.reserveCapacity(streams.count)
    for index in streams.indices {
      self.streams[index].start(at: floor)
      heads.append(self.streams[index].next() ?? MergedStreams.end)
    }
    findEarliest()
  }

  private static let end = Moment(key: .max, wall: .max)

  /// Whether there is nothing more.
  var hasEnded: Bool { earliestKey == .max }

  /// Whether the search of one of the rules was given up.
  var isTruncated: Bool { streams.contains { $0.isTruncated } }

  /// Takes the earliest.
  mutating func next() -> Moment? {
    guard earliestKey != .max else { return nil }
    let moment = heads[earliest]
    heads[earliest] = streams[earliest].next() ?? MergedStreams.end
    findEarliest()
    return moment
  }

  private mutating func findEarliest() {
    (earliest, earliestKey) = (0, .max)
    for index in heads.indices where heads[index].key < earliestKey {
      (earliest, earliestKey) = (index, heads[index].key)
    }
  }
}
