// SPDX-License-Identifier: Apache-2.0

import ICUServices

/// A text for comparisons without regard to case and form, and for searches also without regard to
/// accents.
struct FoldedText: Hashable, Sendable {
  /// The text as it was written.
  let text: String
  /// The UTF-8 bytes of the folded text.
  let folded: [UInt8]

  /// Folds a text by Unicode's NFKC_Casefold.
  init(_ text: String) {
    self.text = text
    folded = Self.folded(text)
  }

  /// Whether a text is equal without regard to case.
  func equals(_ other: String) -> Bool { folded == Self.folded(other) }

  /// Whether a text contains this one without regard to case and accents: "muller" is in "Müller".
  func isContained(in other: String) -> Bool {
    let bytes = Self.folded(other)
    if isContained(in: bytes) { return true }
    // Only a text beyond ASCII has accents.
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) || !other.utf8.allSatisfy({ $0 < 0x80 }),
      let collation = try? TextCollation(locale: "", strength: .letters)
    else { return false }
    return (try? collation.range(of: text, in: other)) != nil
  }

  private func isContained(in bytes: [UInt8]) -> Bool {
    guard folded.count <= bytes.count else { return false }
    guard let first = folded.first else { return true }
    let last = bytes.count - folded.count
    return (0...last).contains { start in
      bytes[start] == first && bytes[start..<start + folded.count].elementsEqual(folded)
    }
  }

  private static func folded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    // For ASCII, only the case of letters differs.
    var isASCII = true
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes[index] |= 0x20
      case 0x80...: isASCII = false
      default: break
      }
    }
    if isASCII { return bytes }
    return dotless(Array(((try? TextCollation.folded(text)) ?? text.lowercased()).utf8))
  }

  /// The folded text with one letter i.
  ///
  /// İ and I are the capitals of i and ı in Turkish and Azeri, and folding is the same for all
  /// languages: it makes "i" and a dot of İ, and leaves ı.
  private static func dotless(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 == 0xC4 || $0 == 0xCC }) else { return bytes }
    return Array(
      String(decoding: bytes, as: UTF8.self).unicodeScalars
        .reduce(into: String.UnicodeScalarView()) { result, scalar in
          if scalar == "\u{131}" {
            result.append("i")
          } else if scalar != "\u{307}" || result.last != "i" {
            result.append(scalar)
          }
        }.reduce(into: "") { $0.unicodeScalars.append($1) }.utf8)
  }
}
