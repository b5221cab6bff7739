// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The words that the RFC names, found by their bytes: most are one of them, and need no text.
struct WordTable<Value: Word>: Sendable {
  /// The words in upper case.
  let names = NameTable(Value.named.map(\.rawValue))
  private let values = Value.named

  /// The value of a word in whatever case, or nil if it is none that the RFC names.
  func word(_ bytes: Span<UInt8>) -> Value? {
    names.index(of: bytes).map { values[$0] }
  }

  /// The value that a property is, or nil if it is none that the RFC names.
  func word(of property: Property) -> Value? {
    property.valueIndex(in: names).map { values[$0] }
  }
}
