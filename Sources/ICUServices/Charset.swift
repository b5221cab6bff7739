// SPDX-License-Identifier: Apache-2.0

/// The character set of some bytes, and how it was found.
public struct Charset: Hashable, Sendable {
  /// How a character set was found, the surest way first.
  public enum Evidence: Hashable, Sendable {
    /// The bytes start with a byte order mark of so many bytes, which is no part of the text.
    case byteOrderMark(count: Int)
    /// The bytes are valid UTF-8.
    case validUTF8
    /// The bytes are valid in the character set that whoever sent them named.
    case declared
    /// The bytes look like it, with a confidence from 0 through 100.
    case detected(confidence: Int)
    /// Nothing was found out; in windows-1252 any bytes are valid.
    case fallback
  }

  /// The name of the character set, such as `UTF-8`.
  public let name: String
  /// How it was found.
  public let evidence: Evidence

  /// Whether the bytes can be read as they are, but for a byte order mark.
  public var isUTF8: Bool { name == "UTF-8" }

  /// Finds the character set of a text.
  ///
  /// The order is: a byte order mark, ASCII letters with zeros beside them, as UTF-16 begins a text,
  /// valid UTF-8, the declared character set if the bytes are valid in it, what ICU takes them for,
  /// and windows-1252. Bytes with a NUL or an ESC, which UTF-8 calendars never have and the Japanese and
  /// Korean escape codes always do, are not taken for UTF-8 before those were asked. Where ICU takes for
  /// Western what makes little sense as such, the East Asian character sets are tried, since a short
  /// text is too little for ICU.
  ///
  /// - Parameters:
  ///   - bytes: The text, or its start.
  ///   - declared: What the sender named, such as the `charset` of a Content-Type; nil for nothing.
  ///   - isPrefix: Whether more bytes follow, so that the last character may be cut.
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

  /// How many bytes are looked at to guess a character set; more make it no surer.
  private static let sampleSize = 1 << 16
  /// Below this confidence a guess is worth less than windows-1252.
  private static let leastConfidence = 20

  /// From this confidence on, ICU's guess that words are Russian is right.
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

  /// The form of Unicode in which a text begins with two ASCII letters, as every calendar does; nil if
  /// it begins otherwise.
  ///
  /// - Parameter bytes: The start of a text, without a byte order mark.
  /// - Returns: Its name, such as `UTF-16LE`.
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

  /// The usual name of a character set in which the bytes are valid, or nil if they are not.
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
      // Only the error counts; the text is thrown away piece by piece, so that it stays small.
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
    // What calls itself ISO-8859-1 is windows-1252 wherever they differ.
    let name = guess.name == "ISO-8859-1" ? "windows-1252" : guess.name
    if name == "windows-1252", let other = unlikeWestern(sample),
      let valid = validName(other.name, for: bytes, isPrefix: isPrefix)
    {
      return (valid, other.confidence)
    }
    guard let valid = validName(name, for: bytes, isPrefix: isPrefix) else { return nil }
    return (valid, guess.confidence)
  }

  /// What a text may be that makes little sense in windows-1252; nil if it makes some, or nothing fits.
  private static func unlikeWestern(_ sample: [UInt8]) -> (name: String, confidence: Int)? {
    let guess = EastAsianGuess(sample)
    guard guess.isUnlikelyWestern else { return nil }
    // Of the words alone, without the names of properties around them, ICU knows Russian by little.
    if let words = ICUCalls.detectCharset(guess.words),
      ["KOI8-R", "windows-1251"].contains(words.name), words.confidence >= surelyRussian
    {
      return words
    }
    return guess.best
  }

  /// Whether a name can be one of a character set, and neither a path nor a list of options of ICU's.
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
