// SPDX-License-Identifier: Apache-2.0

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
