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
  private var depth = 0
  /// The names by number, as a cache: a listing has thousands of elements with few names.
  private var names: [XMLName] = []

  /// Opens a document.
  package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(XMLDocumentError) {
    guard bytes.count <= limits.size else {
      throw XMLDocumentError(line: 1, message: "a document over \(limits.size) bytes")
    }
    guard let pointer = unsafe cxml_reader_make(bytes, bytes.count) else {
      throw XMLDocumentError(line: 1, message: "an empty document")
    }
    unsafe self.pointer = pointer
    self.limits = limits
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
    switch unsafe cxml_reader_next(pointer) {
    case .start:
      depth += 1
      guard depth <= limits.depth else {
        throw failure("elements nested deeper than \(limits.depth)")
      }
      let attribute = unsafe cxml_reader_name_attribute(pointer)
      return unsafe .start(name(), attribute: attribute.map { unsafe String(cString: $0) })
    case .end:
      depth -= 1
      return .end
    case .text: return unsafe .text(String(cString: cxml_reader_text(pointer)))
    case .finished:
      guard depth == 0 else { throw failure("a truncated document") }
      return .finished
    case .documentType: throw failure("a document type, which is not allowed")
    case .malformed: throw failure("XML that is not well-formed")
    }
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
