// SPDX-License-Identifier: Apache-2.0

/// A field of a model type, by which the rows of a mapping read and write it.
///
/// It exchanges the field of a model with a value: `{ swap(&$0.location, &$1) }`. A closure and not a
/// key path, because setting through a key path takes longer than reading most values.
typealias Field<Model, Value> = @Sendable (inout Model, inout Value) -> Void
