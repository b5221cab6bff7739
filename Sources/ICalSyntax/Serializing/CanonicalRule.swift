// SPDX-License-Identifier: Apache-2.0

/// The rules of `PropertyTable` that canonical writing needs, in a compact form for each line.
struct CanonicalRule: BitwiseCopyable, Sendable {
  /// The rules of all properties, indexed as in `PropertyTable`.
  ///
  /// The last rule applies to all other properties, whose values are not changed.
  static let all = PropertyTable.rows.map { CanonicalRule($0) } + [CanonicalRule()]

  /// The index of the UID property.
  static let uid = PropertyName.uid.index ?? -1

  /// The names of the default types (RFC 5545 §3.2.20), indexed as in `PropertyTable`.
  ///
  /// For a property without a default type it is a name that is invalid as a parameter value.
  static let typeNames = PropertyTable.rows.map {
    let name = ($0.hasDefaultType ? $0.valueType.rawValue : "\":").utf8.span
    return NameKey(name, at: 0, count: name.count)
  }

  /// Whether the values are texts without a VALUE parameter (RFC 5545 §3.3.11).
  let isText: Bool
  /// Whether the values may be texts.
  let mayBeText: Bool
  /// The separator of texts, which is not escaped between them; 0 for none.
  let separator: UInt8

  private init(_ row: PropertyTable.Row) {
    let form = ValueForm.all[PropertyVocabulary.table.index(of: row.name.utf8.span) ?? 0]
    isText = row.valueType == .text
    mayBeText = isText || row.alternatives.contains(.text)
    separator = form.separator ?? 0
  }

  private init() {
    isText = false
    mayBeText = false
    separator = 0
  }
}
