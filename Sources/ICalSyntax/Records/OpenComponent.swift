// SPDX-License-Identifier: Apache-2.0

/// A component that has begun and not ended.
struct OpenComponent: BitwiseCopyable {
  /// The index of its record.
  let record: Int
  /// The number of pending children when it began.
  let firstPending: Int
  /// The number of scattered properties in the enclosing components when it began.
  ///
  /// Scattered properties come after a nested component, so they are not contiguous with the
  /// others.
  let firstScattered: Int
  /// Whether it contains an unmatched END line.
  var hasStrayEnd = false
}
