// SPDX-License-Identifier: Apache-2.0

import CXMLReader

/// An XML reader that reads a document element by element, within limits.
///
/// It cannot be copied, because two copies would move the same position in the document.
@safe package struct XMLDocumentReader: ~Copyable {
  /// The limits of a document, which is rejected as a whole if it exceeds them.
  package struct Limits {
    /// The maximum size of the document, in bytes.
    package var size = 64 << 20
    /// The maximum depth of an element; the root has depth 1.
    package var depth = 64
    /// The maximum length of the text directly in one element, in bytes.
    package var text = 16 << 20
    /// The maximum number of elements in a child of the root, including itself.
    package var elements = 20_000
    /// The maximum length of a tag, a comment or a processing instruction, in bytes.
    package var markup = 64 << 10
    /// The maximum number of attributes of an element, including namespace declarations.
    package var attributes = 64
    /// The maximum number of namespace declarations in scope.
    package var namespaces = 256

    /// Creates the default limits.
    package init() {}
  }

  private enum Event {
    case start(XMLName, attribute: String?)
    case end
    case text(String)
    case finished
  }

  private let pointer: OpaquePointer
  private let limits: Limits
  private let document: [UInt8]
  /// The ends of the pieces of the document that are parsed at once, and the next one.
  private let pieces: [Int]
  private var piece = 0
  /// The number of namespace declarations in scope, after each open element begins.
  private var declarations: [Int] = []
  /// The names by number, as a cache: a listing has thousands of elements with few names.
  private var names: [XMLName] = []

  /// Opens a document.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLDocumentError) {
    guard bytes.count <= limits.size else {
      throw XMLDocumentError(line: 1, message: "a document over \(limits.size) bytes")
    }
    guard !bytes.isEmpty else { throw XMLDocumentError(line: 1, message: "an empty document") }
    let scanner = try XMLScanner(XMLEncoding.decode(bytes), limits: limits)
    guard let pointer = unsafe cxml_reader_make() else {
      throw XMLDocumentError(line: 1, message: "a document that does not fit into the memory")
    }
    unsafe self.pointer = pointer
    self.limits = limits
    document = scanner.document
    pieces = scanner.pieces
  }

  deinit {
    unsafe cxml_reader_free(pointer)
  }

  /// Enters the root element and returns its name.
  package mutating func readRoot() throws(XMLDocumentError) -> XMLName {
    guard case .start(let name, _) = try next() else {
      throw failure("a document without an element")
    }
    return name
  }

  /// Reads the next child of the root completely, or returns nil at the end of the document.
  package mutating func readChild() throws(XMLDocumentError) -> XMLElement? {
    while true {
      switch try next() {
      case .start(let name, let attribute):
        var count = 0
        var element = XMLElement(name: name, nameAttribute: attribute)
        try fill(&element, count: &count)
        return element
      case .text: continue
      case .end:
        guard case .finished = try next() else { throw failure("content after the document") }
        return nil
      case .finished: throw failure("a truncated document")
      }
    }
  }

  /// Reads the contents of an open element; the depth limit bounds the recursion.
  ///
  /// It fills the element in place, because returning elements would copy them with all their
  /// references.
  private mutating func fill(
    _ element: inout XMLElement, count: inout Int
  ) throws(XMLDocumentError) {
    count += 1
    guard count <= limits.elements else {
      throw failure("more than \(limits.elements) elements in one")
    }
    while true {
      switch try next() {
      case .start(let name, let attribute):
        element.children.append(XMLElement(name: name, nameAttribute: attribute))
        try fill(&element.children[element.children.count - 1], count: &count)
      case .text(let text):
        // Nearly all elements have a single text.
        if element.text.isEmpty { element.text = text } else { element.text += text }
        guard element.text.utf8.count <= limits.text else {
          throw failure("a text over \(limits.text) bytes")
        }
      case .end: return
      case .finished: throw failure("a truncated document")
      }
    }
  }

  private mutating func next() throws(XMLDocumentError) -> Event {
    while true {
      switch unsafe cxml_reader_next(pointer) {
      case .start: return try begin()
      case .end:
        declarations.removeLast()
        return .end
      case .text:
        var count = 0
        let text = unsafe cxml_reader_text(pointer, &count)
        return unsafe .text(Self.string(text, count: count))
      case .empty: try feed()
      case .finished: return .finished
      case .documentType: throw failure("a document type, which is not allowed")
      case .names: throw failure("too many different names")
      case .malformed: throw failure("XML that is not well-formed")
      }
    }
  }

  /// Passes the next piece of the document to the parser.
  private mutating func feed() throws(XMLDocumentError) {
    guard piece < pieces.count else { throw failure("a truncated document") }
    guard !Task.isCancelled else { throw failure("the response was not read completely") }
    let start = piece == 0 ? 0 : pieces[piece - 1]
    let end = pieces[piece]
    piece += 1
    let isLast = piece == pieces.count
    unsafe document.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe cxml_reader_feed(pointer, base + start, end - start, isLast)
    }
  }

  /// Enters the element that begins.
  private mutating func begin() throws(XMLDocumentError) -> Event {
    let declared = unsafe Int(cxml_reader_declarations(pointer))
    declarations.append((declarations.last ?? 0) + declared)
    guard declarations.count <= limits.depth else {
      throw failure("elements nested deeper than \(limits.depth)")
    }
    guard declarations[declarations.count - 1] <= limits.namespaces else {
      throw failure("more than \(limits.namespaces) namespaces")
    }
    var count = 0
    let attribute = unsafe cxml_reader_name_attribute(pointer, &count).map { value in
      unsafe Self.string(value, count: count)
    }
    return .start(name(), attribute: attribute)
  }

  private static func string(_ text: UnsafePointer<CChar>?, count: Int) -> String {
    let buffer = unsafe UnsafeRawBufferPointer(start: text, count: count)
    return unsafe String(decoding: buffer, as: UTF8.self)
  }

  /// The name of the open element.
  private mutating func name() -> XMLName {
    let number = unsafe Int(cxml_reader_name_number(pointer))
    if names.indices.contains(number) { return names[number] }
    let name = unsafe XMLName(
      namespace: XMLName.shared(String(cString: cxml_reader_namespace(pointer))),
      local: String(cString: cxml_reader_local_name(pointer)))
    if number == names.count { names.append(name) }
    return name
  }

  private func failure(_ message: String) -> XMLDocumentError {
    unsafe XMLDocumentError(line: Int(cxml_reader_line(pointer)), message: message)
  }
}

/// The reason why a body is not a valid document; no part of it is used.
package struct XMLDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line where reading stopped, from 1.
  package let line: Int
  /// The message for display.
  package let message: String

  /// The line and the message.
  package var description: String { "line \(line): \(message)" }
}
