// SPDX-License-Identifier: Apache-2.0

/// Distinguishes short East Asian texts from Western ones.
///
/// ICU's statistics need about a page of text. For a dozen Japanese characters in Shift_JIS, ICU
/// detects windows-1252, in which any bytes are valid. Two properties make that unlikely: accented
/// letters are seldom adjacent, and most codes from 80 through 9F are not letters. In such cases
/// this type tries the double-byte character sets and measures the share of characters that are
/// common in any text.
struct EastAsianGuess {
  /// A double-byte character set, with the byte ranges of its characters.
  private struct Candidate: Sendable {
    let name: String
    /// The lead bytes of two-byte characters.
    let leads: [ClosedRange<UInt8>]
    /// The trail bytes.
    let trails: [ClosedRange<UInt8>]
    /// The lead bytes of the characters that make up most of any text.
    let common: [ClosedRange<UInt8>]
    /// The lead bytes of Japanese kana, without which a text does not count as Japanese.
    let kana: [ClosedRange<UInt8>]
  }

  /// The candidates; of two that match equally well, the first is more reliable.
  private static let candidates: [Candidate] = [
    Candidate(
      name: "Shift_JIS", leads: [0x81...0x9F, 0xE0...0xFC], trails: [0x40...0x7E, 0x80...0xFC],
      common: [0x81...0x83, 0x88...0x98], kana: [0x82...0x83]),
    Candidate(
      name: "EUC-JP", leads: [0xA1...0xFE], trails: [0xA1...0xFE],
      common: [0xA1...0xA1, 0xA4...0xA5, 0xB0...0xCF], kana: [0xA4...0xA5]),
    Candidate(
      name: "EUC-KR", leads: [0xA1...0xFE], trails: [0xA1...0xFE],
      common: [0xA1...0xA1, 0xB0...0xC8], kana: []),
    Candidate(
      name: "GB18030", leads: [0x81...0xFE], trails: [0x40...0x7E, 0x80...0xFE],
      common: [0xA1...0xA1, 0xA3...0xA3, 0xB0...0xD7], kana: []),
    Candidate(
      name: "Big5", leads: [0xA1...0xF9], trails: [0x40...0x7E, 0xA1...0xFE],
      common: [0xA1...0xA1, 0xA4...0xC6], kana: []),
  ]

  /// The minimum share of common characters, in percent.
  private static let leastShare = 80
  /// The minimum number of characters for a guess.
  private static let leastCount = 3
  /// The confidence of a perfect match; other character sets may match too.
  private static let confidence = 60

  private let bytes: [UInt8]

  /// Creates a guess from the start of a text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether the bytes are unlikely as Western text in windows-1252.
  ///
  /// At least half of the non-ASCII bytes must be odd: a letter next to another one, or a code that
  /// is neither a letter nor common punctuation.
  var isUnlikelyWestern: Bool {
    var count = 0
    var odd = 0
    for (index, byte) in bytes.enumerated() where byte >= 0x80 {
      count += 1
      let isBeside =
        index > 0 && Self.countsAsLetter(bytes[index - 1])
        || index + 1 < bytes.count && Self.countsAsLetter(bytes[index + 1])
      let isLetter = Self.countsAsLetter(byte)
      let isUsual = byte >= 0xA0 || !isLetter || Self.lateLetters.contains(byte)
      if isLetter && isBeside || !isUsual { odd += 1 }
    }
    return count > 0 && odd * 2 >= count
  }

  /// The euro sign, the ellipsis, quotes, the bullet, dashes and the trade mark of windows-1252.
  private static let punctuation: Set<UInt8> = [
    0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99,
  ]
  /// The letters of windows-1252 below A0.
  private static let lateLetters: Set<UInt8> = [0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F]

  /// Whether a byte is neither ASCII nor punctuation that is common next to letters.
  private static func countsAsLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 && !punctuation.contains(byte)
  }

  /// The non-ASCII words, separated by spaces.
  var words: [UInt8] {
    var words: [UInt8] = []
    for byte in bytes {
      if byte >= 0x80 {
        words.append(byte)
      } else if words.last.map({ $0 != 0x20 }) ?? false {
        words.append(0x20)
      }
    }
    return words
  }

  /// The best matching character set, or nil if none matches.
  var best: (name: String, confidence: Int)? {
    var best: (name: String, share: Int)?
    for candidate in Self.candidates {
      guard let share = share(of: candidate), share >= Self.leastShare,
        share > best?.share ?? 0
      else { continue }
      best = (candidate.name, share)
    }
    return best.map { ($0.name, $0.share * Self.confidence / 100) }
  }

  /// The share of common characters in percent, or nil if the text is not valid in this set.
  private func share(of candidate: Candidate) -> Int? {
    var count = 0
    var common = 0
    var kana = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte >= 0x80 else { continue }
      count += 1
      guard candidate.leads.contains(where: { $0.contains(byte) }) else {
        // Single bytes above ASCII are halfwidth katakana, which only Shift_JIS has.
        guard candidate.name == "Shift_JIS", 0xA1...0xDF ~= byte else { return nil }
        continue
      }
      // A prefix may end inside a character.
      guard index < bytes.count else { break }
      guard candidate.trails.contains(where: { $0.contains(bytes[index]) }) else { return nil }
      index += 1
      if candidate.common.contains(where: { $0.contains(byte) }) { common += 1 }
      if candidate.kana.contains(where: { $0.contains(byte) }) { kana += 1 }
    }
    guard count >= Self.leastCount else { return nil }
    // The lead bytes distinguish Shift_JIS; the other sets share theirs, so kana identify EUC-JP.
    if candidate.name == "EUC-JP", kana * 8 < count { return nil }
    return common * 100 / count
  }
}
