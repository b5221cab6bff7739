// SPDX-License-Identifier: Apache-2.0

import ICUServices

/// A word, a number or a sign of a date phrase.
struct PhraseToken: Hashable, Sendable {
  /// The kind of a token with its value.
  enum Kind: Hashable, Sendable {
    /// A number of decimal digits; its value is `nil` if it has more than nine.
    case number(Int?)
    /// A word without differences of case, and without the full stop of an abbreviation.
    case word(String)
    /// A sign, or two full stops.
    case sign(String)
  }

  let kind: Kind
  /// The bytes of the token in the text.
  let range: Range<Int>
  /// Whether white space precedes the token, or it is the first one.
  let isSpaced: Bool
  /// The number of characters, which is that of digits for a number.
  let length: Int

  /// The number of the token; nil if it is no number.
  var number: Int? { if case .number(let value) = kind { value } else { nil } }

  /// The word of the token; nil if it is no word.
  var word: String? { if case .word(let word) = kind { word } else { nil } }

  /// Whether the token is this sign.
  func isSign(_ sign: String) -> Bool { kind == .sign(sign) }
}

/// Splits the text of a date phrase into tokens.
struct PhraseScanner {
  private let text: String
  private var index: String.Index
  private var offset = 0
  private var tokens: [PhraseToken] = []

  private init(_ text: String) {
    self.text = text
    index = text.startIndex
  }

  /// The tokens of a text, in linear time.
  static func tokens(of text: String) -> [PhraseToken] {
    var scanner = PhraseScanner(text)
    var isSpaced = true
    while let character = scanner.peek {
      let start = (scanner.offset, scanner.index)
      if character.isWhitespace || isFormat(character) {
        scanner.advance()
        isSpaced = isSpaced || character.isWhitespace
        continue
      }
      let kind = scanner.kind(from: character)
      scanner.tokens.append(
        PhraseToken(
          kind: kind, range: start.0..<scanner.offset, isSpaced: isSpaced,
          length: text.distance(from: start.1, to: scanner.index)))
      isSpaced = false
    }
    return scanner.tokens
  }

  private var peek: Character? { index < text.endIndex ? text[index] : nil }

  private mutating func advance() {
    offset += text[index].utf8.count
    index = text.index(after: index)
  }

  private mutating func take(while isPart: (Character) -> Bool) -> String {
    var taken = ""
    while let character = peek, isPart(character) {
      taken.append(character)
      advance()
    }
    return taken
  }

  private mutating func kind(from character: Character) -> PhraseToken.Kind {
    if Self.isDigit(character) {
      let digits = take(while: Self.isDigit)
      return .number(digits.count > 9 ? nil : Int(Self.withASCIIDigits(digits)))
    }
    if Self.isLetter(character) {
      let word = take { Self.isLetter($0) || Self.isApostrophe($0) }
      dropAbbreviationPoint()
      return .word(Self.folded(word))
    }
    if character == "." { return points() }
    advance()
    switch character {
    case "…": return .sign("..")
    case "–", "—", "−", "‐", "‑", "~", "〜", "～": return .sign("-")
    case "’", "‘": return .sign("'")
    case "：": return .sign(":")
    case "，", "、", "،": return .sign(",")
    case "／": return .sign("/")
    default: return .sign(String(character))
    }
  }

  /// Skips the full stop after a word, but not the two of a range.
  private mutating func dropAbbreviationPoint() {
    guard peek == "." else { return }
    let next = text.index(after: index)
    if next < text.endIndex, text[next] == "." {
      // "fri...sun" has an abbreviation before the range.
      let third = text.index(after: next)
      guard third < text.endIndex, text[third] == "." else { return }
    }
    advance()
  }

  /// A full stop, or two of them; a third one in front belongs to the number before.
  private mutating func points() -> PhraseToken.Kind {
    let rest = text[index...].prefix(4).prefix { $0 == "." }.count
    advance()
    guard rest == 2 else { return .sign(".") }
    advance()
    return .sign("..")
  }

  /// Whether the character is a decimal digit of any script.
  private static func isDigit(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.numericType == .decimal
  }

  /// The text with the digits of all scripts as ASCII digits.
  static func withASCIIDigits(_ text: String) -> String {
    String(
      text.map { character in
        guard isDigit(character), let value = character.wholeNumberValue else { return character }
        return Character("\(value)")
      })
  }

  /// Whether the character only directs the layout, such as the isolates around a date.
  private static func isFormat(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
  }

  private static func isLetter(_ character: Character) -> Bool { character.isLetter }

  private static func isApostrophe(_ character: Character) -> Bool {
    character == "'" || character == "’"
  }

  /// The word without differences of case and form, with one kind of apostrophe.
  private static func folded(_ word: String) -> String {
    let folded = (try? TextCollation.folded(word)) ?? word.lowercased()
    return folded.contains("’") ? String(folded.map { $0 == "’" ? "'" : $0 }) : folded
  }
}
