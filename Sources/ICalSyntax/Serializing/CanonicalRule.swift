// SPDX-License-Identifier: Apache-2.0

/// What the canonical form has to know of a property: what its row in `PropertyTable` says, in
/// numbers that are looked up for each line.
struct CanonicalRule: BitwiseCopyable, Sendable {
  /// The rules of all properties, in the order of `PropertyTable`, and last that of any other property,
  /// whose value stays as it is.
  static let all = PropertyTable.rows.map { CanonicalRule($0) } + [CanonicalRule()]

  /// The number of the UID property.
  static let uid = PropertyName.uid.index ?? -1

  /// The names of the types that need no VALUE parameter (RFC 5545 §3.2.20), in the same order; that of
  /// a property without a default type is a name that no parameter can have.
  static let typeNames = PropertyTable.rows.map {
    let name = ($0.hasDefaultType ? $0.valueType.rawValue : "\":").utf8.span
    return NameKey(name, at: 0, count: name.count)
  }

  /// Whether the values are texts where no VALUE parameter says otherwise (RFC 5545 §3.3.11).
  let isText: Bool
  /// Whether the values may be texts at all.
  let mayBeText: Bool
  /// What separates texts from each other, and so stands among them without a backslash; 0 if nothing.
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
