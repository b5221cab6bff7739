// SPDX-License-Identifier: Apache-2.0

import ICUServices
import Testing

@Suite struct TextCollationTests {
  /// Two texts in a language and their order.
  struct Case: CustomTestStringConvertible {
    let locale: String
    let strength: TextCollation.Strength
    let left: String
    let right: String
    let order: TextCollation.Order

    init(
      _ locale: String, _ strength: TextCollation.Strength, _ left: String, _ right: String,
      _ order: TextCollation.Order
    ) {
      self.locale = locale
      self.strength = strength
      self.left = left
      self.right = right
      self.order = order
    }

    var testDescription: String { "\(left) and \(right) in \(locale) by \(strength)" }
  }

  static let cases = [
    Case("de", .letters, "Äpfel", "apfel", .same),
    Case("de", .accents, "Äpfel", "apfel", .descending),
    Case("de", .accents, "APFEL", "apfel", .same),
    Case("de", .letterCase, "APFEL", "apfel", .descending),
    Case("de", .letterCase, "apfel", "Birne", .ascending),
    Case("sv", .letters, "ärta", "zebra", .descending),
    Case("de", .letters, "ärta", "zebra", .ascending),
    Case("en", .letterCase, "e\u{301}", "é", .same),
    Case("xx-unknown", .letterCase, "a", "b", .ascending),
    Case("en", .letterCase, "", "a", .ascending),
    Case("en", .letterCase, "a\0b", "a\0b", .same),
  ]

  @Test("Orders texts as the language does, and sort keys likewise", arguments: cases)
  func order(_ example: Case) throws {
    let collation = try TextCollation(locale: example.locale, strength: example.strength)
    #expect(try collation.compare(example.left, example.right) == example.order)
    let left = try collation.sortKey(for: example.left)
    let right = try collation.sortKey(for: example.right)
    let order: TextCollation.Order =
      left == right ? .same : left.lexicographicallyPrecedes(right) ? .ascending : .descending
    #expect(order == example.order)
  }

  @Test("Finds texts without minding accents and case, and tells the bytes")
  func search() throws {
    let collation = try TextCollation(locale: "en", strength: .letters)
    let text = "Über das CAFÉ 👍 am See"
    let range = try #require(try collation.range(of: "cafe", in: text))
    #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == "CAFÉ")
    let end = try #require(try collation.range(of: "SEE", in: text))
    #expect(String(decoding: Array(text.utf8)[end], as: UTF8.self) == "See")
    #expect(try collation.range(of: "tee", in: text) == nil)
    #expect(try collation.range(of: "", in: text) == nil)
    #expect(try collation.range(of: "cafe", in: "") == nil)
    let exact = try TextCollation(locale: "en", strength: .letterCase)
    #expect(try exact.range(of: "cafe", in: text) == nil)
  }

  @Test(
    "Folds case and form",
    arguments: [
      ("Straße ﬁ", "strasse fi"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("e\u{301}", "é"), ("", ""),
      ("İ", "i\u{307}"), ("日本", "日本"),
    ])
  func folding(text: String, folded: String) throws {
    #expect(try TextCollation.folded(text).unicodeScalars.elementsEqual(folded.unicodeScalars))
  }
}
