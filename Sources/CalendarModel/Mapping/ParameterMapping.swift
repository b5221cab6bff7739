// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// How the fields of a type stand in the parameters of a property: one row a field.
struct ParameterMapping<Model: Sendable>: Sendable {
  /// How one field is read and written.
  struct Row: Sendable {
    let name: ParameterName
    /// Whether all parameters of the name count, and not only the first.
    var takesAll = false
    /// Reads the field from what stands after the equals sign.
    let read: @Sendable (Span<UInt8>, inout Model) -> Void
    let write: @Sendable (inout Model, inout Property) -> Void
  }

  private let rows: [Row]
  /// The places of the rows by the numbers of their names; nil where no row has the name.
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

  /// Reads all fields that the property has parameters for, in one pass over these.
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

  /// Makes the parameters say what the value says, and changes nothing that they say already.
  func write(_ model: Model, to property: inout Property) {
    var model = model  // each row takes its field out of it
    for row in rows { row.write(&model, &property) }
  }
}
