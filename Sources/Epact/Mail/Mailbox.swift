// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A mailbox: a mail address, and possibly a display name (RFC 5322 §3.4).
public struct Mailbox: Hashable, Sendable, CustomStringConvertible {
  /// The display name; nil if there is none.
  public let name: String?
  /// The address, such as `ada@example.org`.
  public let address: String

  /// Creates a mailbox.
  public init(_ address: String, name: String? = nil) {
    self.address = address
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Creates the mailbox of a calendar user; nil unless the calendar address is a mail address.
  ///
  /// - Parameters:
  ///   - user: The calendar address, such as `mailto:ada@example.org`.
  ///   - name: The display name.
  public init?(_ user: CalendarAddress, name: String?) {
    guard let address = Self.address(of: user) else { return nil }
    self.init(address, name: name)
  }

  /// The name and the address, for people.
  public var description: String { name.map { "\($0) <\(address)>" } ?? address }

  /// The mail address of a calendar user; nil unless it can be written to a header.
  ///
  /// Only printable ASCII without the separators of headers is accepted, so that an address cannot
  /// add recipients or fields.
  package static func address(of user: CalendarAddress) -> String? {
    let text = user.email ?? (user.rawValue.contains(":") ? nil : user.rawValue)
    guard let text else { return nil }
    // A mailto URI may have header fields (RFC 6068 §2).
    let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
    let bytes = PercentEncoding.decode(path)
    let separators = Set("<>()[]\\,;:\" ".utf8)
    let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), bytes.count <= 320,
      bytes.allSatisfy({ 0x21...0x7E ~= $0 && !separators.contains($0) })
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The mailbox in a header field.
  package var headerText: String {
    guard let name else { return address }
    guard EncodedWords.isPlain(name) else { return "\(EncodedWords.encode(name)) <\(address)>" }
    let isAtoms = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    if isAtoms { return "\(name) <\(address)>" }
    let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\" <\(address)>"
  }

  /// Parses the mailboxes of a field such as To; the names of groups are ignored.
  package static func list(parsing value: [UInt8]) -> [Mailbox] {
    var list: [Mailbox] = []
    var phrase: [UInt8] = []
    var angle: [UInt8]?
    var isInAngle = false
    func end() {
      let words = EncodedWords.decode(phrase).split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ")
      let address = angle.map { String(decoding: $0, as: UTF8.self) } ?? text
      if address.contains("@") { list.append(Mailbox(address, name: angle == nil ? nil : text)) }
      (phrase, angle, isInAngle) = ([], nil, false)
    }
    var scanner = StructuredScanner(value)
    while let token = scanner.next() {
      switch token {
      case .special(UInt8(ascii: "<")):
        (angle, isInAngle) = ([], true)
      case .special(UInt8(ascii: ">")): isInAngle = false
      case .special(UInt8(ascii: ",")) where !isInAngle,
        .special(UInt8(ascii: ";")) where !isInAngle:
        end()
      case .special(UInt8(ascii: ":")) where !isInAngle: phrase = []
      case .special(let byte), .quoted(let byte):
        if isInAngle { angle?.append(byte) } else { phrase.append(byte) }
      }
    }
    end()
    return list
  }
}

extension Attendee {
  /// Reads an attendee such as `Ana <ana@example.org>`.
  ///
  /// - Throws: `EpactError` if the text has no mail address.
  package init(parsing text: String) throws(EpactError) {
    let mailboxes = Mailbox.list(parsing: Array(text.utf8))
    let mailbox = mailboxes.count == 1 ? mailboxes[0] : nil
    self.init(try CalendarAddress(parsing: mailbox?.address ?? text), commonName: mailbox?.name)
  }
}

extension CalendarAddress {
  /// Reads a mail address.
  ///
  /// - Throws: `EpactError` if the text is not one.
  package init(parsing text: String) throws(EpactError) {
    guard let address = CalendarAddress(ofUser: text), Mailbox(address, name: nil) != nil else {
      throw EpactError(
        .argument, "expected a mail address such as ana@example.org, found \"\(text)\"")
    }
    self = address
  }
}
