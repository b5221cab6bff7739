// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The seeds of random histories.
///
/// `EPACT_SEED` in the environment replays one history; `EPACT_HISTORIES` sets how many there are, from
/// that seed on.
package enum Seeds {
  /// The seeds that are played.
  ///
  /// - Parameter count: How many there are if nobody says otherwise.
  /// - Returns: The seeds.
  package static func played(_ count: UInt64) -> ClosedRange<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["EPACT_SEED"].flatMap(UInt64.init)
    let wanted = environment["EPACT_HISTORIES"].flatMap(UInt64.init)
    let start = first ?? 1
    return start...(start + max(1, wanted ?? (first == nil ? count : 1)) - 1)
  }
}
