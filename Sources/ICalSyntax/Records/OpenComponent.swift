// SPDX-License-Identifier: Apache-2.0

/// A component that has begun and not ended.
struct OpenComponent: BitwiseCopyable {
  /// The index of its record.
  let record: Int
  /// How many closed components were waiting for their parent when it began.
  let firstPending: Int
  /// How many properties were scattered in the components around it when it began; those that came
  /// after a nested component, and so do not lie beside the others.
  let firstScattered: Int
  /// Whether a line in it ends nothing.
  var hasStrayEnd = false
}
