// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// An answer that is about to be sent, for a fault to spoil.
struct Reply: Sendable {
  var status: String
  var fields: [String]
  var body: [UInt8]

  init(_ status: String, fields: [String] = [], body: String = "") {
    self.init(status, fields: fields, bytes: Array(body.utf8))
  }

  init(_ status: String, fields: [String] = [], bytes: [UInt8]) {
    self.status = status
    self.fields = fields
    body = bytes
  }

  /// A multi-status answer with these responses.
  static func multiStatus(_ responses: String, _ style: DAVStore.Style) -> Reply {
    xml(
      style.usesDefaultNamespace
        ? "<multistatus xmlns=\"DAV:\" xmlns:k=\"urn:ietf:params:xml:ns:caldav\">"
          + responses.replacing("<d:", with: "<").replacing("</d:", with: "</")
          .replacing("<c:calendar-data>", with: "<k:calendar-data><![CDATA[")
          .replacing("</c:calendar-data>", with: "]]></k:calendar-data>")
          .replacing("<c:", with: "<k:").replacing("</c:", with: "</k:")
          .replacing("&amp;", with: "&").replacing("&lt;", with: "<") + "</multistatus>"
        : "<d:multistatus xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">\(responses)"
          + "</d:multistatus>")
  }

  static func xml(_ document: String, status: String = "207 Multi-Status") -> Reply {
    Reply(
      status, fields: ["Content-Type: application/xml; charset=utf-8"],
      body: "<?xml version=\"1.0\" encoding=\"utf-8\"?>" + document)
  }

  static func html(_ status: String) -> Reply {
    Reply(
      status, fields: ["Content-Type: text/html"],
      body: "<!DOCTYPE html><html><body><form>Sign in \u{1B}[31m</form></body></html>")
  }

  static func redirect(_ status: String, to location: String) -> Reply {
    Reply(status, fields: ["Location: \(location)"])
  }

  /// The head, with the length of the body, or with another one.
  func head(length: Int? = nil, isChunked: Bool = false) -> LoopbackServer.Step {
    let framing =
      isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(length ?? body.count)"
    let hasBody = !status.hasPrefix("204")
    return .send(
      (["HTTP/1.1 \(status)"] + fields + (hasBody ? [framing] : [])).joined(separator: "\r\n")
        + "\r\n\r\n")
  }

  /// Sends the whole answer.
  var steps: [LoopbackServer.Step] { [head(), .bytes(body)] }

  /// Sends a part of the body with the length of the whole, and ends the connection.
  func cut(to count: Int) -> [LoopbackServer.Step] {
    [head(), .bytes(Array(body.prefix(count))), .close]
  }

  /// Sends a part of the body in a chunk, without the chunk that ends it.
  func cutChunk(to count: Int) -> [LoopbackServer.Step] {
    let part = Array(body.prefix(count))
    return [
      head(isChunked: true), .send(String(part.count, radix: 16) + "\r\n"), .bytes(part),
      .send("\r\n"), .close,
    ]
  }

  /// Sends a part of the body as if it were all.
  func shortened(to count: Int) -> [LoopbackServer.Step] {
    [head(length: min(count, body.count)), .bytes(Array(body.prefix(count)))]
  }
}
