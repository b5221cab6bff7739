// SPDX-License-Identifier: Apache-2.0

/// The limits for mails from outside.
package struct MailLimits: Hashable, Sendable {
  /// The maximum size of a mail, in bytes.
  package var size = 64 << 20
  /// The maximum number of parts, with multiparts.
  package var parts = 1000
  /// The maximum depth of nested parts.
  package var depth = 20
  /// The maximum number of fields in a header.
  package var fields = 2000

  /// Creates the usual limits.
  package init() {}
}

/// A mail as the sequence of its parts that contain no other parts (RFC 5322, RFC 2046).
///
/// ```
/// multipart/mixed
///   multipart/alternative        parts: text/plain, text/calendar, application/ics
///     text/plain
///     text/calendar
///   application/ics
/// ```
///
/// Each line is read once and compared with the boundaries of the open multiparts, so that the work
/// is proportional to the size. A part that ends with the boundary of an outer multipart, or with
/// the mail, is complete.
package struct MailMessage: Sendable {
  /// A part that contains no other parts.
  package struct Part: Sendable {
    /// The header of the part.
    package let header: MailHeader
    /// The header of the message that contains the part: that of the mail, or of a forwarded one.
    package let envelope: MailHeader
    /// The type; `text/plain` if none is declared (RFC 2045 §5.2).
    package let type: ParameterizedField
    fileprivate let content: ArraySlice<UInt8>

    /// The content without the transfer encoding.
    package var body: [UInt8] {
      TransferEncoding.decode(
        content, header.parameterized("content-transfer-encoding")?.word ?? "7bit")
    }

    /// The name of the file, if the part has one.
    package var filename: String? {
      header.parameterized("content-disposition")?.parameters["filename"]
        ?? type.parameters["name"]
    }
  }

  /// The header of the mail.
  package let header: MailHeader
  /// The parts in the order of the mail.
  package let parts: [Part]

  /// Parses a mail.
  ///
  /// - Parameters:
  ///   - bytes: The mail, with any line breaks.
  ///   - limits: The limits.
  /// - Throws: `EpactError` if the mail exceeds a limit.
  package init(parsing bytes: [UInt8], limits: MailLimits = MailLimits()) throws(EpactError) {
    var reader = Reader(bytes: bytes, limits: limits)
    header = try reader.readEntity(in: nil, depth: 0)
    parts = reader.parts
  }

  /// Whether a file is a mail: it begins with a header field or a `From ` line, and not with a
  /// calendar.
  package static func isMail(_ bytes: [UInt8]) -> Bool {
    var start = bytes.prefix(4096)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop(while: \.isBlank)
    let line = start.prefix { $0 != 0x0A && $0 != 0x0D }
    if line.starts(with: "From ".utf8) { return true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let name = line[..<colon]
    return MailHeader.isName(name)
      && String(decoding: name, as: UTF8.self).lowercased() != "begin"
  }
}

extension MailMessage {
  /// The state of parsing.
  private struct Reader {
    /// A line that separates or ends the parts of an open multipart.
    private struct Delimiter {
      /// The number of the multipart, from the outermost one.
      let level: Int
      let isClosing: Bool
    }

    let bytes: [UInt8]
    let limits: MailLimits
    private(set) var parts: [Part] = []
    private var position = 0
    private var count = 0
    /// The boundaries of the open multiparts, the outermost first.
    private var boundaries: [[UInt8]] = []

    init(bytes: [UInt8], limits: MailLimits) {
      self.bytes = bytes
      self.limits = limits
    }

    /// Reads a mail or a part; returns its header.
    mutating func readEntity(
      in envelope: MailHeader?, depth: Int
    ) throws(EpactError) -> MailHeader {
      count += 1
      guard count <= limits.parts else { throw Self.limit("\(limits.parts) parts") }
      guard depth <= limits.depth else { throw Self.limit("\(limits.depth) nested parts") }
      let header = try readHeader()
      let type =
        header.parameterized("content-type")
        ?? ParameterizedField(parsing: Array("text/plain".utf8))
      if type.word.hasPrefix("multipart/"), let boundary = type.parameters["boundary"],
        !boundary.isEmpty
      {
        try readParts(separatedBy: Array(boundary.utf8), in: envelope ?? header, depth: depth)
      } else if type.word == "message/rfc822" {
        _ = try readEntity(in: nil, depth: depth + 1)
      } else {
        parts.append(
          Part(header: header, envelope: envelope ?? header, type: type, content: readBody()))
      }
      return header
    }

    private static func limit(_ what: String) -> EpactError {
      EpactError(.failed, "the mail has more than \(what)")
    }

    private mutating func readParts(
      separatedBy boundary: [UInt8], in envelope: MailHeader, depth: Int
    ) throws(EpactError) {
      let level = boundaries.count
      boundaries.append(boundary)
      _ = readBody()  // the preamble
      while let (delimiter, next) = delimiter(), delimiter.level == level {
        position = next
        guard !delimiter.isClosing else {
          boundaries.removeLast()
          _ = readBody()  // the epilogue
          return
        }
        _ = try readEntity(in: envelope, depth: depth + 1)
      }
      boundaries.removeLast()
    }

    /// Reads a header with the empty line after it; a delimiter ends it, too.
    private mutating func readHeader() throws(EpactError) -> MailHeader {
      var header = MailHeader()
      var isStart = true
      while position < bytes.count, delimiter() == nil {
        let (line, next) = line()
        position = next
        if line.isEmpty {
          if !isStart || count > 1 { break }
          continue  // blank lines before the mail
        }
        isStart = false
        header.add(line)
        guard header.fields.count <= limits.fields else {
          throw Self.limit("\(limits.fields) header fields")
        }
      }
      return header
    }

    /// Reads the lines before the next delimiter; the last line break belongs to the delimiter.
    private mutating func readBody() -> ArraySlice<UInt8> {
      let start = position
      var end = position
      while position < bytes.count, delimiter() == nil {
        let (line, next) = line()
        (end, position) = (line.endIndex, next)
      }
      return bytes[start..<(position < bytes.count ? end : bytes.count)]
    }

    /// The current line without its line break, and the start of the next line.
    private func line() -> (line: ArraySlice<UInt8>, next: Int) {
      guard let feed = bytes[position...].firstIndex(of: 0x0A) else {
        return (bytes[position...], bytes.count)
      }
      // Text mode on Windows writes CR CR LF.
      var end = feed
      while end > position, feed - end < 2, bytes[end - 1] == 0x0D { end -= 1 }
      return (bytes[position..<end], feed + 1)
    }

    /// The delimiter in the current line, and the start of the next line; nil in other lines.
    private func delimiter() -> (Delimiter, next: Int)? {
      guard !boundaries.isEmpty, position + 1 < bytes.count,
        bytes[position] == UInt8(ascii: "-"), bytes[position + 1] == UInt8(ascii: "-")
      else { return nil }
      let (line, next) = line()
      let text = line.dropFirst(2)
      for level in boundaries.indices.reversed() where text.starts(with: boundaries[level]) {
        var rest = text.dropFirst(boundaries[level].count)
        let isClosing = rest.starts(with: "--".utf8)
        if isClosing { rest = rest.dropFirst(2) }
        if rest.allSatisfy(\.isBlank) {
          return (Delimiter(level: level, isClosing: isClosing), next)
        }
      }
      return nil
    }
  }
}
