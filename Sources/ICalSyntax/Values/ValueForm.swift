// SPDX-License-Identifier: Apache-2.0

/// What a row of `PropertyTable` says of a property's values, small enough to be looked up for each.
struct ValueForm: Sendable {
  /// The type of the values where no VALUE parameter says otherwise.
  let type: ValueType
  /// What separates several values, if there may be several.
  let separator: UInt8?
  /// Whether a value may be a date or a date-time.
  let isDateOrDateTime: Bool
  /// The types that a VALUE parameter may name, a bit for each in the order of `types`.
  private let allowed: UInt32

  /// All types, by whose places here they are counted.
  static let types = ValueType.allCases
  /// The places of the types by their names.
  static let typeNames = NameTable(types.map(\.rawValue))

  /// That of a property that no table knows.
  static let unknown = ValueForm(
    type: .unknown, separator: nil, isDateOrDateTime: false,
    allowed: bits(types.filter { $0 != .unknown }))

  /// The forms of all properties, in the order of `PropertyTable`.
  static let all = PropertyTable.rows.map { row in
    ValueForm(
      type: row.valueType, separator: row.separator.map(byte),
      isDateOrDateTime: row.valueType == .dateTime && row.alternatives.contains(.date),
      allowed: bits([row.valueType] + row.alternatives))
  }

  /// Whether a VALUE parameter may name the type at a place in `types` (RFC 5545 §3.2.20).
  func allows(typeAt place: Int) -> Bool { allowed &>> UInt32(truncatingIfNeeded: place) & 1 != 0 }

  private static func bits(_ some: [ValueType]) -> UInt32 {
    some.reduce(0) { $0 | 1 << UInt32(Self.types.firstIndex(of: $1) ?? 31) }
  }

  private static func byte(_ separator: PropertyTable.Separator) -> UInt8 {
    switch separator {
    case .comma: ASCII.comma
    case .semicolon: ASCII.semicolon
    }
  }
}
