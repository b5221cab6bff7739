// SPDX-License-Identifier: Apache-2.0

/// Tells short East Asian texts from Western ones, which ICU's statistics take a page of text to do.
///
/// ICU says that a dozen Japanese characters in Shift_JIS are windows-1252, in which any bytes are valid.
/// Two things speak against that: letters with accents seldom stand side by side, and most of the
/// codes from 80 through 9F are not for letters at all. Where they do, the double-byte character sets
/// are tried: how many of the characters, read that way, are among those that every text consists of?
struct EastAsianGuess {
  /// A double-byte character set: what its characters begin and end with.
  private struct Candidate: Sendable {
    let name: String
    /// The first bytes of characters of two bytes.
    let leads: [ClosedRange<UInt8>]
    /// The second bytes.
    let trails: [ClosedRange<UInt8>]
    /// The first bytes of the characters that make up most of any text.
    let common: [ClosedRange<UInt8>]
    /// The first bytes of the syllables of Japanese, without which a text is not taken for it.
    let kana: [ClosedRange<UInt8>]
  }

  /// The surer one stands first where two fit equally well.
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

  /// How much of a text has to be common characters, in percent.
  private static let leastShare = 80
  /// How many characters a guess takes at least.
  private static let leastCount = 3
  /// The confidence of a guess that nothing speaks against; there may be others.
  private static let confidence = 60

  private let bytes: [UInt8]

  /// Looks at the start of a text.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether the bytes make no sense as a Western text in windows-1252.
  ///
  /// Half of what is not ASCII has to be odd: a letter beside another one, or a code that stands for no
  /// letter and no usual punctuation.
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
  /// The letters that windows-1252 has below A0.
  private static let lateLetters: Set<UInt8> = [0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F]

  /// Whether a byte is neither ASCII nor punctuation that stands beside letters in any text.
  private static func countsAsLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 && !punctuation.contains(byte)
  }

  /// The words that are not ASCII, separated by spaces.
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

  /// The character set that fits best, or nil if none does.
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

  /// How much of the text is common characters, in percent; nil if it cannot be in this character set.
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
        // Single bytes above ASCII: half-wide letters, which nobody needs any more.
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
    // Shift_JIS is told by its first bytes; the others share theirs, and kana decides between them.
    if candidate.name == "EUC-JP", kana * 8 < count { return nil }
    return common * 100 / count
  }
}
