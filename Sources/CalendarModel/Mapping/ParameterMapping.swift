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

extension ParameterMapping.Row {
  /// A text, or nil if the parameter is missing.
  static func text(_ name: ParameterName, _ field: @escaping Field<Model, String?>) -> Self {
    Self(
      name: name,
      read: { values, model in
        var text: String? = ParameterParser.firstValue(in: values)
        field(&model, &text)
      },
      write: { model, property in
        var text: String?
        field(&model, &text)
        property.set(name, to: text)
      })
  }

  /// A word, with a default if the parameter is missing; empty values have the default.
  static func word<Value: Word>(
    _ name: ParameterName, otherwise: Value, _ field: @escaping Field<Model, Value>
  ) -> Self {
    let words = WordTable<Value>()
    return Self(
      name: name,
      read: { values, model in
        var word =
          words.word(values) ?? Value(ignoringCase: ParameterParser.firstValue(in: values))
          ?? otherwise
        field(&model, &word)
      },
      write: { model, property in
        var value = otherwise
        field(&model, &value)
        let before = property[name].flatMap { Value(ignoringCase: $0) }
        guard (before ?? otherwise) != value else { return }
        property[name] = value == otherwise ? nil : value.rawValue
      })
  }

  /// A list of words.
  static func words<Value: RawRepresentable<String> & Hashable & Sendable>(
    _ name: ParameterName, _ field: @escaping Field<Model, [Value]>
  ) -> Self {
    Self(
      name: name,
      read: { values, model in
        var words = ParameterParser.values(in: values).compactMap { Value(rawValue: $0) }
        field(&model, &words)
      },
      write: { model, property in
        var value: [Value] = []
        field(&model, &value)
        let before = property.parameters.first { $0.name == name }?.values ?? []
        guard before.compactMap({ Value(rawValue: $0) }) != value else { return }
        property.replace(name, by: value.map(\.rawValue))
      })
  }

  /// A list of texts.
  static func texts(_ name: ParameterName, _ field: @escaping Field<Model, [String]>) -> Self {
    Self(
      name: name,
      read: { values, model in
        var texts = ParameterParser.values(in: values)
        field(&model, &texts)
      },
      write: { model, property in
        var value: [String] = []
        field(&model, &value)
        let before = property.parameters.first { $0.name == name }?.values ?? []
        if before != value { property.replace(name, by: value) }
      })
  }

  /// A Boolean value; false if the parameter is missing.
  static func boolean(_ name: ParameterName, _ field: @escaping Field<Model, Bool>) -> Self {
    Self(
      name: name,
      read: { values, model in
        var isTrue = ParameterParser.firstValue(in: values).asciiUppercased == "TRUE"
        field(&model, &isTrue)
      },
      write: { model, property in
        var value = false
        field(&model, &value)
        let before = property[name]?.asciiUppercased == "TRUE"
        guard before != value else { return }
        property[name] = before ? nil : "TRUE"
      })
  }

  /// An address, or nil if the parameter is missing.
  static func address(
    _ name: ParameterName, _ field: @escaping Field<Model, CalendarAddress?>
  ) -> Self {
    Self(
      name: name,
      read: { values, model in
        var address: CalendarAddress? = CalendarAddress(ParameterParser.firstValue(in: values))
        field(&model, &address)
      },
      write: { model, property in
        var value: CalendarAddress?
        field(&model, &value)
        guard property[name].map({ CalendarAddress($0) }) != value else { return }
        property[name] = value?.rawValue
      })
  }

  /// A list of addresses.
  static func addresses(
    _ name: ParameterName, _ field: @escaping Field<Model, [CalendarAddress]>
  ) -> Self {
    Self(
      name: name, takesAll: true,
      read: { values, model in
        var addresses: [CalendarAddress] = []
        field(&model, &addresses)
        addresses += ParameterParser.values(in: values).map { CalendarAddress($0) }
        field(&model, &addresses)
      },
      write: { model, property in
        var value: [CalendarAddress] = []
        field(&model, &value)
        guard property.addresses(name) != value else { return }
        property.replace(name, by: value.map(\.rawValue))
      })
  }
}

extension Property {
  /// Replaces all parameters with a name by one parameter, or by none if `values` is empty.
  fileprivate mutating func replace(_ name: ParameterName, by values: [String]) {
    var all = parameters
    let place = all.firstIndex { $0.name == name } ?? all.endIndex
    all.removeAll { $0.name == name }
    if !values.isEmpty { all.insert(Parameter(name, values), at: min(place, all.count)) }
    parameters = all
  }

  fileprivate func addresses(_ name: ParameterName) -> [CalendarAddress] {
    parameters.filter { $0.name == name }.flatMap(\.values).map { CalendarAddress($0) }
  }
}
