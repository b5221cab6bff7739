// SPDX-License-Identifier: Apache-2.0

/// What a row of `PropertyTable` says of a property's values, small enough to be looked up for each.
struct ValueForm: Sendable {
  /// The type of the values where no VALUE parameter says otherwise.
  let type: ValueType
  /// What separates several values, if there may be several.
  let separator: UInt8?
  /// Whether a value may be a date or a date-time.
  let isDateOrDateTime: Bool

  /// That of a property that no table knows.
  static let unknown = ValueForm(type: .unknown, separator: nil, isDateOrDateTime: false)

  /// The forms of all properties, in the order of `PropertyTable`.
  static let all = PropertyTable.rows.map { row in
    ValueForm(
      type: row.valueType, separator: row.separator.map(byte),
      isDateOrDateTime: row.valueType == .dateTime && row.alternatives.contains(.date))
  }

  private static func byte(_ separator: PropertyTable.Separator) -> UInt8 {
    switch separator {
    case .comma: ASCII.comma
    case .semicolon: ASCII.semicolon
    }
  }
}
