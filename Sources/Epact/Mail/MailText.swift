// SPDX-License-Identifier: Apache-2.0

import ICUServices
import ICalSyntax

/// The charsets of mails.
enum MailCharset {
  /// Converts a text to UTF-8.
  ///
  /// Valid UTF-8 takes precedence over the declared charset, because many programs declare another
  /// charset than they use. Bytes that are valid in no charset are unchanged.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - charset: The declared charset; nil if none is declared.
  /// - Returns: The text in UTF-8 without a byte order mark.
  static func utf8(_ bytes: [UInt8], declared charset: String?) -> [UInt8] {
    let found = Charset(of: bytes.span, declared: charset)
    var text = bytes
    if case .byteOrderMark(let count) = found.evidence { text.removeFirst(count) }
    if found.isUTF8 { return text }
    return (try? CharsetConverter.convert(text.span, from: found.name)) ?? text
  }

  /// Converts a text to a string.
  static func string(_ bytes: [UInt8], declared charset: String? = nil) -> String {
    String(decoding: utf8(bytes, declared: charset), as: UTF8.self)
  }
}

/// The encoded words of header fields (RFC 2047).
package enum EncodedWords {
  /// An encoded word, or adjacent words with the same charset.
  private struct Word {
    let charset: String
    var bytes: [UInt8]
    /// The index after the word.
    let end: Int

    var text: String { MailCharset.string(bytes, declared: charset) }
  }

  /// The maximum length of an encoded word; RFC 2047 §2 allows 75, which some programs exceed.
  private static let wordLimit = 1024
  /// The maximum number of bytes in an encoded word that is written, so that it has 72 characters.
  private static let writtenBytes = 45

  /// Decodes a text; white space between encoded words is omitted (RFC 2047 §6.2).
  ///
  /// A character may be divided between adjacent words, which the RFC forbids and some programs do.
  package static func decode(_ bytes: [UInt8]) -> String {
    var result = ""
    var last: Word?
    var plain: [UInt8] = []
    var index = 0
    func flush() {
      result += last?.text ?? ""
      if !plain.isEmpty { result += MailCharset.string(plain) }
    }
    while index < bytes.count {
      guard let word = word(in: bytes, at: index) else {
        plain.append(bytes[index])
        index += 1
        continue
      }
      index = word.end
      if last != nil, plain.allSatisfy(\.isBlank) { plain = [] }
      if plain.isEmpty, last?.charset == word.charset {
        last?.bytes += word.bytes
      } else {
        flush()
        (last, plain) = (word, [])
      }
    }
    flush()
    return result
  }

  private static func word(in bytes: [UInt8], at start: Int) -> Word? {
    let limit = min(bytes.count, start + wordLimit)
    let question = UInt8(ascii: "?")
    guard start + 6 < limit, bytes[start] == UInt8(ascii: "="), bytes[start + 1] == question,
      let second = bytes[(start + 2)..<limit].firstIndex(of: question), second + 3 < limit,
      bytes[second + 2] == question
    else { return nil }
    var end = second + 3
    while end + 1 < limit, bytes[end] != question || bytes[end + 1] != UInt8(ascii: "=") {
      end += 1
    }
    guard end + 1 < limit else { return nil }
    // The language follows an asterisk (RFC 2231 §5).
    let charset = bytes[(start + 2)..<second].prefix { $0 != UInt8(ascii: "*") }
    let text = Array(bytes[(second + 3)..<end])
    let content: [UInt8]
    switch bytes[second + 1] {
    case UInt8(ascii: "B"), UInt8(ascii: "b"): content = TransferEncoding.base64(text)
    case UInt8(ascii: "Q"), UInt8(ascii: "q"):
      content = QuotedPrintable.decode(text.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 })
    default: return nil
    }
    return Word(
      charset: String(decoding: charset, as: UTF8.self).lowercased(), bytes: content, end: end + 2)
  }

  /// Whether a text can be written without encoding: printable ASCII in words of moderate length.
  package static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains("=?")
      && text.split(separator: " ").allSatisfy { $0.utf8.count <= 70 }
  }

  /// The text as encoded words in UTF-8, separated by spaces.
  ///
  /// No control character of the text is outside of the words, so that it cannot add header fields.
  package static func encode(_ text: String) -> String {
    var words: [String] = []
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      let next = Array(String(scalar).utf8)
      if bytes.count + next.count > writtenBytes {
        words.append("=?utf-8?B?\(Base64.encode(bytes))?=")
        bytes = []
      }
      bytes += next
    }
    if !bytes.isEmpty { words.append("=?utf-8?B?\(Base64.encode(bytes))?=") }
    return words.joined(separator: " ")
  }
}

extension UInt8 {
  /// Whether the byte is a space, a tab or part of a line break.
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
