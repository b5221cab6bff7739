// SPDX-License-Identifier: Apache-2.0

import CalendarSync

/// The response to a request about many resources (RFC 4918 §13).
///
/// A truncated or invalid document is rejected as a whole. A truncated listing would otherwise look
/// like a calendar with deleted events.
package struct MultiStatus: Hashable, Sendable {
  /// The response for one resource.
  package struct Response: Hashable, Sendable {
    /// The href as it was received.
    package fileprivate(set) var href: String
    /// The status of the whole resource, if the response has one.
    package var status: Int?
    /// The available properties (RFC 4918 §14.22, status 200).
    package var properties = PropertyValues()
    /// The status codes of unavailable properties.
    package var failures: [XMLName: Int] = [:]
    /// The server's description of the result.
    package var description: String?
  }

  /// The maximum number of responses in a document.
  private static let responseLimit = 250_000

  /// The responses in order.
  package private(set) var responses: [Response] = []
  /// The token of a sync report (RFC 6578 §6.2), if the document contains one.
  package private(set) var syncToken: String?

  /// Parses a `DAV:multistatus` document.
  package init(
    parsing body: [UInt8], limits: XMLDocumentReader.Limits = XMLDocumentReader.Limits()
  ) throws(XMLDocumentError) {
    var responses: [Response] = []
    syncToken = try Self.read(body, limits: limits) { responses.append($0) }
    self.responses = responses
  }

  /// Parses a `DAV:multistatus` document and passes the responses to a closure, one by one.
  ///
  /// Responses that the closure does not need are not kept in memory.
  ///
  /// - Parameters:
  ///   - body: The document.
  ///   - limits: The limits of the XML reader.
  ///   - take: Receives each response.
  /// - Returns: The token of a sync report.
  /// - Throws: `XMLDocumentError`; then no response may be used.
  static func read(
    _ body: [UInt8], limits: XMLDocumentReader.Limits = XMLDocumentReader.Limits(),
    _ take: (Response) -> Void
  ) throws(XMLDocumentError) -> String? {
    var syncToken: String?
    var count = 0
    var reader = try XMLDocumentReader(body, limits: limits)
    let root = try reader.readRoot()
    guard root == .dav("multistatus") else {
      throw XMLDocumentError(
        line: 1, message: "expected multistatus, found \(ServerText.escaped(root.local))")
    }
    while let child = try reader.readChild() {
      if child.name == .dav("sync-token") { syncToken = CollectionState.text(child) }
      guard child.name == .dav("response") else { continue }
      let found = responses(of: child)
      // Any other structure would make one item out of two, or no item out of one.
      guard found.count == 1 || found.count > 1 && child[.dav("propstat")] == nil else {
        throw XMLDocumentError(
          line: 1,
          message: "expected one href in a response, found \(found.count) (RFC 4918 §14.24)")
      }
      found.forEach(take)
      count += found.count
      guard count <= responseLimit else {
        throw XMLDocumentError(line: 1, message: "more than \(responseLimit) responses")
      }
    }
    return syncToken
  }

  /// Returns the responses of one element; several hrefs can share a status (RFC 4918 §14.24).
  private static func responses(of element: XMLElement) -> [Response] {
    var common = Response(href: "")
    // The children are examined in place, because a listing has thousands of elements and each copy
    // costs time.
    var hrefs: [Int] = []
    var status: Int?
    for place in element.children.indices {
      let name = element.children[place].name
      if name == .dav("href") {
        hrefs.append(place)
      } else if name == .dav("propstat") {
        common.take(element.children[place])
      } else if name == .dav("status") {
        status = status ?? place
      } else if name == .dav("responsedescription") {
        common.description = common.description ?? element.children[place].trimmedText
      }
    }
    common.status = status.flatMap { statusCode(of: element.children[$0].text) }
    return hrefs.map { place in
      var response = common
      response.href = element.children[place].trimmedText
      return response
    }
  }

  /// Returns the code of a status line such as `HTTP/1.1 404 Not Found`.
  ///
  /// It is the first word with three digits from 100 through 599.
  fileprivate static func statusCode(of line: String) -> Int? {
    var (code, length, isNumber) = (0, 0, true)
    // The additional space ends the last word.
    for byte in Array(line.utf8) + [0x20] {
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09:
        if isNumber, length == 3, (100...599).contains(code) { return code }
        (code, length, isNumber) = (0, 0, true)
      case 0x30...0x39 where length < 3:
        code = code * 10 + Int(byte - 0x30)
        length += 1
      default: isNumber = false
      }
    }
    return nil
  }
}

extension MultiStatus.Response {
  /// Adds properties with a common status (RFC 4918 §14.22).
  fileprivate mutating func take(_ propstat: XMLElement) {
    guard let list = propstat.place(of: .dav("prop")) else { return }
    let status =
      propstat.place(of: .dav("status"))
      .flatMap { MultiStatus.statusCode(of: propstat.children[$0].text) } ?? 0
    guard (200...299).contains(status) else {
      for property in propstat.children[list].children { failures[property.name] = status }
      return
    }
    properties.add(propstat.children[list].children)
  }
}

/// The properties of a resource in a response; they are few, so that a linear search is sufficient.
package struct PropertyValues: Hashable, Sendable {
  private var elements: [XMLElement] = []

  /// The property with a name; the last one if there are several.
  package subscript(name: XMLName) -> XMLElement? {
    for place in elements.indices.reversed() where elements[place].name == name {
      return elements[place]
    }
    return nil
  }

  /// Adds properties.
  mutating func add(_ properties: [XMLElement]) {
    // Usually the list is empty before, so that nothing is copied.
    if elements.isEmpty { elements = properties } else { elements += properties }
  }
}

extension EntityTag {
  /// Creates an ETag from a listing or a response; nil for an empty text.
  ///
  /// Lenient: an ETag without the quotes that RFC 9110 §8.8.3 requires is kept as received, because
  /// some servers compare conditions with exactly these bytes.
  init?(received text: String) {
    // The bytes are examined in place, because a listing has thousands of ETags.
    let bytes = text.utf8.span
    var isPlain = true
    for place in bytes.indices where bytes[place] <= 0x20 || bytes[place] >= 0x7F {
      isPlain = false
    }
    let tag =
      isPlain ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !tag.isEmpty else { return nil }
    self.init(tag)
  }

  /// Creates an ETag from the header of a response.
  ///
  /// Lenient: Apache's `mod_deflate` adds a suffix to the ETag of a compressed response, but does
  /// not recognize the result in a condition.
  init?(answer: HTTPResponse) {
    guard var text = answer.headers["ETag"] else { return nil }
    for suffix in ["-gzip\"", ";gzip\"", "--gzip\""] where text.hasSuffix(suffix) {
      text = String(text.dropLast(suffix.count)) + "\""
      break
    }
    self.init(received: text)
  }

  /// Whether two ETags identify the same version, by weak comparison (RFC 9110 §8.8.3.2).
  func names(_ other: EntityTag) -> Bool {
    strong == other.strong
  }

  private var strong: Substring { isWeak ? quoted.dropFirst(2) : quoted[...] }
}
