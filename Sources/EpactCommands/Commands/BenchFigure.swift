// SPDX-License-Identifier: Apache-2.0

import Epact

/// The measurements of one kind of work.
struct BenchFigure: Sendable {
  let work: BenchWork
  /// The duration of one pass in each run, in seconds.
  let seconds: [Double]
  /// The number of passes in a run.
  let passes: Int

  /// The median duration of a pass, in seconds.
  var median: Double {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var fastest: Double { seconds.min() ?? .nan }
  var slowest: Double { seconds.max() ?? .nan }
}
