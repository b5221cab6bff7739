// SPDX-License-Identifier: Apache-2.0

/// The type of a property's value (RFC 5545 §3.3, RFC 9253 §7).
public enum ValueType: String, Hashable, Sendable, CaseIterable {
  /// Inline binary data in BASE64 (RFC 5545 §3.3.1).
  case binary = "BINARY"
  /// TRUE or FALSE (RFC 5545 §3.3.2).
  case boolean = "BOOLEAN"
  /// The address of a calendar user, a URI (RFC 5545 §3.3.3).
  case calendarAddress = "CAL-ADDRESS"
  /// A calendar date (RFC 5545 §3.3.4).
  case date = "DATE"
  /// A date with a time of day (RFC 5545 §3.3.5).
  case dateTime = "DATE-TIME"
  /// A duration (RFC 5545 §3.3.6).
  case duration = "DURATION"
  /// A floating-point number (RFC 5545 §3.3.7).
  case float = "FLOAT"
  /// A 32-bit integer (RFC 5545 §3.3.8).
  case integer = "INTEGER"
  /// A period of time (RFC 5545 §3.3.9).
  case period = "PERIOD"
  /// A recurrence rule (RFC 5545 §3.3.10).
  case recurrence = "RECUR"
  /// Text with escapes (RFC 5545 §3.3.11).
  case text = "TEXT"
  /// A time of day (RFC 5545 §3.3.12).
  case time = "TIME"
  /// A uniform resource identifier (RFC 5545 §3.3.13).
  case uri = "URI"
  /// An offset from UTC (RFC 5545 §3.3.14).
  case utcOffset = "UTC-OFFSET"
  /// The UID of another component (RFC 9253 §7).
  case uid = "UID"
  /// A reference to a part of an XML document (RFC 9253 §7).
  case xmlReference = "XML-REFERENCE"
  /// An unknown type, whose values are preserved (RFC 7265 §5).
  case unknown = "UNKNOWN"

  /// Whether blanks at the ends of a value are a part of it, or are looked at where it is read.
  var keepsBlanks: Bool {
    switch self {
    case .text, .uri, .calendarAddress, .uid, .xmlReference, .recurrence, .unknown: true
    default: false
    }
  }
}

/// The value rules of a row in `PropertyTable`, in a compact form for fast lookup.
struct ValueForm: Sendable {
  /// The type of values without a VALUE parameter.
  let type: ValueType
  /// The separator of several values, if allowed.
  let separator: UInt8?
  /// Whether a value may be a date or a date-time.
  let isDateOrDateTime: Bool
  /// Whether a value without a VALUE parameter has a type.
  let hasDefaultType: Bool
  /// The types that a VALUE parameter may name, one bit for each in the order of `types`.
  private let allowed: UInt32

  /// All types, in the order of the bits.
  static let types = ValueType.allCases
  /// The indices of the types by name.
  static let typeNames = NameTable(types.map(\.rawValue))

  /// The form of an unknown property.
  static let unknown = ValueForm(
    type: .unknown, separator: nil, isDateOrDateTime: false, hasDefaultType: false,
    allowed: bits(types.filter { $0 != .unknown }))

  /// The forms of all properties, indexed as in `PropertyTable`.
  static let all = PropertyTable.rows.map { row in
    ValueForm(
      type: row.valueType, separator: row.separator.map(byte),
      isDateOrDateTime: row.valueType == .dateTime && row.alternatives.contains(.date),
      hasDefaultType: row.hasDefaultType,
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
