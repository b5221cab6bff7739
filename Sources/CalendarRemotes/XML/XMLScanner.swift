// SPDX-License-Identifier: Apache-2.0

/// A scanner of markup that rejects what would be expensive to parse, before it is parsed.
///
/// Entities multiply the work of the parser, and the work of libxml2 2.9 grows with the square of
/// some lengths, such as the number of attributes. One pass over the document limits them:
///
/// | markup | rule |
/// |---|---|
/// | `<!DOCTYPE` | rejected |
/// | a tag, a comment, a processing instruction | limited length |
/// | attributes of an element | limited number |
/// | a reference such as `&amp;` | limited length |
/// | a CDATA section | becomes text with references: libxml2 rejects sections over 10 MB |
///
/// It checks nothing else, because the parser rejects a document that is not well-formed. Every `<`
/// outside of comments, processing instructions and CDATA sections has to begin markup (XML 1.0
/// §2.4), so that the scanner and the parser agree on what is markup.
struct XMLScanner {
  /// The usual length of a piece of the document that is parsed at once, in bytes.
  private static let pieceLength = 16 << 10
  /// The maximum length of a reference, in bytes.
  private static let referenceLimit = 64

  private let bytes: [UInt8]
  private let limits: XMLDocumentReader.Limits
  private var place = 0
  /// The start of the bytes that are not in `output` yet, if there is a CDATA section.
  private var copied = 0
  private var output: [UInt8] = []
  /// The start of the current piece, in the document without CDATA sections.
  private var pieceStart = 0

  /// The document, with text instead of CDATA sections.
  private(set) var document: [UInt8] = []
  /// The ends of the pieces of the document that are parsed at once.
  ///
  /// No piece ends within markup, because libxml2 may take it for the end of the document.
  private(set) var pieces: [Int] = []

  /// Scans a document in UTF-8.
  ///
  /// - Throws: `XMLDocumentError` if a limit is exceeded, or if it has a document type.
  init(_ bytes: [UInt8], limits: XMLDocumentReader.Limits) throws(XMLDocumentError) {
    self.bytes = bytes
    self.limits = limits
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<") { try skipMarkup() } else { try skipText() }
      if place < bytes.count { endLongPiece() }
    }
    pieces.append(output.count + place - copied)
    if copied > 0 {
      output += bytes[copied...]
      document = output
    } else {
      document = bytes
    }
  }

  /// Ends a piece at the current place if it is long enough.
  private mutating func endLongPiece() {
    let end = output.count + place - copied
    guard end - pieceStart >= Self.pieceLength else { return }
    pieces.append(end)
    pieceStart = end
  }

  /// Whether a piece may end before a byte of text.
  ///
  /// A character of several bytes and a line break of two are in one piece.
  private static func isBoundary(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 && byte != 0x0A }

  private mutating func skipText() throws(XMLDocumentError) {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "<"): return
      case UInt8(ascii: "&"): try skipReference()
      case 0: throw failure("XML that is not well-formed")
      case let byte:
        if Self.isBoundary(byte) { endLongPiece() }
        place += 1
      }
    }
  }

  private mutating func skipReference() throws(XMLDocumentError) {
    let end = bytes[place...].prefix(Self.referenceLimit).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw failure("XML that is not well-formed") }
    place = end + 1
  }

  /// The starts and ends of markup.
  private enum Mark {
    static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))
    static let section = (start: Array("<![CDATA[".utf8), end: Array("]]>".utf8))
    static let instruction = (start: Array("<?".utf8), end: Array("?>".utf8))
    static let documentType = Array("<!DOCTYPE".utf8)
  }

  private mutating func skipMarkup() throws(XMLDocumentError) {
    guard place + 1 < bytes.count else { throw failure("a truncated document") }
    switch bytes[place + 1] {
    case UInt8(ascii: "?"):
      place = try end(of: Mark.instruction, limit: limits.markup, "a processing instruction")
    case UInt8(ascii: "!"):
      if continues(with: Mark.comment.start) {
        place = try end(of: Mark.comment, limit: limits.markup, "a comment")
      } else if continues(with: Mark.section.start) {
        try takeSection()
      } else if continues(with: Mark.documentType) {
        throw failure("a document type, which is not allowed")
      } else {
        throw failure("XML that is not well-formed")
      }
    default: try skipTag()
    }
  }

  /// Skips a start tag or an end tag.
  private mutating func skipTag() throws(XMLDocumentError) {
    let limit = place + limits.markup
    var attributes = 0
    var quote: UInt8?
    var next = place + 1
    while next < bytes.count {
      guard next < limit else { throw failure("a tag over \(limits.markup) bytes") }
      let byte = bytes[next]
      next += 1
      switch byte {
      case UInt8(ascii: "<"), 0: throw failure("XML that is not well-formed")
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "="):
        attributes += 1
        guard attributes <= limits.attributes else {
          throw failure("more than \(limits.attributes) attributes in one element")
        }
      case UInt8(ascii: ">"):
        place = next
        return
      default: break
      }
    }
    throw failure("a truncated document")
  }

  /// Replaces a CDATA section (XML 1.0 §2.7) by text.
  private mutating func takeSection() throws(XMLDocumentError) {
    output += bytes[copied..<place]
    let start = place + Mark.section.start.count
    let next = try end(of: Mark.section, limit: limits.text, "a text")
    place = next
    copied = next
    for byte in bytes[start..<next - 3] {
      if Self.isBoundary(byte) { endLongPiece() }
      switch byte {
      case 0: throw failure("XML that is not well-formed")
      case UInt8(ascii: "<"): output += "&lt;".utf8
      case UInt8(ascii: ">"): output += "&gt;".utf8
      case UInt8(ascii: "&"): output += "&amp;".utf8
      default: output.append(byte)
      }
    }
  }

  /// The index after markup that starts at the current place, with a limit for its contents.
  private func end(
    of mark: (start: [UInt8], end: [UInt8]), limit: Int, _ name: String
  ) throws(XMLDocumentError) -> Int {
    let start = place + mark.start.count
    let last = mark.end.count - 1
    var next = start + last
    while next < bytes.count {
      if bytes[next] == mark.end[last], bytes[(next - last)...].starts(with: mark.end) {
        return next + 1
      }
      guard next - start - last < limit else { throw failure("\(name) over \(limit) bytes") }
      next += 1
    }
    throw failure("a truncated document")
  }

  private func continues(with mark: [UInt8]) -> Bool { bytes[place...].starts(with: mark) }

  private func failure(_ message: String) -> XMLDocumentError {
    let line = bytes[..<place].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    return XMLDocumentError(line: line, message: message)
  }
}
