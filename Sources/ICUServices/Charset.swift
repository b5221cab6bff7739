// SPDX-License-Identifier: Apache-2.0

/// The character set of a text, and the evidence for it.
public struct Charset: Hashable, Sendable {
  /// The evidence for a character set, most reliable first.
  public enum Evidence: Hashable, Sendable {
    /// The text starts with a byte order mark of `count` bytes, which is not part of the text.
    case byteOrderMark(count: Int)
    /// The bytes are valid UTF-8.
    case validUTF8
    /// The bytes are valid in the character set that the sender declared.
    case declared
    /// The bytes match its statistics, with a confidence from 0 through 100.
    case detected(confidence: Int)
    /// Nothing was detected; windows-1252 accepts any bytes.
    case fallback
  }

  /// The name of the character set, such as `UTF-8`.
  public let name: String
  /// The evidence for the character set.
  public let evidence: Evidence

  /// Whether the bytes are UTF-8, apart from a byte order mark.
  public var isUTF8: Bool { name == "UTF-8" }

  /// Detects the character set of a text.
  ///
  /// The checks, in order, are:
  /// 1. a byte order mark
  /// 2. ASCII letters with zero bytes, as UTF-16 or UTF-32 starts a text
  /// 3. valid UTF-8
  /// 4. the declared character set, if the bytes are valid in it
  /// 5. the detection by ICU
  /// 6. windows-1252
  ///
  /// Bytes with a NUL or ESC count as UTF-8 only after the declared and the detected character set:
  /// UTF-8 calendars never contain these, whereas the Japanese and Korean escape encodings do. If
  /// ICU detects a Western text that is unlikely, the East Asian character sets are tried, because
  /// ICU's statistics need more than a short text.
  ///
  /// - Parameters:
  ///   - bytes: The text, or its start.
  ///   - declared: The declared name, such as the `charset` of a Content-Type; nil for none.
  ///   - isPrefix: Whether more bytes follow, so that the last character may be truncated.
  public init(of bytes: Span<UInt8>, declared: String? = nil, isPrefix: Bool = false) {
    if let (name, count) = Charset.byteOrderMark(of: bytes) {
      self.init(name: name, evidence: .byteOrderMark(count: count))
      return
    }
    if let name = Charset.wideName(of: bytes) {
      self.init(name: name, evidence: .detected(confidence: 100))
      return
    }
    let isUTF8 = Charset.isValidUTF8(bytes, isPrefix: isPrefix)
    if isUTF8, !Charset.hasNULOrESC(bytes) {
      self.init(name: "UTF-8", evidence: .validUTF8)
    } else if let declared, let name = Charset.validName(declared, for: bytes, isPrefix: isPrefix) {
      self.init(name: name, evidence: .declared)
    } else if let (name, confidence) = Charset.detected(bytes, isPrefix: isPrefix) {
      self.init(name: name, evidence: .detected(confidence: confidence))
    } else {
      self =
        isUTF8
        ? Charset(name: "UTF-8", evidence: .validUTF8)
        : Charset(name: "windows-1252", evidence: .fallback)
    }
  }

  private init(name: String, evidence: Evidence) {
    self.name = name
    self.evidence = evidence
  }

  /// The number of bytes used for detection; more do not improve it.
  private static let sampleSize = 1 << 16
  /// The minimum confidence; below it, windows-1252 is a better guess.
  private static let leastConfidence = 20

  /// The confidence from which ICU's detection of Russian words is reliable.
  private static let surelyRussian = 60

  private static func byteOrderMark(of bytes: Span<UInt8>) -> (name: String, count: Int)? {
    let marks: [(name: String, bytes: [UInt8])] = [
      ("UTF-8", [0xEF, 0xBB, 0xBF]), ("UTF-32LE", [0xFF, 0xFE, 0, 0]),
      ("UTF-32BE", [0, 0, 0xFE, 0xFF]), ("UTF-16LE", [0xFF, 0xFE]), ("UTF-16BE", [0xFE, 0xFF]),
    ]
    for mark in marks where mark.bytes.count <= bytes.count {
      if mark.bytes.indices.allSatisfy({ bytes[$0] == mark.bytes[$0] }) {
        return (mark.name, mark.bytes.count)
      }
    }
    return nil
  }

