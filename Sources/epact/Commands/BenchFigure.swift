// SPDX-License-Identifier: Apache-2.0

/// How long one kind of work took.
struct BenchFigure: Sendable {
  let work: BenchWork
  /// How long each run took for one pass, in seconds.
  let seconds: [Double]
  /// How many passes a run is made of.
  let passes: Int

  /// The median of the runs, in seconds for one pass.
  var median: Double {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var fastest: Double { seconds.min() ?? .nan }
  var slowest: Double { seconds.max() ?? .nan }
}
