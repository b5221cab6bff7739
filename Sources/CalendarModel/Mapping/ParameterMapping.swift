// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The mapping of a type's fields to the parameters of a property: one row per field.
struct ParameterMapping<Model: Sendable>: Sendable {
  /// The reading and writing of one field.
  struct Row: Sendable {
    let name: ParameterName
    /// Whether all parameters with the name are read, instead of only the first.
    var takesAll = false
    /// Reads the field from the bytes after the equals sign.
    let read: @Sendable (Span<UInt8>, inout Model) -> Void
    let write: @Sendable (inout Model, inout Property) -> Void
  }

  private let rows: [Row]
  /// The row positions by the index of the parameter name; nil for names without a row.
  private let places: [Int?]

  init(_ rows: [Row]) {
    var places: [Int?] = []
    for (place, row) in rows.enumerated() {
      guard let index = row.name.index else {
        preconditionFailure("no table knows the parameter \(row.name)")
      }
      while places.count <= index { places.append(nil) }
      places[index] = place
    }
    self.rows = rows
    self.places = places
  }

  /// Reads all fields in one pass over the parameters.
  func read(_ property: Property, into model: inout Model) {
    var marks: UInt64 = 0
    property.forEachParameter { index, values in
      guard let index, index < places.count, let place = places[index] else { return }
      let mark: UInt64 = 1 << UInt64(place)
      guard rows[place].takesAll || marks & mark == 0 else { return }
      marks |= mark
      rows[place].read(values, &model)
    }
  }

  /// Writes the value to the parameters and preserves everything that is equal.
  func write(_ model: Model, to property: inout Property) {
    var model = model  // each row swaps its field out of the copy
    for row in rows { row.write(&model, &property) }
  }
}
