// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The words of the RFC, by their bytes, so that a common word is read without creating a string.
struct WordTable<Value: Word>: Sendable {
  /// The words in upper case.
  let names = NameTable(Value.named.map(\.rawValue))
  private let values = Value.named

  /// Returns the value of a word in any case, or nil if the RFC does not name the word.
  func word(_ bytes: Span<UInt8>) -> Value? {
    names.index(of: bytes).map { values[$0] }
  }

  /// Returns the value of a property, or nil if the RFC does not name the word.
  func word(of property: Property) -> Value? {
    property.valueIndex(in: names).map { values[$0] }
  }
}
