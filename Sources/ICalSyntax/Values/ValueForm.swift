// SPDX-License-Identifier: Apache-2.0

/// The value rules of a row in `PropertyTable`, in a compact form for fast lookup.
struct ValueForm: Sendable {
  /// The type of values without a VALUE parameter.
  let type: ValueType
  /// The separator of several values, if allowed.
  let separator: UInt8?
  /// Whether a value may be a date or a date-time.
  let isDateOrDateTime: Bool
  /// The types that a VALUE parameter may name, one bit for each in the order of `types`.
  private let allowed: UInt32

  /// All types, in the order of the bits.
  static let types = ValueType.allCases
  /// The indices of the types by name.
  static let typeNames = NameTable(types.map(\.rawValue))

  /// The form of an unknown property.
  static let unknown = ValueForm(
    type: .unknown, separator: nil, isDateOrDateTime: false,
    allowed: bits(types.filter { $0 != .unknown }))

  /// The forms of all properties, indexed as in `PropertyTable`.
  static let all = PropertyTable.rows.map { row in
    ValueForm(
      type: row.valueType, separator: row.separator.map(byte),
      isDateOrDateTime: row.valueType == .dateTime && row.alternatives.contains(.date),
      allowed: bits([row.valueType] + row.alternatives))
  }

  /// Whether a VALUE parameter may name the type at an index in `types` (RFC 5545 §3.2.20).
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
