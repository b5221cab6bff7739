// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing

/// Tries a property on random input, once for each seed from 0, and records the first seed that fails.
///
/// `EPACT_SEED=17` in the environment tries that seed only; `EPACT_ITERATIONS=100` tries a hundred
/// times as many, for a longer run, and both together so many from that seed on.
///
/// - Parameters:
///   - count: How many seeds are tried, in a second or two of a debug build.
///   - sourceLocation: Where a failure is shown.
///   - body: Makes its input from the numbers and throws if the property does not hold.
public func forAll(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (inout SeededGenerator) throws -> Void
) {
  for seed in seeds(count) {
    var random = SeededGenerator(seed: seed)
    do {
      try body(&random)
    } catch {
      Issue.record(
        "seed \(seed): \(error); EPACT_SEED=\(seed) replays it", sourceLocation: sourceLocation)
      return
    }
  }
}

/// How many times as much is to be tried as in an ordinary run: `EPACT_ITERATIONS`, or 1.
public var iterationFactor: Int {
  max(1, ProcessInfo.processInfo.environment["EPACT_ITERATIONS"].flatMap { Int($0) } ?? 1)
}

private func seeds(_ count: Int) -> Range<UInt64> {
  let environment = ProcessInfo.processInfo.environment
  let whole = UInt64(max(0, count * iterationFactor))
  guard let first = environment["EPACT_SEED"].flatMap({ UInt64($0) }) else { return 0..<whole }
  let wanted = environment["EPACT_ITERATIONS"] == nil ? 1 : whole
  return first..<first + min(wanted, .max - first)
}