  /// Detects UTF-16 or UTF-32 by the ASCII letters with which every calendar begins.
  ///
  /// - Parameter bytes: The start of a text, without a byte order mark.
  /// - Returns: The name, such as `UTF-16LE`, or nil for other texts.
  public static func wideName(of bytes: Span<UInt8>) -> String? {
    guard bytes.count >= 8 else { return nil }
    let zeros = (0..<8).map { bytes[$0] == 0 }
    return switch zeros {
    case [false, true, false, true, false, true, false, true]: "UTF-16LE"
    case [true, false, true, false, true, false, true, false]: "UTF-16BE"
    case [false, true, true, true, false, true, true, true]: "UTF-32LE"
    case [true, true, true, false, true, true, true, false]: "UTF-32BE"
    default: nil
    }
  }

  private static func hasNULOrESC(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] == 0 || bytes[index] == 0x1B { return true }
    return false
  }

  /// The canonical name of a character set, or nil if the bytes are not valid in it.
  private static func validName(
    _ name: String, for bytes: Span<UInt8>, isPrefix: Bool
  ) -> String? {
    guard let converter = try? CharsetConverter(from: name) else { return nil }
    let charset = converter.charset
    return isValid(bytes, as: charset, isPrefix: isPrefix) ? charset : nil
  }

  private static func isValidUTF8(_ bytes: Span<UInt8>, isPrefix: Bool) -> Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes)
      return true
    } catch {
      return isPrefix && error.kind == .truncatedScalar
        && error.byteOffsets.upperBound == bytes.count
    }
  }

  private static func isValid(_ bytes: Span<UInt8>, as charset: String, isPrefix: Bool) -> Bool {
    do {
      var converter = try CharsetConverter(from: charset)
      // Only errors matter; the output is discarded piece by piece to save memory.
      var output: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: sampleSize) {
        let piece = bytes.extracting(start..<min(start + sampleSize, bytes.count))
        try converter.convert(piece, into: &output)
        output.removeAll(keepingCapacity: true)
      }
      if !isPrefix { try converter.finish(into: &output) }
      return true
    } catch {
      return false
    }
  }

  private static func detected(
    _ bytes: Span<UInt8>, isPrefix: Bool
  ) -> (name: String, confidence: Int)? {
    var sample: [UInt8] = []
    for index in 0..<min(bytes.count, sampleSize) { sample.append(bytes[index]) }
    guard let guess = ICUCalls.detectCharset(sample), guess.confidence >= leastConfidence else {
      return nil
    }
    // Texts labeled ISO-8859-1 are windows-1252 wherever the two differ.
    let name = guess.name == "ISO-8859-1" ? "windows-1252" : guess.name
    if name == "windows-1252", let other = unlikeWestern(sample),
      let valid = validName(other.name, for: bytes, isPrefix: isPrefix)
    {
      return (valid, other.confidence)
    }
    guard let valid = validName(name, for: bytes, isPrefix: isPrefix) else { return nil }
    return (valid, guess.confidence)
  }

  /// An East Asian or Russian character set for a text that is unlikely in windows-1252, or nil.
  private static func unlikeWestern(_ sample: [UInt8]) -> (name: String, confidence: Int)? {
    let guess = EastAsianGuess(sample)
    guard guess.isUnlikelyWestern else { return nil }
    // For the words alone, without the ASCII property names, ICU detects Russian from few words.
    if let words = ICUCalls.detectCharset(guess.words),
      ["KOI8-R", "windows-1251"].contains(words.name), words.confidence >= surelyRussian
    {
      return words
    }
    return guess.best
  }

  /// Whether a name is a plausible character set name instead of a path or ICU options.
  static func isPlainName(_ name: String) -> Bool {
    1...40 ~= name.utf8.count
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: false
        }
      }
  }
}
