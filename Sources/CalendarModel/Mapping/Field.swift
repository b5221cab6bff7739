// SPDX-License-Identifier: Apache-2.0

/// Access to a field of a model type, for the rows of a mapping.
///
/// The closure exchanges the field with a value: `{ swap(&$0.location, &$1) }`. It is not a key
/// path, because setting through a key path takes longer than reading most values.
typealias Field<Model, Value> = @Sendable (inout Model, inout Value) -> Void
