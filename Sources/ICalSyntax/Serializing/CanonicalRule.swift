// SPDX-License-Identifier: Apache-2.0

/// What the canonical form has to know of a property: what its row in `PropertyTable` says, in
/// numbers that are looked up for each line.
struct CanonicalRule: BitwiseCopyable, Sendable {
  /// The rules of all properties, in the order of `PropertyTable`.
  static let all = PropertyTable.rows.map { CanonicalRule($0) }

  /// That of a property that no table knows: its value stays as it is.
  static let unknown = CanonicalRule()

  /// The number of the UID property.
  static let uid = PropertyName.uid.index

  /// The key of the name.
  let key: CanonicalKey
  /// Whether the values are texts where no VALUE parameter says otherwise (RFC 5545 §3.3.11).
  let isText: Bool
  /// Whether the values may be texts at all.
  let mayBeText: Bool
  /// What separates texts from each other, and so stands among them without a backslash; 0 if nothing.
  let separator: UInt8
  /// The name of the type that needs no VALUE parameter (RFC 5545 §3.2.20), or nil if none is known.
  let typeName: NameKey?

  private init(_ row: PropertyTable.Row) {
    let form = ValueForm.all[PropertyVocabulary.table.index(of: row.name.utf8.span) ?? 0]
    let type = row.valueType.rawValue.utf8.span
    key = CanonicalKey(row.name.utf8.span, count: row.name.utf8.count)
    isText = row.valueType == .text
    mayBeText = isText || row.alternatives.contains(.text)
    separator = form.separator ?? 0
    typeName = NameKey(type, at: 0, count: type.count)
  }

  private init() {
    key = .malformed
    isText = false
    mayBeText = false
    separator = 0
    typeName = nil
  }
}
