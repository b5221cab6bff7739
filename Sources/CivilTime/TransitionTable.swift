// SPDX-License-Identifier: Apache-2.0

/// The moments at which the clocks of a zone change, ascending, found without halving all of them.
///
/// Changes are spread nearly evenly over time. So time is cut into stretches of equal length, of which a
/// shift finds the one that a moment lies in, and in most of these there is one change or none.
struct TransitionTable: Hashable, Sendable {
  /// The most stretches that there may be, and the shortest, as a power of two: about 97 days.
  private static let stretchLimit: Int64 = 512
  private static let leastShift: Int64 = 23

  let times: [Int64]
  /// The index of the first change that is not before a stretch; one more for the end of the last.
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

  /// The index of the first change after a second.
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
