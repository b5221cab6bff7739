// SPDX-License-Identifier: Apache-2.0

/// A component that has begun and not ended.
struct OpenComponent {
  let name: ComponentName
  /// The index of its record.
  let record: Int
  /// How many closed components were waiting for their parent when it began.
  let firstPending: Int
  /// Its properties that come after a nested component, and so do not lie beside the others.
  var scattered: [LineRecord] = []
  /// Whether a line in it ends nothing.
  var hasStrayEnd = false
}
