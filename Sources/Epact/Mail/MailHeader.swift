// SPDX-License-Identifier: Apache-2.0

/// The header of a mail or of a part (RFC 5322 §2.2, RFC 2045 §3).
package struct MailHeader: Hashable, Sendable {
  /// A field: its name in lower case, and its value without folds.
  package struct Field: Hashable, Sendable {
    package let name: String
    package var value: [UInt8]
  }

  /// The maximum length of a value that is interpreted, in bytes.
  private static let valueLimit = 64 * 1024

  package private(set) var fields: [Field] = []

  /// Adds a line: a field, or the continuation of the last one.
  ///
  /// Other lines, such as the `From ` line of a mailbox, are ignored.
  mutating func add(_ line: ArraySlice<UInt8>) {
    if let first = line.first, first.isBlank {
      guard let last = fields.indices.last else { return }
      fields[last].value.append(0x20)
      fields[last].value += line.drop(while: \.isBlank)
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    var name = line[..<colon]
    while let last = name.last, last.isBlank { name.removeLast() }
    guard Self.isName(name) else { return }
    let value = line[(colon + 1)...].drop(while: \.isBlank)
    fields.append(
      Field(name: String(decoding: name, as: UTF8.self).lowercased(), value: Array(value)))
  }

  /// Whether some bytes can be the name of a field (RFC 5322 §2.2).
  static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
  }

  /// The values of all fields with a name in lower case.
  package func values(_ name: String) -> [[UInt8]] {
    fields.filter { $0.name == name }.map { Array($0.value.prefix(Self.valueLimit)) }
  }

  /// The value of the first field with a name in lower case, as a text.
  package func text(_ name: String) -> String? {
    values(name).first.map { value in
      String(
        EncodedWords.decode(value).drop(while: \.isWhitespace).reversed()
          .drop(while: \.isWhitespace).reversed())
    }
  }

  /// The first field with a name in lower case, as a word with parameters.
  package func parameterized(_ name: String) -> ParameterizedField? {
    values(name).first.map { ParameterizedField(parsing: $0) }
  }
}

/// A field value with parameters, such as that of Content-Type (RFC 2045 §5.1, RFC 2231).
package struct ParameterizedField: Hashable, Sendable {
  /// The word before the parameters, in lower case: `text/calendar`, `attachment`.
  package let word: String
  /// The parameters by their names in lower case.
  package private(set) var parameters: [String: String] = [:]

  /// A section of a parameter value (RFC 2231 §3, §4).
  private struct Section {
    let number: Int
    /// Whether the value is percent-encoded, and begins with the charset in the first section.
    let isEncoded: Bool
    let value: ArraySlice<UInt8>
  }

  /// Parses a value; comments are ignored.
  package init(parsing value: [UInt8]) {
    let pieces = Self.pieces(of: value)
    word = String(decoding: pieces.first ?? [], as: UTF8.self).lowercased()
    var sections: [String: [Section]] = [:]
    for piece in pieces.dropFirst() {
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let parts = piece[..<equals]
        .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      guard let first = parts.first, !first.isEmpty else { continue }
      let name = String(decoding: first, as: UTF8.self).lowercased()
      let number = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : nil
      sections[name, default: []].append(
        Section(
          number: number ?? 0, isEncoded: parts.count > 1 && parts.last?.isEmpty == true,
          value: piece[(equals + 1)...]))
    }
    for (name, found) in sections { parameters[name] = Self.text(of: found) }
  }

  private static func text(of sections: [Section]) -> String {
    guard sections.contains(where: \.isEncoded) || sections.count > 1 else {
      // RFC 2047 §5 forbids encoded words here, and many programs write them.
      return EncodedWords.decode(Array(sections.first?.value ?? []))
    }
    var charset: String?
    var bytes: [UInt8] = []
    for section in sections.sorted(by: { $0.number < $1.number }) {
      guard section.isEncoded else {
        bytes += section.value
        continue
      }
      var value = section.value
      if charset == nil, section.number == 0 {
        let parts = value.split(
          separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3 {
          charset = String(decoding: parts[0], as: UTF8.self)
          value = parts[2]
        }
      }
      bytes += PercentEncoding.decode(value)
    }
    return MailCharset.string(bytes, declared: charset)
  }

  /// Splits a value at semicolons, without quotes, comments, and white space around words.
  ///
  /// White space in quotes is kept.
  private static func pieces(of value: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var piece: [UInt8] = []
    var blanks = 0
    var isAtStart = true
    func add(_ byte: UInt8) {
      if !isAtStart { piece += Array(repeating: 0x20, count: blanks) }
      piece.append(byte)
      (blanks, isAtStart) = (0, false)
    }
    var scanner = StructuredScanner(value)
    while let token = scanner.next() {
      switch token {
      case .special(UInt8(ascii: ";")):
        pieces.append(piece)
        (piece, blanks, isAtStart) = ([], 0, true)
      case .special(UInt8(ascii: "=")):
        blanks = 0
        add(UInt8(ascii: "="))
        isAtStart = true
      case .special(let byte) where byte.isBlank: blanks += 1
      case .special(let byte), .quoted(let byte): add(byte)
      }
    }
    return pieces + [piece]
  }
}

/// The percent-encoding of URIs and parameters (RFC 3986 §2.1, RFC 2231 §4).
enum PercentEncoding {
  /// Decodes `%XX`; other percent signs are kept.
  static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      result.append(byte)
      guard result.count >= 3, result[result.count - 3] == UInt8(ascii: "%"),
        let high = digit(result[result.count - 2]), let low = digit(byte)
      else { continue }
      result.removeLast(3)
      result.append(high << 4 | low)
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

/// Reads a structured value byte by byte: quotes are resolved, and comments are skipped
/// (RFC 5322 §3.2).
struct StructuredScanner {
  /// A byte of the value.
  enum Token {
    /// A byte outside of quotes, which may be a separator.
    case special(UInt8)
    /// A byte of a quoted string.
    case quoted(UInt8)
  }

  private let value: [UInt8]
  private var index = 0
  private var isQuoted = false
  private var depth = 0

  init(_ value: [UInt8]) {
    self.value = value
  }

  /// The next byte; nil at the end.
  mutating func next() -> Token? {
    while index < value.count {
      let byte = value[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\") where (isQuoted || depth > 0) && index < value.count:
        index += 1
        if isQuoted { return .quoted(value[index - 1]) }
      case UInt8(ascii: "\"") where depth == 0: isQuoted.toggle()
      case UInt8(ascii: "(") where !isQuoted: depth += 1
      case UInt8(ascii: ")") where !isQuoted && depth > 0: depth -= 1
      default:
        if isQuoted { return .quoted(byte) }
        if depth == 0 { return .special(byte) }
      }
    }
    return nil
  }
}
