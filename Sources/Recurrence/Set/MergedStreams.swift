// SPDX-License-Identifier: Apache-2.0

/// Merges the instances of several rules in order of time.
///
/// Sets have one rule, or very few; the heap costs these nothing, and keeps a set of many rules from
/// looking at each of them for each instance.
struct MergedStreams: Sendable {
  private var streams: [RuleStream]
  /// The next moment of each stream, with the key `.max` if it has ended.
  private var heads: [Moment]
  /// The numbers of the streams as a heap: none gives an earlier moment than the one above it, nor the
  /// same one with a lower number.
  private var heap: [Int]
  /// The stream that gives the earliest, of several the first one.
  private(set) var earliest = 0
  /// The key of the earliest moment, or `.max` if all have ended.
  private(set) var earliestKey = Int64.max

  init(_ streams: [RuleStream], from floor: Int64) {
    self.streams = streams
    heads = []
    heads.reserveCapacity(streams.count)
    for index in streams.indices {
      self.streams[index].start(at: floor)
      heads.append(self.streams[index].next() ?? MergedStreams.end)
    }
    heap = Array(streams.indices)
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: place) }
    findEarliest()
  }

  private static let end = Moment(key: .max, wall: .max)

  /// Whether all streams have ended.
  var hasEnded: Bool { earliestKey == .max }

  /// Whether the search of any rule was stopped.
  var isTruncated: Bool { streams.contains { $0.isTruncated } }

  /// Removes and returns the earliest moment.
  mutating func next() -> Moment? {
    guard earliestKey != .max else { return nil }
    let moment = heads[earliest]
    heads[earliest] = streams[earliest].next() ?? MergedStreams.end
    if heap.count > 1 { siftDown(from: 0) }
    findEarliest()
    return moment
  }

  private mutating func findEarliest() {
    guard let first = heap.first else { return }
    (earliest, earliestKey) = (first, heads[first].key)
  }

  private mutating func siftDown(from place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if precedes(heap[child], heap[least]) { least = child }
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (leftKey, rightKey) = (heads[left].key, heads[right].key)
    return leftKey == rightKey ? left < right : leftKey < rightKey
  }
}
