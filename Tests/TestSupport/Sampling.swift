// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Every fourth step of a long loop, or all steps with `EPACT_KILLS=all`.
///
/// Tests that interrupt a run at each of its calls try some of the calls in an ordinary run, and all
/// of them at night. Loops over several kinds of interruptions begin with different steps, so that
/// each call is interrupted in some way.
///
/// - Parameters:
///   - steps: The steps.
///   - first: The number of the kind, from 0, which decides with which step the loop begins.
/// - Returns: The steps in order.
public func sampled(_ steps: Range<Int>, from first: Int = 0) -> [Int] {
  steps.filter { ($0 - steps.lowerBound) % sampledStep == first % sampledStep }
}

/// The distance of the calls at which a run is interrupted: 4, or 1 with `EPACT_KILLS=all`.
public var sampledStep: Int {
  ProcessInfo.processInfo.environment["EPACT_KILLS"] == "all" ? 1 : 4
}
